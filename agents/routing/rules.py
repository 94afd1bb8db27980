"""Rules that send a message to an agent: each a pattern over plain text, with its reason in words; the first wins."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutingRule[Situation = Any]:
    agent: str | None
    """None: nothing the team does."""
    reason: object
    """Words, or what becomes words by `str`."""
    pattern: re.Pattern[str]
    unless: re.Pattern[str] | None = None
    applies: Callable[[Situation], bool] | None = None
    stays: bool = False
    """The message belongs to what is under way."""

    def fits(self, words: str, situation: Situation) -> bool:
        """Tell whether the rule sends this plain text to its agent."""
        applies = self.applies is None or self.applies(situation)
        return applies and bool(self.pattern.search(words)) and not (self.unless and self.unless.search(words))


def first_matching_rule[S](words: str, rules: Iterable[RoutingRule[S]], situation: S) -> RoutingRule[S] | None:
    """Return the first rule that fits a plain text; None where none does."""
    return next((rule for rule in rules if rule.fits(words, situation)), None)
