"""Questions, attempts, hints, lessons and cycles of a learner: one transaction per operation."""

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from agents.people import Person
from agents.storage.availability import best_effort
from agents.storage.transactions import rerun_after_inference
from agents.wire.rejections import Rejection
from conversations.models import Session, Turn
from tutoring.courses.exercises import serialization
from tutoring.courses.exercises.exercise import Exercise
from tutoring.courses.exercises.misconception_finder import misconceptions_behind
from tutoring.grading import Judgement, key_from_json
from tutoring.grading.semantic_grader import grade_by_meaning
from tutoring.grading.verdicts import failure_to_json
from tutoring.mastery.knowledge_tracing import belief_after_practice
from tutoring.mastery.learning_path import doubted_probability
from tutoring.mastery.records import answer_tallies, evidence, reviews, suspected_misconceptions
from tutoring.models import Attempt, Concept, Course, Cycle, Lesson, Mastery, MasteryChange, Question
from tutoring.question_writing import orders

type Purpose = Literal["practice", "quiz", "placement"]

MAX_ATTEMPTS = 5
"""Each wrong attempt but the last earns a hint; the last one ends with the solution, the fifth rung."""
MAX_CHOICE_ATTEMPTS = 3
"""Attempts at a question with one right option: with more, elimination would find it."""
# The first rung only points at what to look at. Chosen by hand.
UNASSISTED_HINTS = 1
"""Hints after which an answer still counts as the learner's own."""


class QuestionClosed(Rejection):
    """The question was answered or abandoned before."""

    def __init__(self) -> None:
        super().__init__("conflict", _("This question is already closed. Nothing was changed."), status=409)


