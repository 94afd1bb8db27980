"""What a learner aims at, and what they changed of the way: set, reached, dropped."""

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from agents.people import Person
from conversations.models import Session
from tutoring.models import Concept, Course, Goal, KnowledgeGap, Mastery, Path
from tutoring.models.plans import WORDS_MAX_LENGTH
from tutoring.rules.mastery import mastery_score


def set_goal(learner: Person, concept: Concept, *, words: str = "", session: Session | None = None) -> Goal:
    """Let the learner aim at the concept; who does already keeps their words."""
    goal, _created = Goal.objects.open().get_or_create(
        learner_id=learner.pk,
        concept=concept,
        reached_at=None,
        dropped_at=None,
        defaults={"words": words[:WORDS_MAX_LENGTH], "session": session},
    )
    return goal


def drop_goal(learner: Person, concept: Concept) -> None:
    """Let the learner aim at the concept no more; what was learned stays."""
    Goal.objects.open().filter(learner_id=learner.pk, concept=concept).update(dropped_at=timezone.now())


def note_mastered(learner_id: int, concept: Concept) -> None:
    """Note that the concept is mastered: a goal reached, where it was one, and a gap closed."""
    now = timezone.now()
    Goal.objects.open().filter(learner_id=learner_id, concept=concept).update(reached_at=now)
    gaps = KnowledgeGap.objects.filter(learner_id=learner_id, concept=concept, resolved_at=None)
    gaps.update(resolved_at=now)


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


@transaction.atomic
def change_path(
    learner: Person, course: Course, *, first: Sequence[str] | None = None, set_aside: Sequence[str] | None = None
) -> Path:
    """Keep what the learner changed of their path; None leaves a part of it as it was."""
    Path.objects.get_or_create(learner_id=learner.pk, course=course)
    path = Path.objects.select_for_update().get(learner_id=learner.pk, course=course)
    path.first = path.first if first is None else list(first)
    path.set_aside = path.set_aside if set_aside is None else list(set_aside)
    path.save()
    return path
