"""The estimator over answers already given, in their order: each is predicted, then learned from."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field

from tutoring.rules.mastery import (
    DEFAULT_SKILL,
    Ability,
    Belief,
    ItemOffset,
    SkillParameters,
    first_belief,
    logit,
    observe,
    practised,
)

LOGGED = SkillParameters(known_base=0.86, unknown_shift=logit(0.40) - logit(0.08))
"""For logs that do not say of what kind an item was: measured on four public ones, and fitted to none."""
_NOBODYS = Ability()


@dataclass(slots=True)
class Replay:
    """What the estimator holds of learners, items and skills, by any ids; it grows with these, not with the answers."""

    parameters: Mapping[str, SkillParameters] = field(default_factory=dict)
    """Of the skills that have their own."""
    otherwise: SkillParameters = DEFAULT_SKILL
    _abilities: dict[Hashable, Ability] = field(default_factory=dict)
    _items: dict[Hashable, ItemOffset] = field(default_factory=dict)
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
        ability = self._abilities.get(user, _NOBODYS)
        update = observe(
            self._beliefs.get((user, skill)) or _beginning(ability, parameters, placed),
            ability=ability,
            item=self._items.get(item) or ItemOffset(offset=offset),
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
        belief = self._beliefs.get((user, skill)) or _beginning(self._abilities.get(user), parameters, placed)
        self._beliefs[user, skill] = practised(belief, parameters)


def _beginning(ability: Ability | None, parameters: SkillParameters, placed: float | None) -> Belief:
    return first_belief(ability, parameters) if placed is None else Belief(probability=placed)
