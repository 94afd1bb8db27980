"""Formulas of plots: syntax trees over floats, as JSON data, with the values that `static/js/plot_formulas.js` gives too.

Floats are used in plots only; answers are always exact.
"""

import math
from collections.abc import Callable, Mapping

type Formula = float | str | tuple["Formula", ...]
"""A number, a variable's name, or an operator or function followed by its operands."""

FUNCTIONS = frozenset(
    {"exp", "log", "sqrt", "sin", "cos", "tanh", "sigmoid", "relu", "abs", "min", "max", "floor", "round", "choose"}
)
NOTHING = math.nan
"""The value where a formula has none, such as the root of a negative number. A curve is broken there."""


def formula_value(formula: Formula, names: Mapping[str, float]) -> float:
    """Return the formula's value; NaN or infinite where it has none."""
    match formula:
        case str():
            return names.get(formula, NOTHING)
        case (str() as name, *operands):
            if name == "choose":
                condition, chosen, other = operands
                return formula_value(chosen if formula_value(condition, names) else other, names)
            return _OPERATIONS[name](*(formula_value(each, names) for each in operands))
        case _:
            return float(formula)  # type: ignore[arg-type]  # what is left is a number


def is_constant(formula: Formula) -> bool:
    return isinstance(formula, (int, float))


def _quotient(top: float, bottom: float) -> float:
    if bottom:
        return top / bottom
    return NOTHING if not top or math.isnan(top) else math.copysign(math.inf, top) * math.copysign(1, bottom)


def _remainder(top: float, bottom: float) -> float:
    return top - bottom * _floor(_quotient(top, bottom))


def _power(base: float, exponent: float) -> float:
    try:
        return math.pow(base, exponent)
    except OverflowError:
        return math.inf
    except ValueError:
        return math.inf if base == 0 else NOTHING


def _floor(value: float) -> float:
    return float(math.floor(value)) if math.isfinite(value) else value


def _rounded(value: float, places: float = 0) -> float:
    """Round half away from zero."""
    scale = 10**places
    return math.copysign(_floor(abs(value) * scale + 0.5) / scale, value)


def _exp(value: float) -> float:
    try:
        return math.exp(value)
    except OverflowError:
        return math.inf


def _log(value: float) -> float:
    return math.log(value) if value > 0 else -math.inf if value == 0 else NOTHING


def _within(function: Callable[[float], float]) -> Callable[[float], float]:
    return lambda value: function(value) if math.isfinite(value) else NOTHING


def _least(*values: float) -> float:
    return NOTHING if any(map(math.isnan, values)) else min(values)


def _most(*values: float) -> float:
    return NOTHING if any(map(math.isnan, values)) else max(values)


_OPERATIONS: Mapping[str, Callable[..., float]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": _quotient,
    "%": _remainder,
    "^": _power,
    "neg": lambda a: -a,
    "<": lambda a, b: float(a < b),
    "<=": lambda a, b: float(a <= b),
    ">": lambda a, b: float(a > b),
    ">=": lambda a, b: float(a >= b),
    "==": lambda a, b: float(a == b),
    "!=": lambda a, b: float(a != b),
    "and": lambda a, b: float(bool(a) and bool(b)),
    "or": lambda a, b: float(bool(a) or bool(b)),
    "not": lambda a: float(not a),
    "exp": _exp,
    "log": _log,
    "sqrt": lambda a: math.sqrt(a) if a >= 0 else NOTHING,
    "sin": _within(math.sin),
    "cos": _within(math.cos),
    "tanh": math.tanh,
    "sigmoid": lambda a: 1 / (1 + _exp(-a)),
    "relu": lambda a: _most(0.0, a),
    "abs": abs,
    "min": _least,
    "max": _most,
    "floor": _floor,
    "round": _rounded,
}