class AnswerConflict(Rejection):
    """The idempotency key was used with another answer before."""

    def __init__(self) -> None:
        message = _("This question was answered in another window. Here is how it looks now.")
        super().__init__("conflict", message, status=409)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedAnswer:
    """The result of an answer."""

    question: Question
    attempt: Attempt | None
    """None for an unreadable answer, which does not count; `judgement.reason` says why."""
    judgement: Judgement
    change: MasteryChange | None
    """None if the attempt is no evidence of mastery."""
    created: bool
    """False if it was sent before; then the first attempt is returned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint:
    """A rung of the hint ladder, or a request to try first."""

    text: str
    rung: int | None
    """1 to 5; None when no hint was given."""


def max_attempts(question: Question) -> int:
    """Return the maximum number of attempts at a question; at least one option is left to choose.

    A placement and an assigned quiz ask once, since they measure and do not teach.
    """
    if question.purpose == Question.Purpose.PLACEMENT or question.is_assigned:
        return 1
    if question.kind != "choice":
        return MAX_ATTEMPTS
    return max(2, min(MAX_CHOICE_ATTEMPTS, len(question.public["choices"]) - 1))


def open_question(
    *,
    learner: Person,
    session: Session,
    turn: Turn,
    concept: Concept,
    instance: Exercise,
    purpose: Purpose,
    number: int,
    cycle: Cycle | None = None,
    total: int | None = None,
    from_before: bool = False,
    checks_claim: bool = False,
) -> Question:
    """Ask the learner a question. Idempotent by turn and number, so that a turn may run again.

    `number` counts from 1 in its quiz, `total` is the planned number, None if unknown. Practice repeats an exercise
    whose solution was shown: its answer is an opportunity to learn and no evidence. `from_before` marks a quiz question
    on an earlier concept, `checks_claim` one that checks what the learner has said to know.
    """
    marks = {"total": total, "from_before": from_before} | ({"checks_claim": True} if checks_claim else {})
    asked = serialization.exercise_to_json(instance)
    question, _created = Question.objects.get_or_create(
        pk=uuid.uuid5(turn.pk, str(number)),
        defaults={
            "learner_id": learner.pk,
            "session": session,
            "turn": turn,
            "concept": concept,
            "purpose": purpose,
            "number": number,
            "cycle": cycle,
            "source_context": concept.course.catalogue().source_of(concept.slug),
            **asked,
            "public": asked["public"] | marks,
        },
    )
    return question


def note_shown(questions: Iterable[Question]) -> None:
    """Store when open questions were first shown to their learner; no query if they were shown before."""
    unseen = [each.pk for each in questions if each.is_open and each.shown_at is None]
    if unseen:
        with best_effort("when questions were shown"):
            Question.objects.filter(pk__in=unseen, shown_at=None).update(shown_at=timezone.now())


@rerun_after_inference
@transaction.atomic
def record_attempt(
    question: Question,
    *,
    learner: Person,
    answer: str,
    idempotency_key: str,
    time_taken_s: float | None = None,
    at: datetime | None = None,
) -> RecordedAnswer:
    """Grade an answer and store its effects. Raises QuestionClosed and Conflict, without any change.

    An unreadable answer is a free retry: nothing is stored. A wrong one leaves the question open, see `closes`. Without
    `time_taken_s` the time since the last attempt, or since the question was asked, is stored. `at` is the time of the
    answer, by default now.
    """
    question, attempts = _lock_question(question, learner=learner)
    if earlier := _sent_before(attempts, idempotency_key):
        return _recorded_before(earlier, question=question, answer=answer, gave_up=False)
    if not question.is_open:
        raise QuestionClosed
    judgement = grade_by_meaning(key_from_json(question.key["answer"]), answer)
    if judgement.verdict == "unparsable":
        return RecordedAnswer(question=question, attempt=None, judgement=judgement, change=None, created=False)
    attempt = _attempt(question, attempts=attempts, judgement=judgement, answer=answer)
    attempt.idempotency_key = idempotency_key
    attempt.created_at = at or attempt.created_at
    attempt.time_taken_s = _seconds_taken(question, attempts) if time_taken_s is None else time_taken_s
    return _store_attempt(attempt, question=question, earlier=attempts, judgement=judgement)


@transaction.atomic
def record_words(question: Question, *, learner: Person, words: str, idempotency_key: str) -> RecordedAnswer:
    """Record words that were judged right as the answer to a choice of reasons. Raises as `record_attempt` does."""
    question, attempts = _lock_question(question, learner=learner)
    if earlier := _sent_before(attempts, idempotency_key):
        return _recorded_before(earlier, question=question, answer=words, gave_up=False)
    if not question.is_open:
        raise QuestionClosed
    judgement = Judgement(verdict="correct", score=1.0)
    attempt = _attempt(question, attempts=attempts, judgement=judgement, answer=words)
    attempt.idempotency_key = idempotency_key
    attempt.time_taken_s = _seconds_taken(question, attempts)
    return _store_attempt(attempt, question=question, earlier=attempts, judgement=judgement)


def close_compared(question: Question) -> None:
    """Close an open step whose reason the learner has compared with a model sentence: no attempt, no evidence."""
    closed = Question.objects.open().filter(pk=question.pk)
    closed.update(status=Question.Status.ANSWERED, closed_at=timezone.now())


@transaction.atomic
def give_up(question: Question, *, learner: Person, idempotency_key: str) -> RecordedAnswer:
    """Record "I don't know": wrong without a guess; the solution may be shown. Raises as `record_attempt` does."""
    question, attempts = _lock_question(question, learner=learner)
    if earlier := _sent_before(attempts, idempotency_key):
        return _recorded_before(earlier, question=question, answer="", gave_up=True)
    if not question.is_open:
        raise QuestionClosed
    judgement = Judgement(verdict="wrong", score=0.0)
    attempt = _attempt(question, attempts=attempts, judgement=judgement, answer="")
    attempt.idempotency_key, attempt.gave_up = idempotency_key, True
    attempt.time_taken_s = _seconds_taken(question, attempts)
    return _store_attempt(attempt, question=question, earlier=attempts, judgement=judgement)


def take_hint(question: Question, *, tried: bool = False, at_least: int = 0, attempts: int | None = None) -> Hint:
    """Give the next rung, one for each new attempt; `tried` is as good as one: "I don't know". Raises QuestionClosed.

    `at_least` is a rung to go to at once, if the question has a worked example: 4 for the twin of the question. `attempts`
    is how many there are, where that is at hand. The rung is kept on the question given, too.
    """
    hints: list[str] = question.key["hints"]
    at_least = at_least if question.key.get("has_worked_example", True) else 0
    attempts = question.attempts.count() if attempts is None else attempts
    while question.is_open:
        if question.hints_used >= len(hints):
            return Hint(
                text=_("There are no more hints for this question. Try it, or choose “I don’t know”."), rung=None
            )
        if attempts <= question.hinted_at_attempt and not tried:
            return Hint(text=_try_first(attempts), rung=None)
        rung = min(len(hints), max(question.hints_used + 1, at_least))
        # Only from the rung on which it was read: somebody may have taken the next one meanwhile.
        as_read = Question.objects.open().filter(pk=question.pk, hints_used=question.hints_used)
        if as_read.update(hints_used=rung, hinted_at_attempt=attempts):
            question.hints_used, question.hinted_at_attempt = rung, attempts
            return Hint(text=hints[rung - 1], rung=rung)
        question.refresh_from_db(fields=["status", "hints_used", "hinted_at_attempt"])
    raise QuestionClosed


def abandon_open(session: Session, *, keep: str = "") -> int:
    """Close a conversation's open questions without an answer, except the one with the id `keep`; return how many."""
    left = Question.objects.open().filter(session=session)
    if keep:
        left = left.exclude(pk=keep)
    return left.update(status=Question.Status.ABANDONED, closed_at=timezone.now())


