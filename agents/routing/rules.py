"""Routing rules: each is a pattern over plain text with an agent and a reason; the first match wins."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutingRule[Situation = Any]:
    agent: str | None
    """None: out of scope for the team."""
    reason: object
    """A string, or a lazy one."""
    pattern: re.Pattern[str]
    unless: re.Pattern[str] | None = None
    applies: Callable[[Situation], bool] | None = None
    stays: bool = False
    """The message belongs to the current activity."""

    def fits(self, words: str, situation: Situation) -> bool:
        """Return whether the rule matches this plain text."""
        applies = self.applies is None or self.applies(situation)
        return applies and bool(self.pattern.search(words)) and not (self.unless and self.unless.search(words))


def first_matching_rule[S](words: str, rules: Iterable[RoutingRule[S]], situation: S) -> RoutingRule[S] | None:
    """Return the first rule that fits a plain text, or None."""
    return next((rule for rule in rules if rule.fits(words, situation)), None)
