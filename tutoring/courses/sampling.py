"""Draw an exercise's parameters: `int(1,5)`, `pick(bar, circle)`, constants, and values derived from earlier ones."""

import re
from collections.abc import Container, Iterable, Mapping
from fractions import Fraction
from random import Random

from tutoring.courses.expressions import ExpressionError, Value, arguments_of, evaluate, names_in, number
from tutoring.courses.filling import check_names

type Params = Iterable[tuple[str, str]]
"""Names and what is written beside them, in the order of the file."""

_WORD = re.compile(r"[A-Za-z][A-Za-z _-]{0,60}")
MAX_RANGE = 10**9


def draw_params(params: Params, *, random: Random) -> dict[str, Value]:
    """Return a value for each parameter. Raises ExpressionError for one that has none."""
    names: dict[str, Value] = {}
    for name, source in params:
        names[name] = _drawn(source, names, random=random)
    return names


def twin_params(params: Params, *, names: Mapping[str, Value], twin: Mapping[str, str]) -> dict[str, Value]:
    """Return the twin's values: what it names, else the drawn value, with derived values worked out anew."""
    values: dict[str, Value] = {}
    for name, source in params:
        if name in twin:
            values[name] = _option(twin[name], values)
        else:
            values[name] = names[name] if is_drawn(source) else evaluate(source, values)
    return values


def is_drawn(source: str) -> bool:
    """Whether chance decides the parameter, rather than a constant or the parameters before it."""
    return arguments_of(source, "int") is not None or arguments_of(source, "pick") is not None


def check_params(params: Params) -> None:
    """Raise ExpressionError if a parameter cannot be read or uses a name that does not stand before it."""
    known: set[str] = set()
    for name, source in params:
        try:
            _check(source, known)
        except ExpressionError as error:
            raise ExpressionError(f"parameter {name}: {error}") from None
        known.add(name)


def _check(source: str, known: Container[str]) -> None:
    bounds = arguments_of(source, "int")
    if bounds is not None and len(bounds) != 2:
        raise ExpressionError("int takes the lowest and the highest number")
    options = arguments_of(source, "pick")
    for expression in bounds or options or (source,):
        if not (options is not None and _WORD.fullmatch(expression)):
            check_names(expression, known)


def _drawn(source: str, names: Mapping[str, Value], *, random: Random) -> Value:
    if (bounds := arguments_of(source, "int")) is not None:
        low, high = (number(evaluate(bound, names)) for bound in bounds)
        if low.denominator != 1 or high.denominator != 1 or not low <= high <= low + MAX_RANGE:
            raise ExpressionError(f"no whole number from {low} to {high}")
        return Fraction(random.randint(int(low), int(high)))
    if (options := arguments_of(source, "pick")) is not None:
        return _option(random.choice(options), names)
    return evaluate(source, names)


def _option(text: str, names: Mapping[str, Value]) -> Value:
    """Read a value that may be a bare word: `circle` is the word unless a parameter has that name."""
    if _WORD.fullmatch(text) and not _is_expression(text, names):
        return text
    return evaluate(text, names)


def _is_expression(text: str, names: Mapping[str, Value]) -> bool:
    try:
        return names_in(text) <= names.keys()
    except ExpressionError:
        return False
