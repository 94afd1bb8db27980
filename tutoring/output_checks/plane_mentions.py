"""Finds points and equations of lines in running text."""

import re
from fractions import Fraction

from tutoring.grading import Unparsable
from tutoring.grading.boards import PlaneBoard
from tutoring.grading.equation_boards import LineBoard, PointBoard
from tutoring.grading.judges.equation_answers import parse_line, parse_point

_NUMBER = r"[-−]?\s?\d{1,4}(?:/\d{1,4}|\.\d{1,4})?"
_PAIRS = re.compile(
    rf"\(\s*{_NUMBER}\s*[,;|]\s*{_NUMBER}\s*\)|\bx\s*(?:=|is)\s*{_NUMBER}[\s,;and]{{1,8}}y\s*(?:=|is)\s*{_NUMBER}"
)
_EQUATIONS = re.compile(r"\b[yf](?:\s*\(x\))?\s*=\s*[-−+*/.\dx\s()]{1,40}")


def says_on_plane(text: str, board: PlaneBoard, right: tuple[Fraction, Fraction]) -> bool:
    """Tell whether a text says the point, or the equation of the line."""
    if isinstance(board, PointBoard):
        return any(_point(board, found) == right for found in _PAIRS.findall(text))
    return any(_line(board, found.rstrip(" .-−+*/(")) == right for found in _EQUATIONS.findall(text))


def _point(board: PointBoard, text: str) -> tuple[Fraction, Fraction] | None:
    try:
        return parse_point(board, text)
    except Unparsable:
        return None


def _line(board: LineBoard, text: str) -> tuple[Fraction | None, Fraction] | None:
    try:
        line = parse_line(board, text)
    except Unparsable:
        return None
    return line.slope, line.intercept
