"""Where a message goes, and what the owner of a team settles of how that is decided."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

RoutingStrategy = Literal["rule", "classifier", "llm", "current"]
"""`current`: a rule that leaves the message to what is under way."""
CERTAINTY_THRESHOLD = 0.95
"""Confidence from which no model is asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutingDecision:
    """Which agent serves a message, and why."""

    agent: str | None
    """None: nothing this team does."""
    strategy: RoutingStrategy
    confidence: float
    """How likely the agent is the right one, 0–1."""
    reason: str
    unsure: bool = False
    """Too little to go by: the agent asks what is meant."""

    @property
    def is_certain(self) -> bool:
        """Whether a rule knows, or the classifier is as good as sure."""
        return not self.unsure and (self.strategy != "classifier" or self.confidence >= CERTAINTY_THRESHOLD)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutingThresholds:
    """The confidence (0–1) from which the classifier's word counts; for none more: to turn away is worse than to ask back."""

    sure: float
    surely_nothing: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutingReasons:
    """What is told where no rule decides; each is made text by `str` when it is told."""

    sounds_like: Mapping[str | None, object]
    """By agent; None: nothing this team does."""
    asks: tuple[str, object]
    """The agent that asks what is meant, and why it does."""
