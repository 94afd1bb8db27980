"""Contests by learners, and the decisions about them: one transaction per operation."""

from collections.abc import Iterable
from typing import Final, Literal

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from agents.event_log import get_logger
from agents.people import Person
from agents.storage.transactions import rerun_after_inference
from agents.wire.rejections import Rejection
from tutoring.grading import key_from_json
from tutoring.grading.semantic_grader import grade_by_meaning
from tutoring.mastery import knowledge_tracing, spaced_review
from tutoring.mastery.records import recounts, suspected_misconceptions
from tutoring.mastery.records.reviews import recall_of
from tutoring.models import Attempt, Concept, Contest, Course, Mastery

logger = get_logger(__name__)

ANSWERS_SEARCHED: Final = 200
"""Latest answers in which a contested idea is looked for; more would be read for an idea long gone. Chosen by hand."""

type Decision = Literal["kept", "left_out"]


class AlreadyDecided(Rejection):
    """A teacher has decided about it, so that it can no longer be taken back."""

    def __init__(self) -> None:
        message = _("A teacher has already looked at this, so you can’t take your report back.")
        super().__init__("conflict", message, status=409)


@rerun_after_inference
@transaction.atomic
def contest_verdict(attempt: Attempt, *, reason: str) -> Contest:
    """Record that the learner says an answer's verdict is wrong. Once: what was said first stays.

    The answer is graded again where that needs no model; one that turns out right no longer counts as a wrong one.
    """
    contest, is_new = Contest.objects.get_or_create(
        attempt=attempt,
        defaults={"learner_id": attempt.learner_id, "concept_id": attempt.question.concept_id, "reason": reason},
    )
    if is_new and not attempt.correct and can_grade_again(attempt) and _is_right_now(attempt):
        contest.recounted = recounts.set_left_out(attempt, left_out=True)
        contest.decision, contest.decided_at = Contest.Decision.LEFT_OUT, timezone.now()
        contest.save()
        logger.info("contest_graded_again", contest=contest.pk, recounted=contest.recounted)
    return contest


def can_grade_again(attempt: Attempt) -> bool:
    """Tell whether code alone grades the answer: it is no text, no words instead of a choice, and no "I don't know"."""
    kind = attempt.question.kind
    in_words = kind in ("choice", "multi") and not attempt.judgement.get("chosen")
    return kind != "text" and not in_words and not attempt.gave_up


def _is_right_now(attempt: Attempt) -> bool:
    return grade_by_meaning(key_from_json(attempt.question.key["answer"]), attempt.answer).is_correct


def contest_mastery(learner: Person, concept: Concept, *, reason: str) -> Contest | None:
    """Record that the learner says their mastery number is wrong; return the contest that is open.

    None without a number: then there is nothing to contest.
    """
    row = Mastery.objects.filter(learner_id=learner.pk, concept=concept).first()
    if row is None or row.score is None:
        return None
    row.concept = concept
    today = score_today(row)
    is_lowered = today is not None and round(row.score * 100) > round(today * 100)
    contest, _is_new = Contest.objects.open().get_or_create(
        learner_id=learner.pk,
        concept=concept,
        about=Contest.About.SCORE,
        decided_at=None,
        defaults={"reason": reason, "score": today, "unfaded": row.score if is_lowered else None},
    )
    return contest


def score_today(row: Mastery) -> float | None:
    """Return the score (0–1) as pages show it: for a mastered concept, lowered by what is forgotten."""
    kept = recall_of(row) if row.is_mastered else None
    if kept is None:
        return row.score
    return knowledge_tracing.mastery_score(spaced_review.effective_probability(row.probability, kept.recall))


def contest_idea(learner: Person, course: Course, misconception: str, *, reason: str) -> Contest | None:
    """Record that the learner says a mistaken idea is not theirs; return the contest that is open.

    What their words gave the suspicion is taken back elsewhere; answers stay until a teacher decides. None for an idea
    that the course does not have.
    """
    concept = _concept_of(learner, course, misconception)
    if concept is None:
        return None
    contest, _is_new = Contest.objects.open().get_or_create(
        learner_id=learner.pk,
        concept=concept,
        about=Contest.About.IDEA,
        misconception=misconception,
        decided_at=None,
        defaults={"reason": reason},
    )
    return contest


