"""Contexts of what a learner has to do for their classes."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from agents.people import Person
from conversations.web.markup import to_html
from tutoring.assignments.audiences import given_to
from tutoring.assignments.due_days import due_words
from tutoring.assignments.progress import Progress, sight_of
from tutoring.assignments.progress_records import progress_of
from tutoring.assignments.quiz_papers import exercise_svg, right_words
from tutoring.assignments.reminders import open_reminders
from tutoring.models import Assignment, AssignmentWork, LiveQuiz, Question, QuizItem
from tutoring.pages.cards.arrangements import choice_context
from tutoring.pages.cards.question_context import Context, question_context, question_contexts
from tutoring.pages.contexts.assignments import target_words, tries_words

LATE_SHOWN_FOR: Final = timedelta(days=14)
"""How long the home shows what was not done in time."""


def home_assignments(person: Person, *, at: datetime) -> list[Context]:
    """Return what the learner still has to do for their classes, the next due first; no more queries for more of it."""
    rows = list(given_to(person, at=at).filter(due_at__gt=at - LATE_SHOWN_FOR))
    if not rows:
        return []
    found = progress_of({each: [person.pk] for each in rows}, now=at)
    phases = dict(LiveQuiz.objects.filter(assignment__in=rows).values_list("assignment", "phase"))
    reminded = open_reminders(person)
    return [
        entry_context(each, own, now=at, is_running=each.pk in phases) | {"is_reminded": each.pk in reminded}
        for each in rows
        if not (own := found[each][person.pk]).is_over and phases.get(each.pk) != LiveQuiz.Phase.OVER
    ]


def entry_context(assignment: Assignment, progress: Progress, *, now: datetime, is_running: bool = False) -> Context:
    """Return one assignment in a list."""
    is_late = assignment.due_at < now
    return {
        "assignment": assignment,
        "title": assignment.title,
        "url": assignment.get_absolute_url(),
        "class_name": assignment.classroom.name,
        "due": due_words(assignment.due_at, now=now),
        "is_late": is_late,
        "is_urgent": timezone.localdate(assignment.due_at) <= timezone.localdate(now),
        "late_words": _("You can still do it.") if is_late else "",
        "progress": progress,
        "percent": round(100 * progress.done / progress.total) if progress.total else 0,
        "done_words": _("%(done)d of %(total)d") % {"done": progress.done, "total": progress.total}
        if progress.total > 1 and progress.done
        else "",
        "is_running": is_running,
        "waits": assignment.is_live and not is_running,
        "opens_page": assignment.is_quiz and progress.state == "not_started" and not is_running,
        "tells": sees_words(assignment) if sight_of(assignment) == "done" else "",
    }


def sees_words(assignment: Assignment) -> str:
    """Return what the teacher sees of this assignment, as pupils read it before they start."""
    if assignment.classroom.policy.shows_answers:
        return _("Your teacher can see how far you are, and your answers.")
    match sight_of(assignment):
        case "progress":
            return _("Your teacher can see how far you are, but not your answers.")
        case "done":
            return _("Your teacher can see whether you are done, and nothing else.")
    return _("Your teacher can’t see whether you have done this.")


def my_assignment_context(person: Person, assignment: Assignment) -> Context:
    """Return a learner's page of an assignment; of a quiz that is over, with its questions and answers."""
    now = timezone.now()
    progress = progress_of({assignment: [person.pk]}, now=now)[assignment][person.pk]
    work = AssignmentWork.objects.filter(assignment=assignment, learner_id=person.pk).first()
    is_finished = work is not None and work.handed_in_at is not None
    return entry_context(assignment, progress, now=now) | {
        "facts": target_words(assignment),
        "note": assignment.note,
        "sees": sees_words(assignment),
        "work": work,
        "is_begun": work is not None and work.started_at is not None,
        "results": result_cards(work) if is_finished and work else [],
        "new_try": _("Your teacher gave you another try. The questions are new, and your best result counts.")
        if progress.tries and progress.right is None
        else "",
        "goal_words": _goal_words(assignment, progress),
        "is_reminded": assignment.pk in open_reminders(person),
    }


def _goal_words(assignment: Assignment, progress: Progress) -> str:
    """Return how a finished quiz compares with its goal; empty without one."""
    if progress.right is None or not assignment.goal_number:
        return ""
    if len(progress.tries) > 1:
        return f"{tries_words(progress)}."
    if progress.is_done:
        return _("You reached the goal of %(percent)d%%.") % {"percent": assignment.goal_number}
    return _("The goal was %(percent)d%%. Look at the questions below to see what to practice.") % {
        "percent": assignment.goal_number
    }


def result_cards(work: AssignmentWork) -> Sequence[Context]:
    """Return the pupil's questions with their answers and what was right."""
    rows = Question.objects.with_course().filter(
        assigned__work=work, assigned__try_number=work.try_number, status=Question.Status.ANSWERED
    )
    questions = list(rows.order_by("number"))
    shown = question_contexts(questions)
    return [shown[str(each.pk)] for each in questions]


def quiz_question_context(
    assignment: Assignment, item: QuizItem, question: Question, *, typed: str | None = None, error: str = ""
) -> Context:
    """Return the card of a quiz's question, which is answered once and on the quiz's own page."""
    shown = question_context(question, typed=typed, error=error)
    has_hint = question.is_open and assignment.gives_hints and question.hints_used < len(question.key["hints"]) - 1
    return shown | {
        "url": reverse("assignment-question", args=[assignment.pk, item.number]),
        "is_assigned": True,
        "own_words": False,  # Those are sent to a tutor, who is not here.
        "can_hint": has_hint,
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class LivePlace:
    """Where a pupil is in a quiz taken together."""

    phase: str
    """The quiz's own, `none` before it starts, or `join` for a pupil who has not joined."""
    number: int
    work: AssignmentWork | None

    @property
    def mark(self) -> str:
        return f"{self.phase}-{self.number}"


def live_place(person: Person, assignment: Assignment) -> LivePlace:
    """Return where the pupil is; two queries, since pages ask every two seconds."""
    live = LiveQuiz.objects.filter(assignment=assignment).first()
    work = AssignmentWork.objects.filter(assignment=assignment, learner_id=person.pk).exclude(started_at=None).first()
    if live is None:
        return LivePlace(phase="none", number=0, work=work)
    phase = live.phase if work or live.phase == LiveQuiz.Phase.OVER else "join"
    return LivePlace(phase=phase, number=live.number, work=work)


def live_context(person: Person, assignment: Assignment, place: LivePlace) -> Context:
    """Return a pupil's page of a quiz taken together, without the question that is asked."""
    is_asked = place.phase in (LiveQuiz.Phase.ASKING, LiveQuiz.Phase.SHOWN)
    items = assignment.items.select_related("concept")
    return my_assignment_context(person, assignment) | {
        "phase": place.phase,
        "mark": place.mark,
        "item": items.filter(number=place.number).first() if is_asked else None,
        "total": len(assignment.items.all()),
    }


def solution_context(item: QuizItem) -> Context:
    """Return a question with its answer, for a pupil who did not answer it."""
    exercise = item.exercise()
    return {
        "stem_html": to_html(item.stem, stacks=True),
        "picture_svg": exercise_svg(exercise),
        "choices": [choice_context(each) for each in item.public["choices"]],
        "right_html": right_words(exercise),
        "solution_html": to_html("\n\n".join(exercise.solution), stacks=True),
    }
