"""What drawings of all kinds share: their width, coordinates as text, and labels."""

from dataclasses import dataclass
from html import escape

WIDTH = 320
"""Width of a drawing in user units; with its margin it stays under 420 on every page."""
MARGIN = 2
CHARACTER = 8.6
"""Mean width of a character of a label in user units, at 15 units high."""
LINE_HEIGHT = 19


class PictureError(ValueError):
    """A picture that cannot be drawn; the text says why, in words for the course's author."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """A drawing: its size in user units, and its shapes as SVG. `data` are attributes of the whole."""

    width: float
    height: float
    shapes: str
    data: str = ""


def coordinate(number: float) -> str:
    """Write a coordinate with two places, without a trailing zero."""
    written = f"{number:.2f}".rstrip("0").rstrip(".")
    return "0" if written == "-0" else written


def label(text: str, x: float, y: float, *, anchor: str = "middle", more: str = "") -> str:
    """Return a text in the drawing; `more` are further classes."""
    classes = f"pic-text {more}".strip()
    place = f'x="{coordinate(x)}" y="{coordinate(y)}" text-anchor="{anchor}"'
    return f'<text class="{classes}" {place}>{escape(text)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, *, classes: str = "pic-line") -> str:
    ends = f'x1="{coordinate(x1)}" y1="{coordinate(y1)}" x2="{coordinate(x2)}" y2="{coordinate(y2)}"'
    return f'<line class="{classes}" {ends}/>'


def rectangle(left: float, top: float, width: float, height: float, *, classes: str) -> str:
    size = f'width="{coordinate(width)}" height="{coordinate(height)}"'
    return f'<rect class="{classes}" x="{coordinate(left)}" y="{coordinate(top)}" {size}/>'


def circle(x: float, y: float, radius: float, *, classes: str) -> str:
    return f'<circle class="{classes}" cx="{coordinate(x)}" cy="{coordinate(y)}" r="{coordinate(radius)}"/>'


def number_text(number: float) -> str:
    """Return a number as it is written at an axis, with a minus sign and at most six digits."""
    written = f"{number:.6g}"
    return ("0" if written == "-0" else written).replace("-", "−")


def require_text(text: str, *, most: int, what: str) -> None:
    """Raise PictureError for a text that is too long."""
    if len(text) > most:
        raise PictureError(f"{what} can have at most {most} characters")
