"""What one drill came to, as a line."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class DrillResult:
    name: str
    faults: tuple[str, ...]
    seconds: float
    """From the start of the new process to the turn's end, or what else the drill measures."""
    starting_s: float = 0.0
    """How much of it the new process took to start."""
    measured: str = "settled in"
    note: str = ""
    """What else was seen."""

    def as_line(self) -> str:
        verdict = f"FAILED: {'; '.join(self.faults)}" if self.faults else "ok"
        starting = f"(start {self.starting_s:4.1f} s)" if self.starting_s else ""
        note = f"  [{self.note}]" if self.note else ""
        return f"{self.name:<36} {self.measured:<13} {self.seconds:5.1f} s {starting:<15} {verdict}{note}"


def summarize(counts: Mapping[str, int]) -> str:
    """Return how often each thing was seen, as a line."""
    return ", ".join(f"{count} {name}" for name, count in sorted(counts.items()))
