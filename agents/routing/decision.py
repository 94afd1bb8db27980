"""Routing decisions, and the thresholds and reasons that the owner of a team configures."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

RoutingStrategy = Literal["rule", "keyword", "classifier", "llm", "current"]
"""`current`: a rule left the message to the current activity."""
# Above it 99 of 100 routing examples are right (.85 before the calibration was fixed). Lower, a wrong guess would leave
# a lesson without asking a model; higher, a model is asked, and paid for, more often.
CERTAINTY_THRESHOLD = 0.95
"""Confidence above which no model is asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutingDecision:
    """Which agent gets a message, and why."""

    agent: str | None
    """None: out of scope for this team."""
    strategy: RoutingStrategy
    confidence: float | None
    """Probability that the agent is the right one, 0–1; None where it is not measured: a model decided."""
    reason: str
    unsure: bool = False
    """Below the threshold: the agent asks what is meant."""

    @property
    def is_certain(self) -> bool:
        """Whether a rule or keywords decided, or the classifier's confidence reaches CERTAINTY_THRESHOLD."""
        if self.strategy != "classifier":
            return not self.unsure
        return not self.unsure and self.confidence is not None and self.confidence >= CERTAINTY_THRESHOLD


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutingThresholds:
    """Confidence (0–1) from which the classifier decides; higher for "no agent": refusing is worse than asking."""

    sure: float
    surely_nothing: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutingReasons:
    """Reasons shown if no rule decides; lazy strings, converted by `str` when shown."""

    sounds_like: Mapping[str | None, object]
    """By agent; None: out of scope for this team."""
    asks: tuple[str | None, object]
    """The agent that asks what is meant, and the reason shown; None for an agent: the likeliest one gets it."""
    names: object = ""
    """Shown if keywords decided; `%(words)s` stands for them."""
