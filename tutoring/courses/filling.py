"""Fill `{expressions}` in a course's texts, leaving the braces of LaTeX alone."""

import re
from collections.abc import Callable, Container

from tutoring.courses.expressions import FUNCTIONS, ExpressionError, calls_in, names_in

_LATEX_COMMAND = re.compile(r"\\[A-Za-z]+\Z")


def fill(text: str, value_of: Callable[[str], str]) -> str:
    """Return the text with each `{expression}` replaced by what `value_of` says of it.

    A group after a LaTeX command keeps its braces: `\\frac{a}{b}` becomes `\\frac{3}{4}`, `\\text{of}` stays.
    Raises ExpressionError for an unclosed brace, and what `value_of` raises outside LaTeX.
    """
    filled, position, after_group = "", 0, False
    while (opening := text.find("{", position)) >= 0:
        filled += text[position:opening]
        after_group = after_group and opening == position
        closing = _closing(text, opening)
        content = text[opening + 1 : closing]
        after_group = after_group or _LATEX_COMMAND.search(filled[-40:]) is not None or filled[-1:] in ("^", "_")
        filled += f"{{{_group(content, value_of)}}}" if after_group else value_of(content)
        position = closing + 1
    return filled + text[position:]


def _closing(text: str, opening: int) -> int:
    depth = 0
    for position in range(opening, len(text)):
        depth += (text[position] == "{") - (text[position] == "}")
        if depth == 0:
            return position
    raise ExpressionError("a brace is not closed")


def _group(content: str, value_of: Callable[[str], str]) -> str:
    if "{" in content:
        return fill(content, value_of)
    try:
        return value_of(content)
    except ExpressionError:
        return content


def check_text(text: str, known: Container[str]) -> None:
    """Raise ExpressionError if a brace is open, an expression cannot be read, or it needs a name nobody gives."""

    def checked(expression: str) -> str:
        check_names(expression, known)
        return "1"

    fill(text, checked)


def check_names(expression: str, known: Container[str], *, functions: Container[str] = FUNCTIONS) -> None:
    """Raise ExpressionError if the expression cannot be read or needs a name or function nobody gives."""
    for kind, names, given in (("name", names_in(expression), known), ("function", calls_in(expression), functions)):
        for name in sorted(names):
            if name not in given:
                raise ExpressionError(f"unknown {kind} {name!r} in {expression!r}")
