"""Reviews: a card for each concept that a learner has mastered, and its updates by answers."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from statistics import median

from django.db import models
from django.utils import timezone

from agents.people import Person, zone_named
from tutoring.courses import catalogue
from tutoring.mastery import knowledge_tracing, spaced_review
from tutoring.mastery.prerequisites import all_prerequisites
from tutoring.mastery.spaced_review import Rating, ReviewResult
from tutoring.models import Attempt, Concept, Course, Goal, ItemOffset, Mastery, MasteryChange, Question, Review

ONE_DAY, HALF_A_DAY = timedelta(days=1), timedelta(hours=12)
# A median of fewer than five times is noise; of more than fifty it follows a growing learner too slowly. By hand.
ANSWERS_TIMED, ANSWERS_NEEDED = 50, 5
"""Right first answers, latest first, for the usual time; and the minimum number."""
REVIEW = Question.Purpose.REVIEW


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """The recall of a concept that was mastered."""

    recall: float
    """R, 0 to 1."""
    due: bool
    due_at: datetime
    since: datetime
    """The time of the last review."""
    rested: bool
    """The last review was at least a day ago, so that another one counts."""


def due_reviews(learner: Person, *, at: datetime | None = None, course: Course | None = None) -> list[Review]:
    """Return the mastered concepts that are due, with their courses, the longest due first; one query."""
    at = at or timezone.now()
    waiting = _mastered(learner.pk).filter(models.Q(due_at__lte=at) | models.Q(reviewed_at__gt=at + ONE_DAY))
    if course is not None:
        waiting = waiting.filter(concept__course=course)
    return [row for row in _reviewable(waiting, at) if row.due_at <= at]


def scheduled_reviews(learner: Person, *, at: datetime | None = None) -> list[Review]:
    """Return all mastered concepts by due date, with their courses; one query."""
    return sorted(_reviewable(_mastered(learner.pk), at or timezone.now()), key=lambda row: (row.due_at, row.pk))


def recall_by_concept(learner_id: int, course: Course, *, at: datetime | None = None) -> dict[str, Recall]:
    """Return the recall of a course's concepts that were ever mastered, by slug; one query."""
    rows = Review.objects.filter(learner_id=learner_id, concept__course=course).select_related("concept")
    return {row.concept.slug: recall_at(row, at=at) for row in rows}


def recall_by_learner(learners: Iterable[int], *, at: datetime | None = None) -> dict[tuple[int, int], Recall]:
    """Return the recall of all concepts the learners ever mastered, by learner and concept; one query."""
    rows = Review.objects.filter(learner_id__in=list(learners))
    return {(row.learner_id, row.concept_id): recall_at(row, at=at) for row in rows}


def recall_of(row: Mastery | None) -> Recall | None:
    """Return the recall of the concept; None if it was never mastered. One query if it was."""
    if row is None or row.mastered_at is None:
        return None
    card = Review.objects.filter(learner_id=row.learner_id, concept_id=row.concept_id).first()
    return recall_at(card) if card else None


def recall_at(row: Review, *, at: datetime | None = None) -> Recall:
    """Return the recall of a card's concept."""
    at = at or timezone.now()
    return Recall(
        recall=spaced_review.recall(row.card, at),
        due=row.due_at <= at,
        due_at=row.due_at,
        since=row.reviewed_at,
        rested=abs(at - row.reviewed_at) >= ONE_DAY,
    )


def usual_seconds(learner_id: int, kinds: Collection[str]) -> dict[str, float | None]:
    """Return the learner's median time for a right first answer to each kind of question; one query, none for no kind."""
    latest = list(_timed(learner_id, kinds)[: ANSWERS_TIMED * len(kinds)]) if kinds else []
    return {kind: _median([seconds for of, seconds in latest if of == kind][:ANSWERS_TIMED]) for kind in kinds}


def askable_concept(concept: Concept) -> catalogue.ConceptContent | None:
    """Return the concept in its course's present version; None if it has no exercises any more."""
    concepts = concept.course.catalogue().concepts
    return next((each for each in concepts if each.id == concept.slug and each.templates), None)


