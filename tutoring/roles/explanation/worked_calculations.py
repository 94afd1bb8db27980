"""Calculations with two fractions, and comparisons, worked out line by line, with a picture if one can be drawn."""

import re
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from django.utils.translation import gettext as _

from tutoring.courses.catalogue import PicturePlan, StripPlan
from tutoring.courses.exercises.picture_plans import draw_plan
from tutoring.courses.pictures import Picture
from tutoring.understanding.parsing.written_numbers import WrittenNumber, parse_number

MOST_PARTS = 24
"""More parts than this cannot be told apart at a glance."""
_NUMBER = r"\d{1,4}(?:\s+\d{1,3}/\d{1,3}|/\d{1,4})?"
_SUM = re.compile(rf"^\s*({_NUMBER})\s*([-+*/×÷·?])\s*({_NUMBER})\s*$")
_BARS = PicturePlan(kind="compare", bars=(StripPlan(parts="b", shaded="a"), StripPlan(parts="d", shaded="c")))


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkedCalculation:
    """A calculation with its lines, one sentence each, and the two numbers as bars."""

    lines: tuple[str, ...]
    picture: Picture | None


def work_out(expression: str) -> WorkedCalculation | None:
    """Return a calculation with two numbers, or a comparison ("1/4 ? 1/8"), worked out; None for other expressions."""
    found = _SUM.match(expression)
    if found is None:
        return None
    one, other = parse_number(found[1]), parse_number(found[3])
    if not one.bottom or not other.bottom:
        return None
    sign = {"×": "*", "·": "*", "÷": "/"}.get(found[2], found[2])
    lines = _lines(one, sign, other)
    return WorkedCalculation(lines=lines, picture=_bars(one, other) if sign in "+-?" else None) if lines else None


def _lines(one: WrittenNumber, sign: str, other: WrittenNumber) -> tuple[str, ...]:
    match sign:
        case "+" | "-":
            return _added(one.value, sign, other.value)
        case "?":
            return _compared(one.value, other.value)
        case "*" | "/" if one.bottom == other.bottom == 1:
            return ()  # Whole numbers go to the calculator.
        case "*":
            top, bottom = _top(one) * _top(other), one.bottom * other.bottom
            line = _("Multiply the top numbers, and multiply the bottom numbers: %(sum)s = %(made)s.")
            made = _written(top, bottom)
            return (line % {"sum": f"{one.value} × {other.value}", "made": _chain(made, one.value * other.value)},)
        case _ if other.value:
            turned = 1 / other.value
            line = _("Dividing by %(number)s is the same as multiplying by %(turned)s: %(sum)s = %(made)s.")
            names = {
                "number": other.value,
                "turned": turned,
                "sum": f"{one.value} × {turned}",
                "made": one.value / other.value,
            }
            return (line % names,)
    return ()


def _added(one: Fraction, sign: str, other: Fraction) -> tuple[str, ...]:
    bottom = lcm(one.denominator, other.denominator)
    tops = [each.numerator * (bottom // each.denominator) for each in (one, other)]
    made = tops[0] + tops[1] if sign == "+" else tops[0] - tops[1]
    value = one + other if sign == "+" else one - other
    shown = "+" if sign == "+" else "−"
    lines = []
    if one.denominator != other.denominator:
        same = _("Give both the same bottom number: %(bottom)d. %(one)s = %(first)s and %(other)s = %(second)s.")
        names = {"one": one, "first": _written(tops[0], bottom), "other": other, "second": _written(tops[1], bottom)}
        lines.append(same % ({"bottom": bottom} | names))
    joined = (
        f"{_written(tops[0], bottom)} {shown} {_written(tops[1], bottom)} = {_chain(_written(made, bottom), value)}"
    )
    lines.append(_("So %(sum)s.") % {"sum": joined})
    return tuple(lines)


def _compared(one: Fraction, other: Fraction) -> tuple[str, ...]:
    bottom = lcm(one.denominator, other.denominator)
    names = {
        "one": one, "first": _written(one.numerator * (bottom // one.denominator), bottom),
        "other": other, "second": _written(other.numerator * (bottom // other.denominator), bottom),
    }  # fmt: skip
    if one == other:
        said = _("%(one)s and %(other)s are the same amount.")
    elif one > other:
        said = _("%(one)s is bigger than %(other)s.")
    else:
        said = _("%(one)s is smaller than %(other)s.")
    why = _("With the same bottom number, they are %(first)s and %(second)s.")
    return (said % names, why % names) if bottom > 1 and one != other else (said % names,)


def _top(number: WrittenNumber) -> int:
    return number.whole * number.bottom + number.top


def _written(top: int, bottom: int) -> str:
    return str(top) if bottom == 1 else f"{top}/{bottom}"


def _chain(made: str, value: Fraction) -> str:
    """Return a result in lowest terms, and as a mixed number if it is greater than a whole."""
    steps = [made, str(value)]
    whole, rest = divmod(value.numerator, value.denominator)
    if whole and rest and value > 0:
        steps.append(f"{whole} {Fraction(rest, value.denominator)}")
    return " = ".join(dict.fromkeys(steps))


def _bars(one: WrittenNumber, other: WrittenNumber) -> Picture | None:
    for each in (one, other):
        if each.whole or not 0 < each.top <= each.bottom <= MOST_PARTS or each.bottom == 1:
            return None
    return comparison_bars(one, other)


def comparison_bars(one: WrittenNumber, other: WrittenNumber) -> Picture | None:
    """Return two fractions up to 1 as bars, one above the other."""
    return draw_plan(_BARS, {"a": one.top, "b": one.bottom, "c": other.top, "d": other.bottom})
