"""A learner's goals and changes of the path: set, reached, dropped."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from agents.people import Person
from conversations.models import Session
from tutoring.mastery.knowledge_tracing import mastery_score
from tutoring.models import Concept, Course, Cycle, Goal, KnowledgeGap, Mastery, Path, Question
from tutoring.models.goals import WORDS_MAX_LENGTH


def set_goal(
    learner: Person, concept: Concept, *, words: str = "", session: Session | None = None
) -> tuple[Goal, bool]:
    """Set the concept as a goal; an existing goal keeps its words. Return the goal, and whether it is new."""
    return Goal.objects.open().get_or_create(
        learner_id=learner.pk,
        concept=concept,
        reached_at=None,
        dropped_at=None,
        defaults={"words": words[:WORDS_MAX_LENGTH], "session": session},
    )


def drop_goal(learner: Person, concept: Concept) -> bool:
    """Drop the concept as a goal; mastery stays. Return whether it was one."""
    dropped = Goal.objects.open().filter(learner_id=learner.pk, concept=concept).update(dropped_at=timezone.now())
    return dropped > 0


def drop_replaced_goals(aims: Iterable[Goal]) -> list[int]:
    """Set these goals aside, since the learner named another one; return which they were."""
    ids = [goal.pk for goal in aims]
    Goal.objects.open().filter(pk__in=ids).update(dropped_at=timezone.now())
    return ids


def restore_goals(ids: Sequence[int]) -> None:
    """Restore goals that were set aside, except those set again since."""
    for goal in Goal.objects.filter(pk__in=ids).exclude(dropped_at=None):
        if not Goal.objects.open().filter(learner_id=goal.learner_id, concept_id=goal.concept_id).exists():
            goal.dropped_at = None
            goal.save(update_fields=["dropped_at"])


def note_mastered(cycle: Cycle) -> None:
    """Mark goals reached and gaps closed for the concepts mastered in the cycle."""
    now = timezone.now()
    asked = Question.objects.filter(cycle=cycle).values("concept")
    rows = Mastery.objects.filter(learner_id=cycle.learner_id, concept__in=asked)
    rows = rows.select_related("concept__course").defer("concept__course__content")
    of = {"learner_id": cycle.learner_id, "concept__in": [row.concept_id for row in rows if row.is_mastered]}
    Goal.objects.open().filter(**of).update(reached_at=now)
    KnowledgeGap.objects.filter(**of, resolved_at=None).update(resolved_at=now)


def reached_since(learner_id: int, concept: Concept, moment: datetime) -> bool:
    """Tell whether a mastered concept was a goal until then; one not closed yet counts."""
    goals = Goal.objects.filter(learner_id=learner_id, concept=concept, dropped_at=None)
    return goals.filter(Q(reached_at=None) | Q(reached_at__gte=moment)).exists()


def latest_reached(learner_id: int, course: Course) -> Goal | None:
    """Return the goal in the course that the learner reached last; None without one. With its concept."""
    reached = Goal.objects.filter(learner_id=learner_id, concept__course=course, reached_at__isnull=False)
    return reached.filter(dropped_at=None).select_related("concept").order_by("-reached_at", "-pk").first()


def open_gap(learner_id: int, concept: Concept, *, session: Session, words: str) -> None:
    """Record a gap that mistakes of one pattern show; an open gap is left unchanged."""
    row = Mastery.objects.filter(learner_id=learner_id, concept=concept).first()
    if row is not None:
        KnowledgeGap.objects.get_or_create(
            learner_id=learner_id,
            concept=concept,
            resolved_at=None,
            defaults={
                "session": session,
                "source": KnowledgeGap.Source.FEEDBACK,
                "words": words[:WORDS_MAX_LENGTH],
                "current": mastery_score(row.probability),
                "required": row.threshold,
            },
        )


def put_first(learner: Person, course: Course, slug: str) -> None:
    """Move a concept as early on the learner's path as its prerequisites allow, before earlier wishes."""
    with _own_path(learner, course) as path:
        path.first = [slug, *(each for each in path.first if each != slug)]
        path.set_aside = [each for each in path.set_aside if each != slug]


def skip_concept(learner: Person, course: Course, slug: str) -> None:
    """Remove a concept from the learner's path; dependent concepts do not wait for it."""
    with _own_path(learner, course) as path:
        path.first = [each for each in path.first if each != slug]
        path.set_aside = list(dict.fromkeys((*path.set_aside, slug)))


def unskip_concept(learner: Person, course: Course, slug: str) -> None:
    """Return a concept that was put aside to the path."""
    with _own_path(learner, course) as path:
        path.set_aside = [each for each in path.set_aside if each != slug]


def reset_order(learner: Person, course: Course) -> None:
    """Clear the learner's early wishes; concepts put aside stay aside."""
    with _own_path(learner, course) as path:
        path.first = []


@contextmanager
def _own_path(learner: Person, course: Course) -> Iterator[Path]:
    """Lock, change and store the learner's path in the course; concepts that the course no longer has are dropped."""
    with transaction.atomic():
        Path.objects.get_or_create(learner_id=learner.pk, course=course)
        path = Path.objects.select_for_update(of=("self",)).get(learner_id=learner.pk, course=course)
        yield path
        known = {concept.id for concept in course.catalogue().concepts}
        path.first = [each for each in path.first if each in known]
        path.set_aside = [each for each in path.set_aside if each in known]
        path.save()