@transaction.atomic
def note_utterance(learner: Person, course: Course, ids: Sequence[str], quote: str, turn: Turn) -> None:
    """Raise the suspicion of misconceptions that the learner's words showed. Once per turn."""
    suspected_misconceptions.weigh_utterance(
        learner_id=learner.pk, course=course, ids=ids, quote=quote, turn_id=str(turn.pk)
    )


@transaction.atomic
def note_explanation(learner: Person, course: Course, ids: Sequence[str], quote: str, turn: Turn) -> None:
    """Lower the suspicion after a checked, right explanation of the corrective ideas. Once per turn."""
    suspected_misconceptions.weigh_explanation(
        learner_id=learner.pk, course=course, ids=ids, quote=quote, turn_id=str(turn.pk)
    )


@transaction.atomic
def note_self_explanation(learner: Person, concept: Concept) -> float:
    """Count a right explanation of a right answer as an opportunity to learn; the caller does so once.

    Return the increase of the mastery's probability.
    """
    row = Mastery.objects.select_for_update().filter(learner_id=learner.pk, concept=concept).first()
    if row is None:
        return 0.0
    before = row.probability
    row.take(belief_after_practice(row.belief(), concept.skill()), at=timezone.now())
    row.save()
    return row.probability - before


def doubt_prerequisite(learner: Person, concept: Concept) -> None:
    """Lower a prerequisite's probability after misses on dependent concepts; within the caller's transaction."""
    row = Mastery.objects.select_for_update().filter(learner_id=learner.pk, concept=concept).first()
    if row is not None:
        row.probability = doubted_probability(row.probability)
        row.save(update_fields=["probability"])


def begin_lesson(learner: Person, concept: Concept, session: Session) -> Lesson:
    """Make the conversation a lesson on the concept, at the learner's level. An existing lesson stays unchanged.

    A new one may trigger the writing of a question; within the caller's transaction.
    """
    level = learner.level if learner.level in Lesson.Level.values else Lesson.Level.BEGINNER
    lesson, created = Lesson.objects.get_or_create(
        session=session, defaults={"learner_id": learner.pk, "concept": concept, "level": level}
    )
    if created:
        if "mastery_threshold" not in session.state:
            session.change("mastery_threshold", concept.course.catalogue().threshold)
        session.save(update_fields=["state"])
        orders.order_if_wanted(learner, concept)
    return lesson


def cycle_under_way(session: Session, concept: Concept) -> Cycle | None:
    """Return the conversation's open cycle of explain → quiz → feedback on the concept, or None."""
    under_way = Cycle.objects.filter(session=session, concept=concept, completed_at=None)
    return under_way.order_by("-number").first()


def begin_cycle(*, learner: Person, session: Session, concept: Concept) -> tuple[Cycle, bool]:
    """Return the open cycle of explain → quiz → feedback, or a new one, and whether it is new.

    Numbers continue if a conversation returns to a concept, as a detour or as a lesson of its own.
    """
    last = Cycle.objects.filter(session=session, concept=concept).order_by("-number").first()
    if last is not None and last.completed_at is None:
        return last, False
    number = last.number + 1 if last else 1
    return Cycle.objects.create(learner_id=learner.pk, session=session, concept=concept, number=number), True


def leave_cycles(session: Session, concept: Concept | None = None) -> list[Cycle]:
    """End a conversation's cycles, or those on one concept, because of a change of topic; return them.

    They keep their score. Mastery shown by the answers is recorded; a lack of it is not, since no feedback was reached.
    """
    under_way = Cycle.objects.filter(session=session, completed_at=None)
    if concept is not None:
        under_way = under_way.filter(concept=concept)
    left = list(under_way)
    for cycle in left:
        cycle.quiz_score, cycle.completed_at = quiz_score(cycle), timezone.now()
        cycle.mastery_achieved = (cycle.quiz_score is not None and _is_mastered(cycle)) or None
        cycle.save(update_fields=["quiz_score", "mastery_achieved", "completed_at"])
    return left