def update_review(attempt: Attempt, *, question: Question, change: MasteryChange | None) -> None:
    """Update the concept's card by an answer, within the caller's transaction.

    The first card is created when the concept is mastered. Then the end of a review updates it, and so does, once a
    day, the first unassisted answer to another question while the concept is mastered. No query for any other answer.
    """
    if question.purpose == REVIEW:
        if not question.is_open:
            _review_answer(attempt, question=question, change=change)
    elif change is not None and change.surprise is not None and change.mastery.mastered_at is not None:
        _review_in_lesson(attempt, question=question, change=change)


def begin_reviews(row: Mastery, *, at: datetime) -> None:
    """Create the card of a concept that is mastered, unless it has one; the row comes with concept and course."""
    if not Review.objects.filter(learner_id=row.learner_id, concept_id=row.concept_id).exists():
        fresh = Review(learner=row.learner, concept=row.concept)
        _store_card(fresh, spaced_review.first_card(at), at=at)


def rating_of(last: Attempt, *, question: Question) -> Rating:
    """Return the review result of a closed question, whose last attempt is `last`."""
    change: MasteryChange | None = getattr(last, "change", None)
    look = ReviewResult(
        right=last.correct,
        tries=last.number,
        hints=question.hints_used,
        ruled_out=question.kind == "choice",
        seconds=last.time_taken_s,
        usual_s=_usual_seconds(last, kind=question.kind) if last.number == 1 else None,
        offset=change.difficulty if change else 0.0,
    )
    return spaced_review.rate_review(look)


def _review_in_lesson(attempt: Attempt, *, question: Question, change: MasteryChange) -> None:
    """Count an answer outside of reviews as a review of a concept that is mastered, or was until this answer."""
    row, at = change.mastery, attempt.created_at
    before = replace(row.belief(), probability=change.before)
    if not (row.is_mastered or knowledge_tracing.is_mastered(before, threshold=row.threshold)):
        return
    card = _card_of(question)
    if card is None:
        if row.is_mastered:
            fresh = Review(learner_id=question.learner_id, concept=question.concept)
            _store_card(fresh, spaced_review.first_card(at), at=at)
    elif abs(at - card.reviewed_at) >= ONE_DAY:
        # A wrong answer is a look too, although its question may still be open.
        rated = rating_of(attempt, question=question)
        _store_card(card, spaced_review.card_after_review(card.card, rated, at=at), at=at)


def _review_answer(attempt: Attempt, *, question: Question, change: MasteryChange | None) -> None:
    """Apply a closed review question: the first one rates the card, a second one can only lower it."""
    rated, at = rating_of(attempt, question=question), attempt.created_at
    if rated == "again":
        _back_to_practice(attempt, question=question, change=change)
    card = _card_of(question)
    if card is None or (question.number > 1 and (rated != "again" or _first_was_missed(question))):
        return
    card.times += question.number == 1
    _store_card(card, spaced_review.card_after_review(card.card, rated, at=at), at=at)


def _first_was_missed(question: Question) -> bool:
    """Tell whether the question before, on the same concept in the same review, was not answered right."""
    earlier = Attempt.objects.filter(
        learner_id=question.learner_id, question__purpose=REVIEW, question__concept_id=question.concept_id
    )
    before = earlier.exclude(question=question).order_by("-pk").first()
    return before is not None and not before.correct


def _back_to_practice(attempt: Attempt, *, question: Question, change: MasteryChange | None) -> None:
    """Lower the mastery after a failed review; the change is stored with its answer."""
    row = change.mastery if change else _mastery_of(question)
    if row is None or row.probability <= spaced_review.MISSED_REVIEW_CEILING:
        return
    before, row.probability, row.last_at = row.probability, spaced_review.MISSED_REVIEW_CEILING, attempt.created_at
    row.save(update_fields=["probability", "last_at"])
    if change is not None:
        change.after = row.probability
        change.save(update_fields=["after"])
        return
    item = ItemOffset.objects.filter(course_id=question.concept.course_id, template=question.template).first()
    difficulty = item.offset if item else knowledge_tracing.difficulty_offset(question.key["difficulty"])
    MasteryChange.objects.create(
        mastery=row, attempt=attempt, before=before, difficulty=difficulty, after=row.probability
    )


