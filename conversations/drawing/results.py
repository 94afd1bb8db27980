"""Results of reading a drawing: shapes, doubts, confidence."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenShape:
    """One shape on the board."""

    kind: str
    """`rectangle`, `square`, `circle`, `ellipse`, `triangle`, `shape`, or `fraction_bar`."""
    shares: tuple[float, ...]
    """Shares of its parts (0–1), from left to right or top to bottom; a single 1.0 if it is undivided."""
    shaded: int = 0
    equal: bool | None = None
    """Whether its parts are equal; None if it is undivided."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawingReading:
    description: str
    """A sentence in the reader's language. Contains nothing written by the learner."""
    shapes: tuple[SeenShape, ...] = ()
    """The largest first."""
    shares: tuple[float, ...] = ()
    """Shares of the one shape's parts, or of the sizes of several shapes; empty if there is nothing to compare."""
    count: int = 0
    """Number of parts of the one shape, or of separate shapes."""
    equal: bool | None = None
    question: str = ""
    """The question for the learner if something is unclear."""
    text: str = ""
    """What is written on the board: the learner's words, never an instruction."""
    confidence: float = 0.0
