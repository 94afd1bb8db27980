"""Answers of boards of algebra as text.

point "(2, 3)" · line "(0, -1), (1, 1)" (two points), or "y = 2x - 1" · balance "2x + 3 = 11; 2x = 8; x = 4" (each state
of the scale), or only "x = 4" or "4".
"""

import re
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from tutoring.grading.algebra.nodes import Relation, Unparsable, names_of
from tutoring.grading.equation_boards import Axis, BalanceBoard, LineBoard, PointBoard
from tutoring.grading.judges.linear_forms import LinearForm, added, linear_form, scaled
from tutoring.grading.language.vocabulary import NUMBER_WORDS
from tutoring.grading.parsing.normalization import normalize_fractions
from tutoring.grading.parsing.parser import parse

MAX_LENGTH = 1_000
MAX_STATES = 40

_SIGNS = str.maketrans({"−": "-", "–": "-", "﹣": "-", "＝": "="})
_DIGITS = r"\d{1,4}(?:/\d{1,4}|\.\d{1,4})?|\.\d{1,4}"
_WORDS = "|".join(sorted(NUMBER_WORDS, key=len, reverse=True))
_NUMBER = rf"(?:-\s?)?(?:{_DIGITS}|\b(?:{_WORDS})\b)"
_NEGATIVE = re.compile(r"\b(?:negative|minus)\s+", re.IGNORECASE)
_NUMBERS = re.compile(_NUMBER, re.IGNORECASE)
_NAMED = re.compile(rf"\b([xy])\s*(?:=|\bis\b|:)\s*({_NUMBER})", re.IGNORECASE)
_VARIABLES = frozenset("xyXY")
_FUNCTION = re.compile(r"\bf\s*\(\s*x\s*\)\s*=", re.IGNORECASE)

type Point = tuple[Fraction, Fraction]


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line by slope and intercept; a vertical one has no slope, and its `intercept` is on the x axis."""

    slope: Fraction | None
    intercept: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Equation:
    """A state of the scale."""

    left: LinearForm
    right: LinearForm

    @property
    def value(self) -> Fraction | None:
        """The number that x equals, if x stands alone on one side and a number on the other; else None."""
        for alone, other in ((self.left, self.right), (self.right, self.left)):
            if alone == {"x": 1} and other.keys() <= {""}:
                return other.get("", Fraction(0))
        return None

    def holds_at(self, value: Fraction) -> bool:
        """Tell whether the sides are equal if a box weighs this much."""
        rest = added(self.left, self.right, times=Fraction(-1))
        return rest.get("x", Fraction(0)) * value + rest.get("", Fraction(0)) == 0


def parse_point(board: PointBoard, answer: str) -> Point:
    """Return the point. Raises Unparsable "two_points", "one_number", "words", "outside" or "between_marks"."""
    text = _normal(answer)
    named = {name.lower(): _value(number) for name, number in _NAMED.findall(text)}
    found = [named["x"], named["y"]] if named.keys() == {"x", "y"} else _numbers(text)
    if len(found) != 2:
        raise Unparsable("two_points" if len(found) > 2 else "one_number" if found else "words")
    _refuse_off_grid(board.x, found[0])
    _refuse_off_grid(board.y, found[1])
    return found[0], found[1]


def parse_line(_board: LineBoard, answer: str) -> Line:
    """Return the line through two points, or of an equation. Raises Unparsable "words", "unexpected" or "same_point"."""
    text = _normal(answer)
    if "=" in text or "x" in text.lower():
        return _line_of(text)
    numbers = _numbers(text)
    if len(numbers) != 4:
        raise Unparsable("unexpected" if numbers else "words")
    (left, low), (right, high) = numbers[:2], numbers[2:]
    if (left, low) == (right, high):
        raise Unparsable("same_point")
    if left == right:
        return Line(slope=None, intercept=left)
    slope = (high - low) / (right - left)
    return Line(slope=slope, intercept=low - slope * left)


def _line_of(text: str) -> Line:
    """Return the line of an equation; without one, that of a function's term such as 2x - 1."""
    bare = _FUNCTION.sub("y =", text)
    if "=" not in bare:
        bare = f"y = {bare}"
    form = _difference(_parsed_equation(bare))
    if form.keys() - {"", "x", "y"} or not form.keys() & {"x", "y"}:
        raise Unparsable("unexpected")
    y, x, rest = (form.get(name, Fraction(0)) for name in ("y", "x", ""))
    return Line(slope=-x / y, intercept=-rest / y) if y else Line(slope=None, intercept=-rest / x)


def parse_balance(_board: BalanceBoard, answer: str) -> tuple[Equation, ...]:
    """Return the states of the scale, of which the last says what a box weighs.

    Raises Unparsable "not_alone" if it does not, "empty", "words", "unexpected" or "too_long".
    """
    text = _normal(answer)
    states = [each for each in re.split(r"[;\n]", text) if each.strip()]
    if not states:
        raise Unparsable("empty")
    if len(states) > MAX_STATES:
        raise Unparsable("too_long")
    if len(states) == 1 and "=" not in text:
        return (_said_weight(text),)
    try:
        equations = tuple(map(_equation, states))
    except Unparsable:
        if not (said := [number for name, number in _NAMED.findall(text) if name in "xX"]):
            raise
        return (_said_weight(said[-1]),)
    if equations[-1].value is None:
        raise Unparsable("not_alone")
    return equations


