"""Interpolation of `{expressions}` in a course's texts; braces of LaTeX stay."""

import re
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass
from functools import lru_cache

from tutoring.courses.exercises.expressions import FUNCTIONS, ExpressionError, calls_in, names_in

_BEFORE_GROUP = re.compile(r"(?:\\[A-Za-z]+|[\^_])\Z")


@dataclass(frozen=True, slots=True)
class _Placeholder:
    """The content of braces; a LaTeX group without a value stays unchanged."""

    expression: str
    is_group: bool

    def filled(self, value_of: Callable[[str], str]) -> str:
        try:
            return value_of(self.expression)
        except ExpressionError:
            if self.is_group:
                return self.expression
            raise


def fill_text(text: str, value_of: Callable[[str], str]) -> str:
    """Return the text with each `{expression}` replaced by what `value_of` says of it. `{{` and `}}` are braces.

    A group after a LaTeX command keeps its braces: `\\frac{a}{b}` becomes `\\frac{3}{4}`, `\\text{of}` stays.
    Raises ExpressionError for an unclosed brace, and what `value_of` raises outside LaTeX.
    """
    return "".join(piece if isinstance(piece, str) else piece.filled(value_of) for piece in _pieces(text))


def fill_code(text: str, value_of: Callable[[str], str]) -> str:
    """Return a program with each `{expression}` replaced, as `fill_text` does, but without LaTeX."""
    return "".join(piece if isinstance(piece, str) else piece.filled(value_of) for piece in _code_pieces(text))


@lru_cache(maxsize=4096)
def _pieces(text: str) -> tuple[str | _Placeholder, ...]:
    """Split a text into literals and placeholders. Cached: each text is filled many thousand times."""
    return tuple(_cut(text))


@lru_cache(maxsize=1024)
def _code_pieces(text: str) -> tuple[str | _Placeholder, ...]:
    return tuple(_cut(text, has_latex=False))


def _cut(text: str, *, has_latex: bool = True) -> Iterator[str | _Placeholder]:
    position, after_group = 0, False
    while (opening := text.find("{", position)) >= 0:
        before = text[position:opening]
        after_group = has_latex and ((after_group and not before) or _BEFORE_GROUP.search(before) is not None)
        yield before.replace("}}", "}")
        if not after_group and text.startswith("{{", opening):
            yield "{"
            position = opening + 2
            continue
        closing = _closing(text, opening)
        content = text[opening + 1 : closing]
        if after_group:
            yield "{"
            yield from _cut(content) if "{" in content else [_Placeholder(content, is_group=True)]
            yield "}"
        else:
            yield _Placeholder(content, is_group=False)
        position = closing + 1
    yield text[position:].replace("}}", "}")


def _closing(text: str, opening: int) -> int:
    depth = 0
    for position in range(opening, len(text)):
        depth += (text[position] == "{") - (text[position] == "}")
        if depth == 0:
            return position
    raise ExpressionError("a brace is not closed")


def check_text(text: str, known: Container[str], *, is_code: bool = False) -> None:
    """Raise ExpressionError for an open brace, an unreadable expression, or an unknown name."""

    def checked(expression: str) -> str:
        check_names(expression, known)
        return "1"

    (fill_code if is_code else fill_text)(text, checked)


def check_names(expression: str, known: Container[str], *, functions: Container[str] = FUNCTIONS) -> None:
    """Raise ExpressionError if the expression cannot be read or needs an unknown name or function."""
    for kind, names, given in (("name", names_in(expression), known), ("function", calls_in(expression), functions)):
        for name in sorted(names):
            if name not in given:
                raise ExpressionError(f"unknown {kind} {name!r} in {expression!r}")
