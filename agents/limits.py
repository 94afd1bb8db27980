"""Limits of one run: time, parallel agents, retries, characters."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class RunLimits:
    turn_timeout_s: float = 300.0
    """A whole run, in seconds."""
    agents_at_once: int = 5
    """In one parallel step."""
    agent_retries: int = 2
    """Retries, for roles whose strategy is `retry`."""
    retry_pause_s: float = 0.25
    """Half of the longest pause before the first retry, in seconds; it doubles with each retry."""
    output_characters: int = 200_000
    """Characters one agent may say; the rest is cut."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelLimits:
    """Limits of model calls: times, retries and the circuit breaker. Times are in seconds."""

    first_piece_s: float = 8.0
    """Up to the first piece of an answer."""
    stall_s: float = 10.0
    """Between two pieces."""
    total_s: float = 60.0
    """One attempt, if the agent has that much time."""
    reserve_s: float = 3.0
    """Agent time kept for the fallback when the model fails; at most a fifth of the time left."""
    least_s: float = 1.0
    """With less time left, a model is not asked."""
    busy_s: float = 5.0
    """How long a call waits while every backend answers as many calls as it may."""
    background_share: float = 0.5
    """Calls that nobody waits for start only while no more than this share of a backend's parallel calls is in use."""
    output_characters: int = 200_000
    """Of one answer, including tool arguments."""
    attempts: int = 3
    """For one request to one model."""
    pauses_s: tuple[float, float] = (0.25, 2.0)
    """The shortest and the longest pause before the next attempt."""
    retry_share: float = 0.1
    """Retries that each request adds to the shared allowance."""
    retries_saved: tuple[int, int] = (3, 10)
    """Retries allowed at the start, and the most that can be saved up."""
    failures: int = 5
    """This many failures within `failures_s` open the circuit: no calls to the model for `open_s`."""
    silence_counts: int = 3
    """How many failures a timeout counts as, because a person waited for it."""
    failures_s: float = 30.0
    open_s: float = 15.0
    barred_s: float = 60.0
    """As `open_s`, after an error only an admin can fix: a wrong key, a spend limit."""
    crowded_s: float = 60.0
    """After a call was rejected because the provider is full: how long no model is called for work nobody waits for."""

    def end(self, ends: float, now: float) -> float:
        """Return when an attempt started now must end, for an agent whose time ends at `ends`."""
        return min(now + self.total_s, ends - min(self.reserve_s, (ends - now) / 5))
