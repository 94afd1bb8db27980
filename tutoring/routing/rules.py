"""Rules that send a message to an agent: each a pattern over the plain text, with its reason in words; the first wins."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Agent = Literal["diagnostic", "tutor", "quiz", "feedback", "pathplanner"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """What of a conversation bears on where a message goes; the default is a conversation that has just begun."""

    has_topic: bool = False
    in_quiz: bool = False
    """A question waits for an answer."""
    quiz_paused: bool = False
    cycle_over: bool = False
    """The lesson's learning cycle has ended."""
    placing: bool = False
    """The diagnostic's questions are under way."""


BEGUN = Situation()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    agent: Agent | None
    """None: nothing the team does."""
    reason: str | Promise
    pattern: re.Pattern[str]
    unless: re.Pattern[str] | None = None
    applies: Callable[[Situation], bool] | None = None

    def fits(self, words: str, situation: Situation) -> bool:
        """Tell whether the rule sends this plain text to its agent."""
        if self.applies is not None and not self.applies(situation):
            return False
        return bool(self.pattern.search(words)) and not (self.unless and self.unless.search(words))


def first_fitting(words: str, situation: Situation) -> Rule | None:
    """Return the first rule that fits a plain text; None where none does."""
    return next((rule for rule in RULES if rule.fits(words, situation)), None)


RULES: tuple[Rule, ...] = (
    Rule(
        agent="quiz",
        reason=_("Wants to be questioned."),
        pattern=re.compile(r"\bquiz me\b"),
    ),
)
