"""The context of a quiz taken together, on the projector: never a name, and no more than the class has agreed to."""

from tutoring.assignments.item_report import ItemReport, reports_of
from tutoring.assignments.live_quizzes import answered, joined
from tutoring.assignments.summaries import AssignmentSummary
from tutoring.models import Assignment, LiveQuiz, QuizItem
from tutoring.pages.cards.question_context import Context
from tutoring.pages.contexts.assignments import item_context


def projector_context(summary: AssignmentSummary) -> Context:
    """Return where the quiz is, how many have joined and answered, and what the agreement lets be shown of the answers."""
    assignment = summary.assignment
    live = LiveQuiz.objects.filter(assignment=assignment).first()
    people = [place.person_id for place in summary.places]
    phase, number = (live.phase, live.number) if live else ("none", 0)
    count = answered(assignment, number, people) if live else 0
    here = joined(assignment) if live else 0
    return {
        "assignment": assignment,
        "classroom": assignment.classroom,
        "live": live,
        "phase": phase,
        "number": number,
        "total": len(assignment.items.all()),
        "pupils": summary.total,
        "joined": here,
        "answered": count,
        "mark": f"{phase}-{number}-{here}-{count}",
        "shows_answers": assignment.classroom.policy.shows_answers,
        "shows_right": assignment.classroom.policy.shows_levels,
        **_stage(assignment, phase, number, people),
    }


def _stage(assignment: Assignment, phase: str, number: int, people: list[int]) -> Context:
    """Return the question that is asked, with its answers once it is closed; at the end, all questions."""
    items = assignment.items.select_related("concept")
    if phase == LiveQuiz.Phase.OVER:
        reports = reports_of(assignment, people)
        return {"items": [_item(each, reports[each.number], assignment) for each in items]}
    item = items.filter(number=number).first()
    if item is None:
        return {}
    is_shown = phase == LiveQuiz.Phase.SHOWN
    report = reports_of(assignment, people)[number] if is_shown else ItemReport(right=(), wrong=(), others=0)
    return {"item": _item(item, report, assignment)}


def _item(item: QuizItem, report: ItemReport, assignment: Assignment) -> Context:
    return item_context(item, report, assignment=assignment, people={})
