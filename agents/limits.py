"""How much one run may take: time, agents at once, retries, characters."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    turn_timeout_s: float = 300.0
    """A whole run, in seconds (design document 000)."""
    agents_at_once: int = 5
    """Of one parallel step."""
    agent_retries: int = 2
    """Tries after the first, for roles whose strategy is `retry`."""
    retry_pause_s: float = 0.25
    """Half of the longest pause before the first retry, in seconds; doubles with each."""
    output_characters: int = 200_000
    """Characters one agent may say; the rest is cut off."""
