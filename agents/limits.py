"""How much one run may take: time, agents at once, retries, characters."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class RunLimits:
    turn_timeout_s: float = 300.0
    """A whole run, in seconds."""
    agents_at_once: int = 5
    """Of one parallel step."""
    agent_retries: int = 2
    """Tries after the first, for roles whose strategy is `retry`."""
    retry_pause_s: float = 0.25
    """Half of the longest pause before the first retry, in seconds; doubles with each."""
    output_characters: int = 200_000
    """Characters one agent may say; the rest is cut off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelLimits:
    """How long a model may take, how often it is asked again, and when it is left alone. Times are in seconds."""

    first_piece_s: float = 8.0
    """Until the first piece of an answer."""
    stall_s: float = 10.0
    """Between two pieces."""
    total_s: float = 60.0
    """One attempt, where the agent has more time than that."""
    reserve_s: float = 3.0
    """Of the agent's time, kept for what is said when the model fails; never more than a fifth of what is left."""
    least_s: float = 1.0
    """With less time than that a model is not asked."""
    output_characters: int = 200_000
    """Of one answer, tools' arguments included."""
    attempts: int = 3
    """Of one question at one model."""
    pauses_s: tuple[float, float] = (0.25, 2.0)
    """The shortest and the longest pause before the next attempt."""
    retry_share: float = 0.1
    """Second attempts that one question earns, over all questions."""
    retries_saved: tuple[int, int] = (3, 10)
    """Second attempts that may be made before any was earned, and the most that can be saved up."""
    failures: int = 5
    """So many within `failures_s` open the circuit: the model is not asked for `open_s`."""
    silence_counts: int = 3
    """Failures that one time without an answer is worth: somebody waited for it."""
    failures_s: float = 30.0
    open_s: float = 15.0
    barred_s: float = 60.0
    """The same after what only an admin can mend: a wrong key, a spend limit."""
    crowded_s: float = 60.0
    """After a call was refused for want of room, so long no model is asked by those whom nobody waits for."""

    def end(self, ends: float, now: float) -> float:
        """Return when an attempt that begins now must have ended, for an agent whose own time is over at `ends`."""
        return min(now + self.total_s, ends - min(self.reserve_s, (ends - now) / 5))