def _card_of(question: Question) -> Review | None:
    """Return the locked card of the question's learner and concept, with the learner."""
    rows = Review.objects.select_for_update(of=("self",)).select_related("learner")
    card = rows.filter(learner_id=question.learner_id, concept_id=question.concept_id).first()
    if card is not None:
        card.concept = question.concept
    return card


def _mastery_of(question: Question) -> Mastery | None:
    rows = Mastery.objects.select_for_update()
    return rows.filter(learner_id=question.learner_id, concept_id=question.concept_id).first()


def _store_card(row: Review, card: spaced_review.Card, *, at: datetime) -> None:
    """Store the card after a review at `at`; it is due from the start of that day in the learner's time zone."""
    row.card, row.reviewed_at = dict(card), at
    exact = spaced_review.due_at(card, spaced_review.desired_retention(_goals_above(row)))
    # Not the zone in force: what is said in a conversation comes by a socket, which has none.
    there = exact.astimezone(zone_named(row.learner.zone))
    row.due_at = max(there.replace(hour=0, minute=0, second=0, microsecond=0), at + HALF_A_DAY)
    row.save()


def _goals_above(row: Review) -> int:
    """Return how many goals, the course's and the learner's, depend on the concept."""
    course = row.concept.course.catalogue()
    goals = {each.id for each in course.concepts if each.goal}
    own = Goal.objects.open().filter(learner_id=row.learner_id, concept__course=row.concept.course)
    goals.update(own.values_list("concept__slug", flat=True))
    return sum(row.concept.slug in all_prerequisites(course.requires, [goal]) for goal in goals)


def _usual_seconds(attempt: Attempt, *, kind: str) -> float | None:
    """Return the learner's median time for a right first answer to this kind of question, before this one."""
    earlier = _timed(attempt.learner_id, [kind]).filter(pk__lt=attempt.pk)
    return _median([seconds for _kind, seconds in earlier[:ANSWERS_TIMED]])


def _timed(learner_id: int, kinds: Collection[str]) -> models.QuerySet[Attempt, tuple[str, float | None]]:
    """Return kind and time of the learner's right first answers to these kinds of question, the latest first."""
    right = Attempt.objects.filter(learner_id=learner_id, number=1, correct=True, time_taken_s__isnull=False)
    return right.filter(question__kind__in=kinds).order_by("-pk").values_list("question__kind", "time_taken_s")


def _median(times: Sequence[float | None]) -> float | None:
    seconds = [each for each in times if each is not None]
    return median(seconds) if len(seconds) >= ANSWERS_NEEDED else None


def _mastered(learner_id: int) -> models.QuerySet[Review]:
    """Return the learner's cards, each with its concept, course and mastery."""
    own = models.Q(concept__masteries__learner_id=learner_id)
    rows = Review.objects.filter(learner_id=learner_id)
    rows = rows.annotate(held=models.FilteredRelation("concept__masteries", condition=own))
    # The types know nothing of what was annotated.
    rows = rows.select_related("concept__course", "held")  # type: ignore[misc]
    rows = rows.defer("concept__course__content")
    return rows.order_by("due_at", "pk")


def _reviewable(rows: Iterable[Review], at: datetime) -> Iterator[Review]:
    """Yield the rows whose concept is mastered and can be asked about.

    A review in the future (the clock was fast) is moved to `at`, since the concept would never be due until then.
    """
    for row in rows:
        held: Mastery | None = getattr(row, "held", None)
        if held is None or not held.is_mastered or askable_concept(row.concept) is None:
            continue
        if row.reviewed_at > at + ONE_DAY:
            _shift_into_past(row, at)
        yield row


def _shift_into_past(row: Review, at: datetime) -> None:
    was, waits = row.reviewed_at, row.due_at - row.reviewed_at
    row.reviewed_at, row.due_at, row.card = at, at + waits, dict(spaced_review.shift_card(row.card, at))
    fields = {"reviewed_at": row.reviewed_at, "due_at": row.due_at, "card": row.card}
    Review.objects.filter(pk=row.pk, reviewed_at=was).update(**fields)