@transaction.atomic
def close_cycle(cycle: Cycle) -> Cycle:
    """End a cycle with its quiz score, and whether the concept is mastered now. Once."""
    cycle = Cycle.objects.select_for_update(of=("self",)).get(pk=cycle.pk)
    if cycle.completed_at is not None:
        return cycle
    cycle.quiz_score = quiz_score(cycle)
    cycle.mastery_achieved = _is_mastered(cycle)
    cycle.completed_at = timezone.now()
    cycle.save()
    return cycle


def quiz_score(cycle: Cycle) -> float | None:
    """Return the share (0–1) of the cycle's quiz questions answered right at the first attempt; None without any."""
    firsts = Attempt.objects.filter(
        question__cycle=cycle, question__purpose=Question.Purpose.QUIZ, number=1
    ).values_list("correct", flat=True)
    return sum(firsts) / len(firsts) if firsts else None


def _is_mastered(cycle: Cycle) -> bool:
    mastery = Mastery.objects.filter(learner_id=cycle.learner_id, concept_id=cycle.concept_id).first()
    return mastery is not None and mastery.is_mastered


def _lock_question(question: Question, *, learner: Person) -> tuple[Question, list[Attempt]]:
    """Return the learner's question, locked, with concept and course, and its attempts in order."""
    held = Question.objects.select_for_update(of=("self",)).with_course()
    locked = held.get(pk=question.pk, learner_id=learner.pk)
    if "session" in question._state.fields_cache:
        locked.session = question.session
    return locked, list(Attempt.objects.filter(question=locked).in_order())


def _sent_before(attempts: Sequence[Attempt], idempotency_key: str) -> Attempt | None:
    return next((attempt for attempt in attempts if attempt.idempotency_key == idempotency_key), None)


def _recorded_before(attempt: Attempt, *, question: Question, answer: str, gave_up: bool) -> RecordedAnswer:
    if attempt.answer != answer or attempt.gave_up != gave_up:
        raise AnswerConflict
    change = MasteryChange.objects.filter(attempt=attempt).first()
    return RecordedAnswer(
        question=question, attempt=attempt, judgement=attempt.as_judgement(), change=change, created=False
    )


def _attempt(question: Question, *, attempts: Sequence[Attempt], judgement: Judgement, answer: str) -> Attempt:
    """Return the next attempt, not stored yet."""
    number = len(attempts) + 1
    return Attempt(
        question=question,
        learner_id=question.learner_id,
        answer=answer,
        verdict=judgement.verdict,
        score=judgement.score,
        correct=judgement.is_correct,
        assisted=number > 1 or question.hints_used > UNASSISTED_HINTS or question.purpose == Question.Purpose.PRACTICE,
        number=number,
        judgement={
            "missing": list(judgement.missing),
            "chosen": list(judgement.chosen),
            "reason": judgement.reason,
            **failure_to_json(judgement.failure),
        },
        misconceptions=[] if judgement.is_correct else list(misconceptions_behind(question.instance(), answer)),
    )


def _store_attempt(
    attempt: Attempt, *, question: Question, earlier: Sequence[Attempt], judgement: Judgement
) -> RecordedAnswer:
    """Store the attempt and its effects."""
    attempt.save(force_insert=True)
    change = evidence.change_mastery(attempt, question=question) if question.is_evidence else None
    answer_tallies.count_answer(attempt, question=question)
    if question.is_evidence and not attempt.gave_up:
        suspected_misconceptions.weigh_answer(attempt, question=question, earlier=earlier)
    question.graded_at = attempt.created_at
    question.shown_at = question.shown_at or attempt.created_at
    if attempt.correct or attempt.gave_up or attempt.number >= max_attempts(question):
        question.status, question.closed_at = Question.Status.ANSWERED, attempt.created_at
    question.save(update_fields=["status", "shown_at", "graded_at", "closed_at"])
    reviews.update_review(attempt, question=question, change=change)
    return RecordedAnswer(question=question, attempt=attempt, judgement=judgement, change=change, created=True)


def _seconds_taken(question: Question, attempts: Sequence[Attempt]) -> float:
    """Return the seconds since the learner's last action here; 0 if the clock was set back."""
    since = attempts[-1].created_at if attempts else question.opened_at
    return max(0.0, (timezone.now() - since).total_seconds())


def _try_first(attempts: int) -> str:
    if attempts:
        return _("Try once more with the hint you have. Then you can get another one.")
    return _("Write down your first idea, even if it’s a guess. Then I can give you a hint that fits.")
