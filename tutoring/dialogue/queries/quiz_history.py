"""Reads for the feedback role: how the quiz went, the causes of its mistakes, and how the round before went."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from conversations.models import Session
from tutoring.dialogue.queries.turn_rows import TurnRows
from tutoring.lesson.cycle import LearningCycle
from tutoring.lesson.facts import LastAnswer
from tutoring.mastery import error_patterns, knowledge_tracing
from tutoring.mastery.knowledge_tracing import AbilityEstimate, Belief, DifficultyOffset
from tutoring.mastery.misconception_evidence import ACTIVE, Suspicion
from tutoring.mastery.records import reviews
from tutoring.mastery.records.evidence import kind_as_answered
from tutoring.models import Attempt, Concept, Cycle, Question
from tutoring.roles.speech.prompt_background import right_answer_text

TYPED_KINDS = ("numeric", "expression")
"""Kinds whose answers are compared by edit distance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuizHistory:
    """This cycle's questions, in order."""

    marks: tuple[bool, ...]
    """Right at the first attempt or not."""
    attempts: tuple[Attempt, ...]


def load_quiz_history(rows: TurnRows, cycle: LearningCycle) -> QuizHistory:
    """Return how the quiz went so far; an extra query if something was missed.

    Questions of a quiz that was left or interrupted by a detour do not count; skipped ones have no first attempt.
    """
    asked = {each["question_id"] for each in rows.turn.session.state.get("quiz_questions", ())}
    firsts = (
        [each for each in rows.answers_here if each.number == 1 and str(each.question_id) in asked] if asked else []
    )
    latest = [each for each in firsts if each.question.purpose == Question.Purpose.QUIZ]
    latest = latest[max(0, len(latest) - len(cycle.asked)) :]
    if missed := [each.question_id for each in latest if not each.correct]:
        whole = Question.objects.with_course().in_bulk(missed)
        for each in latest:
            each.question = whole.get(each.question_id, each.question)
    return QuizHistory(
        marks=tuple(each.correct for each in latest),
        attempts=tuple(latest),
    )


def find_mistakes(
    attempts: Sequence[Attempt],
    *,
    kinds: Mapping[str, str],
    suspicions: Mapping[str, Suspicion],
    ability: AbilityEstimate,
) -> tuple[error_patterns.Mistake, ...]:
    """Return the mistakes among the attempts; `kinds` are the misconceptions' own, by id."""
    usual = _usual_seconds([each for each in attempts if not each.correct])
    return tuple(
        _mistake(
            each, following, kinds=kinds, suspicions=suspicions, ability=ability, usual=usual.get(each.question.kind)
        )
        for each, following in zip(attempts, [*attempts[1:], None], strict=False)
        if not each.correct
    )


def previous_round_score(session: Session, row: Concept, cycle: LearningCycle) -> float | None:
    """Return the share (0–1) right at the first attempt in the round before this one; None in the first."""
    if cycle.round < 2:
        return None
    earlier = Cycle.objects.filter(session=session, concept=row).exclude(mastery_achieved=None).order_by("-number")
    score: float | None = earlier.values_list("quiz_score", flat=True).first()
    return score


def last_answer(session: Session) -> LastAnswer | None:
    """Return the answer judged last in the conversation; None where none was."""
    attempts = Attempt.objects.filter(question__session=session).select_related("question__concept__course")
    attempts = attempts.defer("question__concept__course__content")
    attempt = attempts.exclude(question__purpose=Question.Purpose.PLACEMENT).order_by("-pk").first()
    if attempt is None:
        return None
    question = attempt.question
    return LastAnswer(
        stem=question.stem,
        answer="" if attempt.gave_up else question.shown(attempt.answer),
        correct=attempt.correct,
        is_open=question.is_open,
        solution=() if question.is_open else tuple(question.key["solution"]),
        matched=tuple(attempt.misconceptions),
        url=question.concept.evidence_url(answer=attempt.pk),
    )


def _mistake(
    attempt: Attempt,
    following: Attempt | None,
    *,
    kinds: Mapping[str, str],
    suspicions: Mapping[str, Suspicion],
    ability: AbilityEstimate,
    usual: float | None,
) -> error_patterns.Mistake:
    question, change = attempt.question, getattr(attempt, "change", None)
    behind: Any = tuple(
        error_patterns.MistakeCause(id=each, kind=kinds[each], active=_is_active(suspicions.get(each)))  # type: ignore[arg-type]  # A kind of the course's.
        for each in attempt.misconceptions
        if each in kinds
    )
    expected = None
    if change is not None:
        expected = knowledge_tracing.predict_answer(
            Belief(probability=change.before),
            ability=ability,
            item=DifficultyOffset(offset=change.difficulty),
            kind=kind_as_answered(question),
            skill=question.concept.skill(),
        ).known
    spelled = question.kind in TYPED_KINDS and not attempt.gave_up
    return error_patterns.Mistake(
        question_id=str(question.pk),
        concept=question.concept.slug,
        template=question.template,
        behind=behind,
        in_working=question.kind == "steps" and not attempt.gave_up,
        knew=change.before if change else None,
        expected=expected,
        seconds=None if attempt.gave_up else attempt.time_taken_s,
        usual_seconds=usual,
        one_slip_away=spelled
        and error_patterns.is_one_slip_apart(attempt.answer, right_answer_text(question.instance())),
        next_right=following.correct if following else None,
    )


def _is_active(suspicion: Suspicion | None) -> bool:
    return suspicion is not None and suspicion.confidence >= ACTIVE


def _usual_seconds(missed: Sequence[Attempt]) -> dict[str, float | None]:
    """Return the learner's usual times by kind of question, for mistakes on known concepts: only those can be slips."""
    changes = ((each, getattr(each, "change", None)) for each in missed if not each.gave_up)
    known = [each for each, change in changes if change is not None and change.before >= error_patterns.SURELY_KNOWN]
    return reviews.usual_seconds(known[0].learner_id, {each.question.kind for each in known}) if known else {}
