"""Contexts of a class's assignments, for its teachers."""

from collections.abc import Sequence
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from agents.people import Person
from conversations.web.markup import inline_to_html, to_html
from tutoring.assignments.item_report import AnswerGroup, ItemReport, reports_of
from tutoring.assignments.progress import Progress
from tutoring.assignments.quiz_papers import exercise_svg, right_words
from tutoring.assignments.readings import reading_of
from tutoring.assignments.summaries import AssignmentSummary, summaries_of
from tutoring.classes.teacher_access import classes_for
from tutoring.models import Assignment, Classroom, QuizItem
from tutoring.models.assignments import AssignmentQuerySet
from tutoring.pages.cards.arrangements import choice_context
from tutoring.pages.cards.question_context import Context


def list_assignments(classroom: Classroom, rows: AssignmentQuerySet) -> Context:
    """Return a class's assignments: due, not begun, past, withdrawn."""
    found = summaries_of(classroom, rows)
    kept = [each for each in found if each.assignment.withdrawn_at is None]
    return {
        "due": [each for each in kept if each.is_begun and not each.is_past],
        "upcoming": [each for each in kept if not each.is_begun],
        "past": [each for each in reversed(kept) if each.is_past],
        "withdrawn": [each for each in reversed(found) if each.assignment.withdrawn_at is not None],
    }


def assignment_context(person: Person, summary: AssignmentSummary) -> Context:
    """Return one assignment's page: what it asks for, each pupil's progress, and what was answered to a quiz."""
    assignment = summary.assignment
    shows_answers = assignment.classroom.policy.shows_answers
    return {
        "summary": summary,
        "assignment": assignment,
        "classroom": assignment.classroom,
        "facts": target_words(assignment),
        "reading": reading_of(assignment) if assignment.kind == Assignment.Kind.READING else None,
        "pupils": pupil_rows(summary),
        "shows_answers": shows_answers,
        "report": _report(summary) if assignment.is_quiz and shows_answers else [],
        "other_classes": [
            each for each in classes_for(person).filter(archived_at=None) if each.pk != assignment.classroom_id
        ],
    }


def target_words(assignment: Assignment) -> list[str]:
    """Return in short sentences what is to be done, for teachers and for pupils."""
    topics = ", ".join(concept.title for concept in assignment.concepts.all())
    count = len(assignment.items.all()) if assignment.is_quiz else assignment.goal_number or 0
    match assignment.kind:
        case Assignment.Kind.QUIZ:
            asked = ngettext("%(count)d question on %(topics)s.", "%(count)d questions on %(topics)s.", count)
            return [asked % {"count": count, "topics": topics}, *_quiz_rules(assignment)]
        case Assignment.Kind.CONCEPT if assignment.goal_number:
            asked = ngettext(
                "Answer %(count)d question on %(topics)s.", "Answer %(count)d questions on %(topics)s.", count
            )
            return [asked % {"count": count, "topics": topics}]
        case Assignment.Kind.CONCEPT:
            return [_("Master: %(topics)s.") % {"topics": topics}]
        case Assignment.Kind.PATH:
            return [_("Reach the goal: %(topics)s.") % {"topics": topics}]
        case _:
            reading = reading_of(assignment)
            return [_("Read: %(title)s.") % {"title": reading.title}] if reading else []


def _quiz_rules(assignment: Assignment) -> list[str]:
    rules = [
        _("The class takes it together.") if assignment.is_live else "",
        _("Reach %(percent)d%%.") % {"percent": assignment.goal_number} if assignment.goal_number else "",
        _("Hints are allowed.") if assignment.gives_hints else _("There are no hints."),
        "" if assignment.is_evidence else _("The answers do not count toward mastery."),
    ]
    return [each for each in rules if each]


def pupil_rows(summary: AssignmentSummary) -> list[Context]:
    """Return each pupil's progress as far as teachers may see it; none where it is hidden."""
    if summary.sight == "nothing":
        return []
    return [
        {
            "name": str(place.person),
            "pk": place.person_id,
            "progress": (own := summary.progress[place.person_id]),
            "words": state_words(own, is_full=summary.sight == "progress"),
            "detail": detail_words(own, summary.assignment) if summary.sight == "progress" else "",
            "percent": round(100 * own.done / own.total) if own.total else 0,
            "can_retry": summary.sight == "progress" and can_retry(own, summary.assignment),
        }
        for place in summary.places
    ]


