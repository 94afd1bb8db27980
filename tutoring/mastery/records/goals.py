"""What a learner aims at, and what they changed of the way: set, reached, dropped."""

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
    """Let the learner aim at the concept; who does already keeps their words. Return the goal, and whether it is new."""
    return Goal.objects.open().get_or_create(
        learner_id=learner.pk,
        concept=concept,
        reached_at=None,
        dropped_at=None,
        defaults={"words": words[:WORDS_MAX_LENGTH], "session": session},
    )


def drop_goal(learner: Person, concept: Concept) -> bool:
    """Let the learner aim at the concept no more; what was learned stays. Tell whether they did."""
    dropped = Goal.objects.open().filter(learner_id=learner.pk, concept=concept).update(dropped_at=timezone.now())
    return dropped > 0


def drop_replaced_goals(aims: Iterable[Goal]) -> list[int]:
    """Let the learner aim at these no more, since they said what to do instead; return which they were."""
    ids = [goal.pk for goal in aims]
    Goal.objects.open().filter(pk__in=ids).update(dropped_at=timezone.now())
    return ids


def restore_goals(ids: Sequence[int]) -> None:
    """Let goals that were set aside be aimed at again, but for those that were set anew since."""
    for goal in Goal.objects.filter(pk__in=ids).exclude(dropped_at=None):
        if not Goal.objects.open().filter(learner_id=goal.learner_id, concept_id=goal.concept_id).exists():
            goal.dropped_at = None
            goal.save(update_fields=["dropped_at"])


def note_mastered(cycle: Cycle) -> None:
    """Note what is mastered of all that the cycle asked about: a goal is reached, where it was one, and a gap closed."""
    now = timezone.now()
    asked = Question.objects.filter(cycle=cycle).values("concept")
    rows = Mastery.objects.filter(learner_id=cycle.learner_id, concept__in=asked)
    rows = rows.select_related("concept__course").defer("concept__course__content")
    of = {"learner_id": cycle.learner_id, "concept__in": [row.concept_id for row in rows if row.is_mastered]}
    Goal.objects.open().filter(**of).update(reached_at=now)
    KnowledgeGap.objects.filter(**of, resolved_at=None).update(resolved_at=now)


def reached_since(learner_id: int, concept: Concept, moment: datetime) -> bool:
    """Tell whether a concept that is mastered was a goal until then: one still to be closed counts."""
    goals = Goal.objects.filter(learner_id=learner_id, concept=concept, dropped_at=None)
    return goals.filter(Q(reached_at=None) | Q(reached_at__gte=moment)).exists()


def open_gap(learner_id: int, concept: Concept, *, session: Session, words: str) -> None:
    """Note that mistakes of one pattern show the concept missing; one that is open already stays as it is."""
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
    """Let a concept come as early on the learner's path as what it rests on allows, before all else they wanted first."""
    with _own_path(learner, course) as path:
        path.first = [slug, *(each for each in path.first if each != slug)]
        path.set_aside = [each for each in path.set_aside if each != slug]


def skip_concept(learner: Person, course: Course, slug: str) -> None:
    """Let the learner's path do without a concept: what rests on it does not wait for it."""
    with _own_path(learner, course) as path:
        path.first = [each for each in path.first if each != slug]
        path.set_aside = list(dict.fromkeys((*path.set_aside, slug)))


def unskip_concept(learner: Person, course: Course, slug: str) -> None:
    """Let a concept that was put aside have its place again."""
    with _own_path(learner, course) as path:
        path.set_aside = [each for each in path.set_aside if each != slug]


def reset_order(learner: Person, course: Course) -> None:
    """Forget what the learner wanted first; what they put aside stays aside."""
    with _own_path(learner, course) as path:
        path.first = []


@contextmanager
def _own_path(learner: Person, course: Course) -> Iterator[Path]:
    """Hold the learner's path in the course, change it, and keep it; what the course has no more falls out."""
    with transaction.atomic():
        Path.objects.get_or_create(learner_id=learner.pk, course=course)
        path = Path.objects.select_for_update(of=("self",)).get(learner_id=learner.pk, course=course)
        yield path
        known = {concept.id for concept in course.catalogue().concepts}
        path.first = [each for each in path.first if each in known]
        path.set_aside = [each for each in path.set_aside if each in known]
        path.save()
