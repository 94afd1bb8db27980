"""Replays the estimator over past answers in order: each is predicted, then learned from."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field

from tutoring.mastery.knowledge_tracing import (
    DEFAULT_SKILL,
    AbilityEstimate,
    Belief,
    DifficultyOffset,
    SkillParameters,
    belief_after_practice,
    initial_belief,
    logit,
    observe,
)

# For logs without the kind of an item: guesses are right more often there (.40) than on typed answers. Measured on four
# public logs, fitted to none.
LOGGED_PARAMETERS = SkillParameters(known_base=0.86, unknown_shift=logit(0.40) - logit(0.08))
_NEW_LEARNER = AbilityEstimate()


@dataclass(slots=True)
class Replay:
    """The estimator's state of learners, items and skills, by any ids; it grows with these, not with the answers."""

    parameters: Mapping[str, SkillParameters] = field(default_factory=dict)
    """Parameters of skills that have their own."""
    otherwise: SkillParameters = DEFAULT_SKILL
    _abilities: dict[Hashable, AbilityEstimate] = field(default_factory=dict)
    _items: dict[Hashable, DifficultyOffset] = field(default_factory=dict)
    _beliefs: dict[tuple[Hashable, str], Belief] = field(default_factory=dict)

    def answer(
        self,
        user: Hashable,
        item: Hashable,
        skill: str,
        correct: bool,
        *,
        kind: str = "constructed",
        offset: float = 0.0,
        placed: float | None = None,
    ) -> float:
        """Learn from a first unassisted answer, and return the probability (0–1) with which it was predicted right.

        `offset` is the author's difficulty, used for a new item. `placed` is the initial probability from a placement,
        used for the first answer on the skill.
        """
        parameters = self.parameters.get(skill, self.otherwise)
        ability = self._abilities.get(user, _NEW_LEARNER)
        update = observe(
            self._beliefs.get((user, skill)) or _initial_belief(ability, parameters, placed),
            ability=ability,
            item=self._items.get(item) or DifficultyOffset(offset=offset),
            correct=correct,
            kind=kind,
            template="",  # Only needed to declare mastery.
            assisted=False,
            skill=parameters,
        )
        self._beliefs[user, skill] = update.belief
        self._abilities[user] = update.ability
        self._items[item] = update.item
        return update.predicted or 0.0

    def practise(self, user: Hashable, skill: str, *, placed: float | None = None) -> None:
        """Learn from an opportunity without evidence: a right retry, an idea explained back."""
        parameters = self.parameters.get(skill, self.otherwise)
        belief = self._beliefs.get((user, skill)) or _initial_belief(self._abilities.get(user), parameters, placed)
        self._beliefs[user, skill] = belief_after_practice(belief, parameters)


def _initial_belief(ability: AbilityEstimate | None, parameters: SkillParameters, placed: float | None) -> Belief:
    return initial_belief(ability, parameters) if placed is None else Belief(probability=placed)
