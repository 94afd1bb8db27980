"""The estimator over answers already given, in their order: each is predicted, then learned from."""

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

LOGGED_PARAMETERS = SkillParameters(known_base=0.86, unknown_shift=logit(0.40) - logit(0.08))
"""For logs that do not say of what kind an item was: measured on four public ones, and fitted to none."""
_NEW_LEARNER = AbilityEstimate()


@dataclass(slots=True)
class Replay:
    """What the estimator holds of learners, items and skills, by any ids; it grows with these, not with the answers."""

    parameters: Mapping[str, SkillParameters] = field(default_factory=dict)
    """Of the skills that have their own."""
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
        """Learn from a first unassisted answer, and return the chance (0–1) that it was given to be right.

        `offset` is how easy the item's author holds it to be; it is used where the item is met for the first time. `placed`
        is where a placement let the belief begin, for the first answer on the skill.
        """
        parameters = self.parameters.get(skill, self.otherwise)
        ability = self._abilities.get(user, _NEW_LEARNER)
        update = observe(
            self._beliefs.get((user, skill)) or _initial_belief(ability, parameters, placed),
            ability=ability,
            item=self._items.get(item) or DifficultyOffset(offset=offset),
            correct=correct,
            kind=kind,
            template="",  # What mastery is declared by; nothing is declared here.
            assisted=False,
            skill=parameters,
        )
        self._beliefs[user, skill] = update.belief
        self._abilities[user] = update.ability
        self._items[item] = update.item
        return update.predicted or 0.0

    def practise(self, user: Hashable, skill: str, *, placed: float | None = None) -> None:
        """Learn that there was an opportunity which measured nothing: a retry that was right, an idea explained back."""
        parameters = self.parameters.get(skill, self.otherwise)
        belief = self._beliefs.get((user, skill)) or _initial_belief(self._abilities.get(user), parameters, placed)
        self._beliefs[user, skill] = belief_after_practice(belief, parameters)


def _initial_belief(ability: AbilityEstimate | None, parameters: SkillParameters, placed: float | None) -> Belief:
    return initial_belief(ability, parameters) if placed is None else Belief(probability=placed)