def _concept_of(learner: Person, course: Course, misconception: str) -> Concept | None:
    """Return the concept in which the learner's answers last showed the idea, else the first that the idea belongs to,
    else the course's first one; None for an unknown idea.
    """
    known = course.catalogue().misconceptions.get(misconception)
    if known is None:
        return None
    answers = Attempt.objects.filter(learner_id=learner.pk, question__concept__course=course).order_by("-created_at")
    shown = answers.values_list("question__concept", "misconceptions")[:ANSWERS_SEARCHED]
    for concept_id, ideas in shown:
        if misconception in ideas:
            return course.concepts.get(pk=concept_id)
    rows = course.concepts.order_by("position")
    return rows.filter(slug__in=known.concepts).first() or rows.first()


def contested_ideas(learners: Iterable[int], course: Course) -> dict[tuple[int, str], Contest]:
    """Return the latest contest of each idea by learner and misconception; one query."""
    rows = Contest.objects.filter(learner_id__in=list(learners), concept__course=course, about=Contest.About.IDEA)
    return {(row.learner_id, row.misconception): row for row in rows.order_by("pk")}


@transaction.atomic
def take_back(contest: Contest) -> None:
    """Remove a contest that nobody has decided about. Raises AlreadyDecided."""
    held = Contest.objects.select_for_update().filter(pk=contest.pk).first()
    if held is not None and held.decided_at is not None:
        raise AlreadyDecided
    Contest.objects.filter(pk=contest.pk).delete()


@transaction.atomic
def decide(contest: Contest, decision: Decision, *, by: Person, note: str = "") -> Contest:
    """Store a teacher's decision, which may be changed later, and leave the answer out of the mastery or count it.

    A number is never set by hand, and a right answer is never taken away: about them, it can only be recorded that
    somebody has looked. An idea that is left out is no longer suspected.
    """
    held = (
        Contest.objects.select_for_update(of=("self",)).select_related("attempt", "concept__course").get(pk=contest.pk)
    )
    if not can_leave_out(held):
        decision = "kept"
    elif held.attempt is None and decision == "left_out":
        suspected_misconceptions.clear_suspicion(held.learner_id, held.concept.course, held.misconception)
    elif held.attempt is not None and (decision == "left_out") != (held.decision == Contest.Decision.LEFT_OUT):
        held.recounted = recounts.set_left_out(held.attempt, left_out=decision == "left_out")
    held.decision, held.decided_at, held.decided_by_id = decision, timezone.now(), by.pk
    held.note, held.seen_at = note, None
    held.save()
    logger.info("contest_decided", contest=held.pk, decision=decision, recounted=held.recounted, by=by.pk)
    return held


def can_leave_out(contest: Contest) -> bool:
    """Tell whether a teacher may leave it out: a wrong answer, or an idea. The contest comes with its attempt."""
    if contest.about == Contest.About.IDEA:
        return True
    return contest.attempt is not None and not contest.attempt.correct


def news_for(learner: Person) -> list[Contest]:
    """Return what teachers decided and the learner has not seen, the latest first, with concept and course."""
    rows = Contest.objects.filter(learner_id=learner.pk, decided_at__isnull=False, seen_at=None)
    rows = rows.exclude(decided_by=None).select_related("concept__course", "attempt").defer("concept__course__content")
    return list(rows.order_by("-decided_at"))


def contests_of(learner: Person) -> list[Contest]:
    """Return everything the learner said is wrong, the latest first, with concept and who decided. One query."""
    rows = Contest.objects.filter(learner_id=learner.pk).select_related("concept", "decided_by")
    return list(rows.order_by("-created_at", "-pk"))


def mark_seen(learner: Person, contests: Iterable[int]) -> None:
    """Store that the learner has seen these decisions."""
    rows = Contest.objects.filter(learner_id=learner.pk, pk__in=list(contests), decided_at__isnull=False, seen_at=None)
    rows.update(seen_at=timezone.now())
