"""Drawing of an exercise's parameters: `int(1,5)`, `pick(bar, circle)`, constants, and derived values."""

import re
from collections.abc import Container, Iterable, Mapping
from functools import lru_cache
from random import Random
from typing import Literal

from tutoring.courses.exercises.expressions import ExpressionError, Value, arguments_of, evaluate, names_in, to_number
from tutoring.courses.exercises.interpolation import check_names

type Params = Iterable[tuple[str, str]]
"""Names with their definitions, in the order of the file."""

_WORD = re.compile(r"[A-Za-z][A-Za-z _-]{0,60}")
MAX_RANGE = 10**9


def draw_params(params: Params, *, random: Random) -> dict[str, Value]:
    """Return a value for each parameter. Raises ExpressionError for one that has none."""
    names: dict[str, Value] = {}
    for name, source in params:
        names[name] = _drawn(source, names, random=random)
    return names


def twin_params(params: Params, *, names: Mapping[str, Value], twin: Mapping[str, str]) -> dict[str, Value]:
    """Return the twin's values: its own, else the drawn ones; derived values are computed again."""
    values: dict[str, Value] = {}
    for name, source in params:
        if name in twin:
            values[name] = _option(twin[name], values)
        else:
            values[name] = names[name] if is_drawn(source) else evaluate(source, values)
    return values


def is_drawn(source: str) -> bool:
    """Tell whether the parameter is random, not a constant or derived."""
    return _read(source)[0] != "value"


@lru_cache(maxsize=4096)
def _read(source: str) -> tuple[Literal["int", "pick", "value"], tuple[str, ...]]:
    """Return the kind of the parameter's definition, and its expressions."""
    if (bounds := arguments_of(source, "int")) is not None:
        return "int", bounds
    if (options := arguments_of(source, "pick")) is not None:
        return "pick", options
    return "value", (source,)


def check_params(params: Params) -> None:
    """Raise ExpressionError if a parameter cannot be read or uses a name that is not defined before it."""
    known: set[str] = set()
    for name, source in params:
        try:
            _check(source, known)
        except ExpressionError as error:
            raise ExpressionError(f"parameter {name}: {error}") from None
        known.add(name)


def _check(source: str, known: Container[str]) -> None:
    way, expressions = _read(source)
    if way == "int" and len(expressions) != 2:
        raise ExpressionError("int takes the lowest and the highest number")
    for expression in expressions:
        if not (way == "pick" and _WORD.fullmatch(expression)):
            check_names(expression, known)


def _drawn(source: str, names: Mapping[str, Value], *, random: Random) -> Value:
    match _read(source):
        case "int", (lowest, highest):
            low, high = to_number(evaluate(lowest, names)), to_number(evaluate(highest, names))
            if low.denominator != 1 or high.denominator != 1 or not low <= high <= low + MAX_RANGE:
                raise ExpressionError(f"no whole number from {low} to {high}")
            return random.randint(low.numerator, high.numerator)
        case "pick", options:
            return _option(random.choice(options), names)
        case _:
            return evaluate(source, names)


def _option(text: str, names: Mapping[str, Value]) -> Value:
    """Return a value that may be a bare word: `circle` is the word unless a parameter has that name."""
    if _WORD.fullmatch(text) and not _is_expression(text, names):
        return text
    return evaluate(text, names)


def _is_expression(text: str, names: Mapping[str, Value]) -> bool:
    try:
        return names_in(text) <= names.keys()
    except ExpressionError:
        return False