def state_words(progress: Progress, *, is_full: bool) -> str:
    """Return how it stands with a pupil; without `is_full` only whether they are done."""
    if not is_full:
        return _("done") if progress.is_over else _("not done")
    match progress.state, progress.is_late:
        case "done", False:
            return _("done")
        case "done", True:
            return _("done late")
        case "missed_goal", _late:
            return _("finished below the goal")
        case "working", True:
            return _("late, working")
        case "working", False:
            return _("working")
        case _, True:
            return _("late, not started")
    return _("not started")


def detail_words(progress: Progress, assignment: Assignment) -> str:
    """Return how much is done, and when it was finished."""
    if len(progress.tries) > 1 or (progress.tries and progress.right is None):
        words = tries_words(progress)
    elif progress.right is not None:
        words = _("%(right)d of %(total)d right") % {"right": progress.right, "total": progress.total}
    elif progress.total > 1:
        words = _("%(done)d of %(total)d done") % {"done": progress.done, "total": progress.total}
    else:
        words = ""
    day = (
        date_format(timezone.localtime(progress.done_at), "MONTH_DAY_FORMAT")
        if progress.done_at and progress.done_at >= assignment.starts_at
        else ""
    )
    return " · ".join(filter(None, (words, day)))


def tries_words(progress: Progress) -> str:
    """Return the result of each try at a quiz, and which of several counts."""
    each = ", ".join(f"{right}/{progress.total}" for right in progress.tries)
    if progress.right is None:
        return _("Earlier tries: %(results)s. This try: %(done)d of %(total)d done") % {
            "results": each, "done": progress.done, "total": progress.total,
        }  # fmt: skip
    return _("Tries: %(results)s. The best one counts") % {"results": each}


def can_retry(progress: Progress, assignment: Assignment) -> bool:
    """Tell whether the pupil can be given another try: at a quiz of their own, finished below its goal."""
    return progress.state == "missed_goal" and not assignment.is_live and assignment.withdrawn_at is None


# --- What was answered ---


def _report(summary: AssignmentSummary) -> list[Context]:
    people = {place.person_id: str(place.person) for place in summary.places}
    reports = reports_of(summary.assignment, list(people))
    return [
        item_context(item, reports[item.number], assignment=summary.assignment, people=people)
        for item in summary.assignment.items.select_related("concept")
    ]


def item_context(item: QuizItem, report: ItemReport, *, assignment: Assignment, people: dict[int, str]) -> Context:
    """Return one question with its right answer and the wrong ones; with `people`, who gave them."""
    exercise, course = item.exercise(), assignment.course
    ideas = course.catalogue().misconceptions if course else {}
    return {
        "number": item.number,
        "concept": item.concept.title,
        "stem_html": to_html(item.stem, stacks=True),
        "picture_svg": exercise_svg(exercise),
        "choices": [choice_context(each) for each in item.public["choices"]],
        "right_html": right_words(exercise),
        "report": report,
        "wrong": [_group(each, ideas, item=item, assignment=assignment, people=people) for each in report.wrong],
    }


def _group(
    group: AnswerGroup, ideas: Any, *, item: QuizItem, assignment: Assignment, people: dict[int, str]
) -> Context:
    idea = ideas.get(group.misconception)
    return {
        # Only a choice's own text is markup of the course; what a pupil typed is shown as it is.
        "html": (inline_to_html(group.text, stacks=True) if item.public["choices"] else group.text)
        or _("I don’t know"),
        "count": group.count,
        "idea": idea.says if idea else "",
        "people": _people(group, item, assignment, people),
    }


def _people(group: AnswerGroup, item: QuizItem, assignment: Assignment, people: dict[int, str]) -> Sequence[Context]:
    """Return who gave the answer, each with a link to it."""
    place = f"{assignment.classroom.get_absolute_url()}{{}}/{assignment.course.slug if assignment.course else ''}"
    return [
        {
            "name": people[each.person],
            "url": f"{place.format(each.person)}/{item.concept.slug}/?from={each.attempt}#answer-{each.attempt}",
        }
        for each in group.answers
        if each.person in people
    ]