def _said_weight(text: str) -> Equation:
    numbers = _numbers(text)
    if len(numbers) != 1:
        raise Unparsable("two_numbers" if numbers else "words")
    return Equation(left={"x": Fraction(1)}, right={"": numbers[0]} if numbers[0] else {})


def _equation(text: str) -> Equation:
    sides = _parsed_equation(text).sides
    left, right = _lower(linear_form(sides[0])), _lower(linear_form(sides[-1]))
    if (left.keys() | right.keys()) - {"", "x"}:
        raise Unparsable("unexpected")
    return Equation(left=left, right=right)


def _parsed_equation(text: str) -> Relation:
    """Return the equation in a text, without the words before it."""
    node = _read(text)
    if not isinstance(node, Relation) or set(node.signs) != {"="} or len(node.sides) != 2:
        raise Unparsable("unexpected")
    return node


def _read(text: str) -> Relation:
    words = text.strip().rstrip(".").split()
    for start in range(min(len(words), 12)):
        try:
            node = parse(" ".join(words[start:]))
        except Unparsable:
            continue
        if isinstance(node, Relation) and names_of(node) <= _VARIABLES:
            return node
    raise Unparsable("unexpected")


def _difference(equation: Relation) -> LinearForm:
    """Return left side minus right side, with variables in lower case."""
    left, right = (_lower(linear_form(side)) for side in (equation.sides[0], equation.sides[-1]))
    return added(left, right, times=Fraction(-1))


def _lower(form: LinearForm) -> LinearForm:
    total: LinearForm = {}
    for name, value in form.items():
        total = added(total, {name.lower(): value})
    return total


def _refuse_off_grid(axis: Axis, number: Fraction) -> None:
    if not axis.start <= number <= axis.end:
        raise Unparsable("outside")
    if number not in axis.numbers():
        raise Unparsable("between_marks")


def _normal(answer: str) -> str:
    if len(answer) > MAX_LENGTH:
        raise Unparsable("too_long")
    if not answer.strip():
        raise Unparsable("empty")
    return _NEGATIVE.sub("-", re.sub(r"\s*/\s*", "/", normalize_fractions(answer.translate(_SIGNS))))


def _numbers(text: str) -> list[Fraction]:
    return [_value(each) for each in _NUMBERS.findall(text)]


def _value(written: str) -> Fraction:
    bare = "".join(written.split()).lower()
    size = NUMBER_WORDS.get(bare.lstrip("-"))
    try:
        number = Fraction(size) if size is not None else Fraction(bare.lstrip("-"))
    except ZeroDivisionError:
        raise Unparsable("division_by_zero") from None
    return -number if bare.startswith("-") else number


def format_point(point: Point) -> str:
    return f"({point[0]}, {point[1]})"


def format_line(board: LineBoard, line: Line) -> str | None:
    """Return two points of the grid on the line, as far apart as they are; None if the board cannot show it."""
    if line.slope is None:
        on = [(line.intercept, y) for y in board.y.numbers() if line.intercept in board.x.numbers()]
    else:
        rows = set(board.y.numbers())
        pairs = ((x, line.slope * x + line.intercept) for x in board.x.numbers())
        on = [(x, y) for x, y in pairs if y in rows]
    return f"{format_point(on[0])}, {format_point(on[-1])}" if len(on) > 1 else None


def format_states(equations: tuple[Equation, ...]) -> str:
    return "; ".join(map(equation_text, equations))


def equation_text(equation: Equation) -> str:
    return f"{_side_text(equation.left)} = {_side_text(equation.right)}"


def _side_text(form: LinearForm) -> str:
    x, rest = form.get("x", Fraction(0)), form.get("", Fraction(0))
    boxes = {Fraction(0): "", Fraction(1): "x", Fraction(-1): "-x"}.get(x, f"{x}x" if x.denominator == 1 else f"({x})x")
    if not boxes:
        return str(rest)
    return boxes if not rest else f"{boxes} {'+' if rest > 0 else '-'} {abs(rest)}"


def line_text(line: Line) -> str:
    """Return the line's equation: y = 2x - 1."""
    if line.slope is None:
        return f"x = {line.intercept}"
    return f"y = {_side_text(_form(line.slope, line.intercept))}"


def _form(x: Fraction, rest: Fraction) -> LinearForm:
    return {"x": x, "": rest}


def solved(board: BalanceBoard) -> tuple[Equation, ...]:
    """Return the states from the board to one box alone: the fewer boxes taken away, then weights, then shared."""
    left, right = ({"x": Fraction(pan.x), "": Fraction(pan.ones)} for pan in (board.left, board.right))
    states = [(left, right)]
    for name in ("x", ""):
        least = min(left[name], right[name])
        left, right = ({**side, name: side[name] - least} for side in (left, right))
        states.append((left, right))
    most = max(left["x"], right["x"])
    if not left[""] or not right[""]:
        states.append(tuple(dict(scaled(side, 1 / most)) for side in (left, right)))  # type: ignore[arg-type]
    made = [Equation(left=added({}, a), right=added({}, b)) for a, b in states]
    return tuple(state for index, state in enumerate(made) if index == 0 or state != made[index - 1])


def grid_points(board: PointBoard) -> tuple[Point, ...]:
    return tuple(product(board.x.numbers(), board.y.numbers()))
