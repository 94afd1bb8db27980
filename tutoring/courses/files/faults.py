"""Faults in course files, with location and reason."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Fault:
    """One fault to fix. `file` is relative to the course's folder; `line` counts from 1."""

    file: str
    line: int
    reason: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.reason}"


class CourseFaults(Exception):
    """A course that cannot be used, with every fault found in it, sorted by file and line."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(sorted(set(faults)))
        super().__init__("\n".join(map(str, self.faults)))
