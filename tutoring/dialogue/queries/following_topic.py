"""What comes after a concept in a conversation."""

from collections.abc import Collection, Sequence

from django.db.models import Q

from conversations.models import Session
from tutoring.courses.catalogue import CourseContent
from tutoring.mastery.placement import TAKEN_AS_KNOWN
from tutoring.mastery.prerequisites import all_prerequisites
from tutoring.models import Concept, Mastery


def following_title(session: Session, concept: Concept) -> str:
    """Return the title of what comes after a concept in the conversation; empty if nothing does. One query."""
    return _following(
        concept.course.catalogue(),
        concept.slug,
        proposed=session.state.get("next_topic", ""),
        goals=session.state.get("goals", ()),
        passed=_passed(session.owner_id, concept),
    )


def _passed(learner_id: int, concept: Concept) -> frozenset[str]:
    """Return the concepts of the course that the learner has mastered, or knows by a placement."""
    rows = Mastery.objects.filter(learner_id=learner_id, concept__course_id=concept.course_id)
    known = Q(mastered_at__isnull=False) | Q(answers=0, placed__gte=TAKEN_AS_KNOWN)
    return frozenset(rows.filter(known).values_list("concept__slug", flat=True))


def _following(
    course: CourseContent, concept: str, *, proposed: str, goals: Sequence[str], passed: Collection[str]
) -> str:
    """Return the title of what comes next: what the path planner proposed, else what builds on the concept; or empty.

    Neither the concept itself nor what lies behind it: then the proposal is an old one. At the goal nothing follows.
    """
    behind = {concept, *all_prerequisites(course.requires, [concept]), *passed}
    if proposed not in behind and (following := {each.id: each.title for each in course.concepts}.get(proposed)):
        return following
    aims = [each for each in goals if each in course.requires and each not in passed]
    if aims == [concept]:
        return ""
    way = {*all_prerequisites(course.requires, aims), *aims}
    built = [each for each in course.concepts if concept in each.requires and each.id not in behind]
    built.sort(key=lambda each: each.id not in way)
    return built[0].title if built else ""
