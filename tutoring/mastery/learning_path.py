"""The learning path to a learner's goals: numbers and ids in, steps out; wording is elsewhere.

It holds only the goals and their prerequisites, each concept after its own (by depth, then course order). A concept is
kept until it is mastered: in simulation, switching by expected gain or to the weakest took more answers.
"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from tutoring.mastery.knowledge_tracing import DEFAULT_SKILL, MINIMUM_UNASSISTED
from tutoring.mastery.placement import TAKEN_AS_KNOWN
from tutoring.mastery.prerequisites import Requires, all_prerequisites, subgraph, topological_order
from tutoring.mastery.sittings import Sitting

StepKind = Literal["learn", "check", "review"]

# The mastery threshold .85 as a probability (.939), rounded up.
KNOWN: Final = 0.94
"""Probability (0–1) from which answers count as showing a concept known, mastered or not yet."""
# Below the .90 at which a review is due: one missed review date does not yet block the next lesson. Chosen by hand.
FADED: Final = 0.80
"""Recall (0–1) below which a mastered concept does not count until it is reviewed."""
# Below TAKEN_AS_KNOWN, so that it becomes a lesson again, and above the prior of .5. Chosen by hand.
DOUBTED: Final = 0.60
"""Upper bound (0–1) on a prerequisite's probability after repeated misses on what depends on it."""
# Enough to choose from. Chosen by hand.
ALTERNATIVES: Final = 3

