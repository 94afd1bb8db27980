"""Routing decisions: which agent gets a message, and the thresholds and reasons that a team defines."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

RoutingStrategy = Literal["rule", "classifier", "llm", "current"]
"""`current`: a rule that leaves the message to the current activity."""
CERTAINTY_THRESHOLD = 0.95
"""Confidence above which no model is asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutingDecision:
    """Which agent gets a message, and why."""

    agent: str | None
    """None: outside what this team does."""
    strategy: RoutingStrategy
    confidence: float
    """Probability that the agent is the right one, 0–1."""
    reason: str
    unsure: bool = False
    """Too little evidence: the agent asks what is meant."""

    @property
    def is_certain(self) -> bool:
        """Whether a rule decided, or the classifier is almost sure."""
        return not self.unsure and (self.strategy != "classifier" or self.confidence >= CERTAINTY_THRESHOLD)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutingThresholds:
    """Confidence (0–1) needed to accept a label; highest for none: turning away is worse than asking back."""

    sure: float
    surely_nothing: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutingReasons:
    """Reasons shown if no rule decides; `str` turns each into text."""

    sounds_like: Mapping[str | None, object]
    """By agent; None: outside what this team does."""
    asks: tuple[str, object]
    """The agent that asks what is meant, and why."""
