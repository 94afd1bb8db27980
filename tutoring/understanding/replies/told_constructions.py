"""Constructions told in words: the cuts of a bar into equal parts, and the point that directions lead to."""

import re
from fractions import Fraction
from typing import Final

from tutoring.grading.boards import Board, CutBoard

MOST_PARTS: Final = 12
"""Parts into which a bar can be cut."""
# "make 7 same size parts", "7 cuts".
_CUTS: Final = re.compile(
    r"(?<![\d/.])(\d{1,2}) (?:(?P<cuts>cuts?)\b|(?:(?:equal|same|even|equally|big|size|sized) ?)*(?:parts|pieces|slices)\b)"
)
# Steps to a point: "1 to the right", "2 down".
_ALONG: Final = re.compile(r"(\d+)(?: steps?)? (?:to the )?(right|across|along|left)\b")
_UP: Final = re.compile(r"(\d+)(?: steps?)? (?:to the )?(up|down)\b")
_BACKWARD: Final = frozenset({"left", "down"})


def told_cuts(said: str, board: Board) -> str:
    """Return the cuts that a number of equal parts or of cuts means: "make 7 same size parts", "7 cuts"; empty for none."""
    found = _CUTS.search(said) if isinstance(board, CutBoard) and board.shape == "bar" else None
    count = int(found[1]) + (1 if found["cuts"] else 0) if found else 0
    return ", ".join(str(Fraction(at, count)) for at in range(1, count)) if 2 <= count <= MOST_PARTS else ""


def told_point(said: str) -> str:
    """Return the point that directions lead to, in whatever order: "4 up and 1 to the right" is (1, 4); empty for none."""
    along, up = _ALONG.findall(said), _UP.findall(said)
    if len(along) != 1 or len(up) != 1:
        return ""
    x, y = (f"{'-' if way[1] in _BACKWARD else ''}{way[0]}" for way in (along[0], up[0]))
    return f"({x}, {y})"