# Chosen with simulated learners: nine of ten were done by the longer estimate, half by the shorter.
_FEW, _HALF = 0.18, 0.5
"""Shares of learners who still lack the concept when the longer and the shorter estimate end."""
_FOR_SLIPS = 3
"""Extra questions that one or two slips cost a learner who knows the concept."""
_CHECK, _REVIEW = (1, MINIMUM_UNASSISTED), (1, 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConceptStanding:
    """The belief about a learner and one concept; the defaults are those of a new concept."""

    probability: float = DEFAULT_SKILL.initial
    """P (0–1), by placement or by practice."""
    answers: int = 0
    """Answers in practice and quizzes; those of the placement are in `probability` already."""
    mastered: bool = False
    recall: float = 1.0
    """R (0–1): chance that what was mastered is still remembered."""
    due: bool = False
    """It is mastered, and its review is due."""
    rested: bool = False
    """It was not practiced for a day, so that an answer shows whether it lasts."""

    @property
    def effective(self) -> float:
        """P·R (0–1)."""
        return self.probability * self.recall

    @property
    def taken_as_known(self) -> bool:
        """It is not taught, on the evidence of the placement or of few answers."""
        placed = self.answers == 0 and self.probability >= TAKEN_AS_KNOWN
        return not self.mastered and (placed or self.probability >= KNOWN)

    @property
    def is_ready(self) -> bool:
        """Concepts that depend on it may be learned."""
        return self.taken_as_known or (self.mastered and self.recall >= FADED)

    @property
    def wants_review(self) -> bool:
        return self.mastered and (self.due or self.recall < FADED)


NEVER_PRACTISED: Final = ConceptStanding()


@dataclass(frozen=True, slots=True, kw_only=True)
class StepReason:
    """Why a step is on the path; ids of concepts."""

    goal: str = ""
    """The first goal that needs it, or is it; empty for a review that no goal needs."""
    known: tuple[str, ...] = ()
    """Direct prerequisites that are known."""
    missing: tuple[str, ...] = ()
    """Direct prerequisites that must come first, without those the learner has set aside."""
    before: str = ""
    """The next lesson, if it depends on this review."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PathStep:
    """One step of the path.

    learn: a lesson. check: taken as known, confirmed by the quizzes of concepts that depend on it; for a goal, by its
    own quiz. review: mastered, and due.
    """

    concept: str
    kind: StepKind
    ready: bool
    """It may begin now: all its prerequisites are known."""
    reason: StepReason
    least: int
    most: int
    """How many questions it usually takes, and how many it seldom exceeds."""


def build_path(
    requires: Requires,
    standings: Mapping[str, ConceptStanding],
    *,
    goals: Sequence[str],
    first: Sequence[str] = (),
    set_aside: Collection[str] = (),
    learn: float = DEFAULT_SKILL.learn,
) -> tuple[PathStep, ...]:
    """Return the steps to the goals, in order.

    Due reviews of the next lesson's prerequisites come first, then lessons and checks, then other due reviews. `first`
    are concepts that the learner wants early: each moves up with its prerequisites. Concepts `set_aside` are no steps,
    and nothing waits for them. Prerequisites of mastered concepts alone are not needed. A concept missing in
    `standings` is new; concepts that the course does not have are ignored. `learn` is T (0–1).
    """
    needed = concepts_needed(requires, standings, goals=goals, set_aside=set_aside)
    owners = _owners(requires, goals)
    open_ones = [each for each in _ordered(requires, first) if each in needed]
    steps = tuple(
        _step(requires, standings, concept, goal=owners.get(concept, ""), set_aside=set_aside, learn=learn)
        for concept in open_ones
    )
    following = next((step.concept for step in steps if step.kind == "learn"), "")
    reviews = _reviews(requires, standings, before=following, owners=owners, set_aside=set_aside)
    urgent = tuple(step for step in reviews if step.reason.before)
    return (*urgent, *steps, *(step for step in reviews if not step.reason.before))


def concepts_needed(
    requires: Requires,
    standings: Mapping[str, ConceptStanding],
    *,
    goals: Iterable[str],
    set_aside: Collection[str] = (),
) -> frozenset[str]:
    """Return the goals and their prerequisites that must be learned or checked, without mastered ones."""
    done = {concept for concept, standing in standings.items() if standing.mastered} | set(set_aside)
    still_open = subgraph(requires, requires.keys() - done)
    open_goals = [goal for goal in goals if goal in still_open]
    return all_prerequisites(still_open, open_goals).union(open_goals)


def next_step(steps: Sequence[PathStep], sitting: Sitting) -> PathStep | None:
    """Return the step to take now, or None.

    A review that the next lesson does not need comes while reviews stay within a fifth of the sitting, or if nothing
    else is left; checks of goals come if no lesson is left.
    """
    urgent = next((step for step in steps if step.kind == "review" and step.reason.before), None)
    other = next((step for step in steps if step.kind == "review" and not step.reason.before), None)
    lesson = next((step for step in steps if step.kind == "learn" and step.ready), None)
    check = next((step for step in steps if step.kind == "check" and step.concept == step.reason.goal), None)
    return urgent or (other if sitting.may_ask_review() else None) or lesson or check or other


def interleaved_concepts(requires: Requires, standings: Mapping[str, ConceptStanding], concept: str) -> tuple[str, ...]:
    """Return mastered concepts to interleave with a lesson's own questions, the best first.

    Those due for review come first, then related ones (prerequisites, and concepts that share one), the most faded
    first. Concepts practiced within a day are left out: an answer would not show whether it lasts.
    """
    below, direct = all_prerequisites(requires, [concept]), set(requires.get(concept, ()))
    near = {each for each in requires if each in below or direct.intersection(requires[each])}
    held = [each for each in requires if each != concept and _of(standings, each).mastered]
    fitting = [each for each in held if _of(standings, each).wants_review or (each in near and standings[each].rested)]
    return tuple(sorted(fitting, key=lambda each: (not standings[each].wants_review, standings[each].recall)))


def alternative_steps(steps: Sequence[PathStep], chosen: PathStep | None) -> tuple[PathStep, ...]:
    """Return up to three other lessons that could begin now."""
    ready = (step for step in steps if step.kind == "learn" and step.ready and step != chosen)
    return tuple(step for step, _ in zip(ready, range(ALTERNATIVES), strict=False))


def prerequisites_to_check(
    requires: Requires, standings: Mapping[str, ConceptStanding], concept: str
) -> tuple[str, ...]:
    """Return prerequisites that only the placement says are known: direct ones first, then the least sure."""
    direct = requires.get(concept, ())
    unchecked = [
        each
        for each in all_prerequisites(requires, [concept])
        if _of(standings, each).taken_as_known and not _of(standings, each).answers
    ]
    return tuple(sorted(unchecked, key=lambda each: (each not in direct, _of(standings, each).probability, each)))


def following_concept(requires: Requires, concept: str, *, mastered: Collection[str]) -> str | None:
    """Return what could come after a concept: what builds on it first, then any open one; None if nothing is left.

    `requires` is in course order. A learner who has come this far is not sent back to the concept's prerequisites.
    """
    done = {*mastered, *all_prerequisites(requires, [concept]), concept}
    ready = [each for each, needed in requires.items() if each not in done and set(needed) <= done]
    return next((each for each in ready if concept in requires[each]), ready[0] if ready else None)


def least_practised_prerequisite(
    requires: Requires, standings: Mapping[str, ConceptStanding], concept: str, *, visited: Collection[str] = ()
) -> str | None:
    """Return the prerequisite to go back to after six misses on the concept, or None if all were `visited`.

    The direct prerequisite with the fewest answers, then the least certain; see `doubted_probability`.
    """
    open_ones = [each for each in requires.get(concept, ()) if each in requires and each not in visited]
    return min(
        open_ones,
        key=lambda each: (_of(standings, each).answers, _of(standings, each).effective),
        default=None,
    )


def doubted_probability(probability: float) -> float:
    """Return the probability (0–1) of a prerequisite after repeated misses on what depends on it."""
    return min(probability, DOUBTED)


def remediation_concepts(requires: Requires, standings: Mapping[str, ConceptStanding], concept: str) -> tuple[str, ...]:
    """Return all prerequisites, the weakest first, to go back to after the last cycle without mastery.

    Ties go to the nearest. Empty for a concept without prerequisites.
    """
    nearest_first = reversed(
        [each for each in topological_order(requires) if each in all_prerequisites(requires, [concept])]
    )
    return tuple(sorted(nearest_first, key=lambda each: _of(standings, each).effective))


def effort(probability: float, *, learn: float = DEFAULT_SKILL.learn) -> tuple[int, int]:
    """Return how many questions a lesson usually takes, and how many it seldom exceeds, from P and T (0–1 each).

    After n opportunities (1−P)·(1−T)^n of all learners lack the concept. The first estimate is where half of them know
    it, the second where .18 lack it, each plus three answers to show it. In simulation half of the learners were done
    by the first and nine of ten by the second.
    """
    usual, seldom = (max(0.0, math.log((1 - probability) / share) / learn) for share in (_HALF, _FEW))
    least = MINIMUM_UNASSISTED + math.floor(usual)
    return least, max(MINIMUM_UNASSISTED + math.ceil(seldom), least + _FOR_SLIPS)


def _of(standings: Mapping[str, ConceptStanding], concept: str) -> ConceptStanding:
    return standings.get(concept, NEVER_PRACTISED)


def _ordered(requires: Requires, first: Sequence[str]) -> list[str]:
    """Return the concepts in order, wanted ones and their prerequisites before all others."""
    order = topological_order(requires)
    moved = [
        concept
        for wanted in first
        if wanted in requires
        for concept in order
        if concept == wanted or concept in all_prerequisites(requires, [wanted])
    ]
    return list(dict.fromkeys((*moved, *order)))


def _owners(requires: Requires, goals: Sequence[str]) -> dict[str, str]:
    """Return the goal of each concept: itself for a goal, else the first goal that depends on it."""
    owners: dict[str, str] = {goal: goal for goal in goals}
    for goal in goals:
        for concept in all_prerequisites(requires, [goal]):
            owners.setdefault(concept, goal)
    return owners


def _step(
    requires: Requires,
    standings: Mapping[str, ConceptStanding],
    concept: str,
    *,
    goal: str,
    set_aside: Collection[str],
    learn: float,
) -> PathStep:
    standing = _of(standings, concept)
    direct = [each for each in requires[concept] if each in requires]
    known = tuple(each for each in direct if _of(standings, each).is_ready)
    missing = tuple(each for each in direct if each not in known and each not in set_aside)
    kind: StepKind = "check" if standing.taken_as_known else "learn"
    least, most = _CHECK if kind == "check" else effort(standing.probability, learn=learn)
    reason = StepReason(goal=goal, known=known, missing=missing)
    return PathStep(concept=concept, kind=kind, ready=not missing, reason=reason, least=least, most=most)


def _reviews(
    requires: Requires,
    standings: Mapping[str, ConceptStanding],
    *,
    before: str,
    owners: Mapping[str, str],
    set_aside: Collection[str],
) -> tuple[PathStep, ...]:
    """Return the due reviews, the most faded first."""
    carrying = requires.get(before, ())
    due = [each for each in requires if _of(standings, each).wants_review and each not in set_aside]
    least, most = _REVIEW
    return tuple(
        PathStep(
            concept=concept,
            kind="review",
            ready=True,
            reason=StepReason(goal=owners.get(concept, ""), before=before if concept in carrying else ""),
            least=least,
            most=most,
        )
        for concept in sorted(due, key=lambda each: _of(standings, each).recall)
    )
