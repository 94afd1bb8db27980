"""Plans the path to a learner's goals from stored rows."""

from collections.abc import Mapping, Sequence

from tutoring.courses.catalogue import ConceptContent as ConceptValue
from tutoring.courses.catalogue import CourseContent as CourseValue
from tutoring.mastery import knowledge_tracing, learning_path
from tutoring.mastery.planned_path import PlannedPath
from tutoring.mastery.prerequisites import all_prerequisites, topological_order
from tutoring.mastery.records import reviews, sittings
from tutoring.mastery.sittings import EMPTY_SITTING, Sitting
from tutoring.models import Ability, Concept, Course, Goal, Mastery, Path

NEXT_TOPIC_KEY = "next_topic"
"""Key in the shared state for the next step; a finished placement without it has no path yet."""


def plan_path(
    learner_id: int,
    course: Course,
    *,
    masteries: Mapping[str, Mastery] | None = None,
    placed: Mapping[str, float] | None = None,
    goals: Sequence[str] | None = None,
    ability: knowledge_tracing.AbilityEstimate | None = None,
    standings: Mapping[str, learning_path.ConceptStanding] | None = None,
    own: Path | None = None,
    so_far: Sitting | None = None,
) -> PlannedPath:
    """Return the path to the learner's goals in a course; at most six queries.

    `placed` are probabilities (0–1) of a placement that is just over and not stored yet, `goals` slugs that take the place
    of those stored. At hand may be `masteries`, the learner's rows in the course by slug, `ability` and `standings`, what
    `ability_of` and `standings_of` return, `own`, what they changed of the path, and `so_far`, the sitting.
    """
    value = course.catalogue()
    aims = list(goals) if goals is not None else open_goals(learner_id, course)
    requires = value.requires
    if standings is None:
        known = ability_of(learner_id) if ability is None else ability
        standings = standings_of(learner_id, course, masteries=masteries, placed=placed or {}, ability=known)
    own = own or Path.objects.filter(learner_id=learner_id, course=course).first()
    steps = learning_path.build_path(
        requires,
        standings,
        goals=aims,
        first=own.first if own else (),
        set_aside=own.set_aside if own else (),
    )
    reviews_wait = any(step.kind == "review" for step in steps)
    if so_far is None:
        so_far = sittings.current_sitting(learner_id) if reviews_wait else EMPTY_SITTING
    following = learning_path.next_step(steps, so_far)
    return PlannedPath(
        course=value,
        goals=tuple(value.concept(each) for each in aims),
        steps=steps,
        following=following,
        others=learning_path.alternative_steps(steps, following),
        known=_known_concepts(value, requires, standings, aims),
        put_aside=tuple(each for each in value.concepts if own and each.id in own.set_aside),
        reordered=bool(own and own.first),
    )


def earlier_concepts(
    concept: Concept,
    *,
    masteries: Mapping[str, Mastery],
    standings: Mapping[str, learning_path.ConceptStanding],
    aside: Sequence[str],
) -> tuple[str, ...]:
    """Return the slugs of concepts to interleave with a lesson, the best first, without those put `aside`."""
    if not any(row.is_mastered for slug, row in masteries.items() if slug != concept.slug):
        return ()
    course = concept.course.catalogue()
    askable = {each.id for each in course.concepts if each.templates}.difference(aside)
    found = learning_path.interleaved_concepts(course.requires, standings, concept.slug)
    return tuple(each for each in found if each in askable)


def open_goals(learner_id: int, course: Course) -> list[str]:
    """Return the slugs of the learner's goals in a course, if the course still has them."""
    known = {concept.id for concept in course.catalogue().concepts}
    goals = Goal.objects.open().filter(learner_id=learner_id, concept__course=course)
    return [slug for slug in goals.values_list("concept__slug", flat=True) if slug in known]


def ability_of(learner_id: int) -> knowledge_tracing.AbilityEstimate:
    """Return the learner's ability estimate, the prior for new concepts."""
    row = Ability.objects.filter(learner_id=learner_id).first()
    return row.value() if row else knowledge_tracing.AbilityEstimate()


def masteries_in(learner_id: int, course: Course) -> dict[str, Mastery]:
    """Return the learner's masteries in a course by the concept's slug."""
    rows = Mastery.objects.filter(learner_id=learner_id, concept__course=course)
    return {row.concept.slug: row for row in rows.select_related("concept")}


def standings_of(
    learner_id: int,
    course: Course,
    *,
    masteries: Mapping[str, Mastery] | None = None,
    placed: Mapping[str, float],
    ability: knowledge_tracing.AbilityEstimate,
) -> dict[str, learning_path.ConceptStanding]:
    """Return the learner's standing on each concept of a course."""
    rows = masteries_in(learner_id, course) if masteries is None else masteries
    # Nothing is remembered but what was mastered once.
    met = any(row.mastered_at for row in rows.values())
    recalls = reviews.recall_by_concept(learner_id, course) if met else {}
    unmet = {
        each.id: knowledge_tracing.initial_belief(ability, course.skill(each.id)).probability
        for each in course.catalogue().concepts
    }
    return {
        each: _standing(rows.get(each), placed.get(each), recalls.get(each), unmet=probability)
        for each, probability in unmet.items()
    }


def _standing(
    row: Mastery | None, placed: float | None, remembered: reviews.Recall | None, *, unmet: float
) -> learning_path.ConceptStanding:
    answers = row.answers if row else 0
    probability = row.probability if row else unmet
    if placed is not None and not answers:
        probability = placed
    return learning_path.ConceptStanding(
        probability=probability,
        answers=answers,
        mastered=row is not None and row.is_mastered,
        recall=remembered.recall if remembered else 1.0,
        due=remembered is not None and remembered.due,
        rested=remembered is not None and remembered.rested,
    )


def _known_concepts(
    value: CourseValue,
    requires: Mapping[str, Sequence[str]],
    standings: Mapping[str, learning_path.ConceptStanding],
    goals: Sequence[str],
) -> tuple[ConceptValue, ...]:
    needed = all_prerequisites(requires, goals).union(goals)
    return tuple(
        value.concept(each) for each in topological_order(requires) if each in needed and standings[each].mastered
    )
