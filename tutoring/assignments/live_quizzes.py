"""Quizzes taken together: start, move on, end. A step happens once, whoever asks for it at the same time."""

from collections.abc import Collection

from django.db import transaction
from django.utils import timezone

from tutoring.models import Assignment, AssignmentWork, Attempt, LiveQuiz, Question, QuizItem, WorkQuestion

type Phase = LiveQuiz.Phase


def start_live(assignment: Assignment) -> LiveQuiz:
    """Open the quiz for pupils to join; one that is under way goes on."""
    return LiveQuiz.objects.get_or_create(assignment=assignment)[0]


def next_step(live: LiveQuiz, *, items: int) -> tuple[Phase, int]:
    """Return the phase and the number that follow: ask, show the answer, ask the next one, and end."""
    match live.phase:
        case LiveQuiz.Phase.ASKING:
            return LiveQuiz.Phase.SHOWN, live.number
        case LiveQuiz.Phase.WAITING | LiveQuiz.Phase.SHOWN if live.number < items:
            return LiveQuiz.Phase.ASKING, live.number + 1
        case _:
            return LiveQuiz.Phase.OVER, live.number


@transaction.atomic
def move_on(live: LiveQuiz, *, seen: str) -> bool:
    """Take the next step, if the quiz is still where the teacher saw it; return whether this call took it."""
    locked = LiveQuiz.objects.select_for_update().get(pk=live.pk)
    if locked.mark != seen or locked.phase == LiveQuiz.Phase.OVER:
        return False
    phase, number = next_step(locked, items=locked.assignment.items.count())
    _go_to(locked, phase, number)
    return True


@transaction.atomic
def end_live(live: LiveQuiz) -> None:
    """End the quiz, wherever it is; what was answered stays."""
    locked = LiveQuiz.objects.select_for_update().get(pk=live.pk)
    if locked.phase != LiveQuiz.Phase.OVER:
        _go_to(locked, LiveQuiz.Phase.OVER, locked.number)


def _go_to(live: LiveQuiz, phase: Phase, number: int) -> None:
    _close_open_questions(live)
    live.phase, live.number = phase, number
    if phase == LiveQuiz.Phase.OVER:
        live.ended_at = timezone.now()
        answered = WorkQuestion.objects.filter(question__status=Question.Status.ANSWERED).values("work")
        works = AssignmentWork.objects.filter(assignment_id=live.assignment_id, handed_in_at=None, pk__in=answered)
        works.update(handed_in_at=live.ended_at)
    live.save(update_fields=["phase", "number", "ended_at"])


def _close_open_questions(live: LiveQuiz) -> None:
    """Close the questions that pupils left open: they take no answers any more."""
    asked = WorkQuestion.objects.filter(item__assignment_id=live.assignment_id).values("question")
    Question.objects.open().filter(pk__in=asked).update(status=Question.Status.ABANDONED, closed_at=timezone.now())


def is_reached(item: QuizItem) -> bool:
    """Tell whether the quiz has come to this item."""
    return LiveQuiz.objects.filter(assignment_id=item.assignment_id, number__gte=item.number).exists()


def joined(assignment: Assignment) -> int:
    """Return how many pupils have joined."""
    return AssignmentWork.objects.filter(assignment=assignment).exclude(started_at=None).count()


def answered(assignment: Assignment, number: int, people: Collection[int]) -> int:
    """Return how many of these pupils have answered the question of this number."""
    rows = Attempt.objects.filter(
        question__assigned__item__assignment=assignment, question__assigned__item__number=number
    )
    return rows.filter(learner_id__in=people).count()
