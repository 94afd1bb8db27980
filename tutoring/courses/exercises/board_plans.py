"""Turns board plans, whose numbers are expressions, into boards."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Literal

from tutoring.courses.catalogue import BoardPlan
from tutoring.courses.exercises.expressions import Value, evaluate, text_of, to_number
from tutoring.courses.exercises.interpolation import fill_text
from tutoring.courses.exercises.picture_plans import listed_numbers
from tutoring.courses.picture_plans import Numbers
from tutoring.grading.boards import (
    Board,
    BoardError,
    BuildBoard,
    CombineBoard,
    CutBoard,
    PlaceBoard,
    ShadeBoard,
    ShareBoard,
)
from tutoring.grading.equation_boards import Axis, BalanceBoard, LineBoard, Pan, PointBoard

_SHAPES: tuple[Literal["bar", "circle", "grid"], ...] = ("bar", "circle", "grid")
_SIGNS: tuple[Literal["+", "-"], ...] = ("+", "-")


def make_board(plan: BoardPlan, names: Mapping[str, Value]) -> Board:
    """Return the board with the numbers filled in. Raises ExpressionError or BoardError, both ValueErrors."""
    read = _PlanReader(plan.fields, names)
    match plan.kind:
        case "shade":
            return _shade_board(read)
        case "cut":
            return CutBoard(shape=read.word("shape", ("bar", "circle")))
        case "place":
            return PlaceBoard(start=read.number("from", "0"), end=read.number("to", "1"), ticks=read.whole("ticks"))
        case "build":
            return BuildBoard(pieces=read.numbers("pieces"), length=read.number("to", "1"))
        case "share":
            return ShareBoard(things=read.whole("things"), people=read.whole("people"), cut=read.whole("cut", "1"))
        case "combine":
            sign = read.word("sign", _SIGNS)
            return CombineBoard(first=read.number("first"), sign=sign, second=read.number("second"))
        case "point":
            return PointBoard(x=_axis(read, "x"), y=_axis(read, "y"))
        case "line":
            return LineBoard(x=_axis(read, "x"), y=_axis(read, "y"))
        case "balance":
            return BalanceBoard(left=_pan(read, "left"), right=_pan(read, "right"))


def _axis(read: "_PlanReader", name: str) -> Axis:
    return Axis(start=read.number(f"{name}.from"), end=read.number(f"{name}.to"), step=read.number(f"{name}.step", "1"))


def _pan(read: "_PlanReader", name: str) -> Pan:
    return Pan(x=read.whole(f"{name}.x", "0"), ones=read.whole(f"{name}.ones", "0"))


def _shade_board(read: "_PlanReader") -> ShadeBoard:
    shape = read.word("shape", _SHAPES)
    shaded = read.indexes("shaded")
    if shape == "grid":
        return ShadeBoard(shape=shape, rows=read.whole("rows"), columns=read.whole("columns"), shaded=shaded)
    return ShadeBoard(shape=shape, parts=read.whole("parts"), shaded=shaded)


class _PlanReader:
    def __init__(self, fields: Mapping[str, Numbers], names: Mapping[str, Value]) -> None:
        self.fields = fields
        self.names = names

    def word[Word: str](self, field: str, words: tuple[Word, ...]) -> Word:
        """Return a field that is one of these words; a parameter of a pick stands in braces."""
        text = fill_text(str(self.fields.get(field, "")), lambda each: text_of(evaluate(each, self.names)))
        for word in words:
            if word == text:
                return word
        raise BoardError(f"{field} is {' or '.join(words)}, not {text!r}")

    def number(self, field: str, default: str | None = None) -> Fraction:
        expression = self.fields.get(field, default)
        if not isinstance(expression, str):
            raise BoardError(f"the board needs {field!r}, as one number")
        return self.value(expression)

    def whole(self, field: str, default: str | None = None) -> int:
        return _whole(self.number(field, default))

    def numbers(self, field: str) -> tuple[Fraction, ...]:
        listed = listed_numbers(self.fields.get(field, ()))
        return tuple(map(self.value, (listed,) if isinstance(listed, str) else listed))

    def indexes(self, field: str) -> tuple[int, ...]:
        """Return a list of indexes; one expression means so many, from the first."""
        found = tuple(map(_whole, self.numbers(field)))
        return found if isinstance(listed_numbers(self.fields.get(field, ())), tuple) else tuple(range(*found))

    def value(self, expression: str) -> Fraction:
        return Fraction(to_number(evaluate(expression, self.names)))


def _whole(number: Fraction) -> int:
    if number.denominator != 1 or abs(number) > 1000:
        raise BoardError(f"expected a whole number up to 1000, found {number}")
    return number.numerator
