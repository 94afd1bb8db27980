"""Calculations with fractions, and comparisons, worked out line by line, with a picture if one can be drawn."""

import re
from collections.abc import Sequence
from fractions import Fraction
from math import lcm

from django.utils.text import get_text_list
from django.utils.translation import gettext as _

from tutoring.courses.pictures import Picture
from tutoring.grading.conversions import WRITTEN, parse_conversion, value_of
from tutoring.roles.explanation.worked_conversions import as_fraction_lines, convert, no_parts, read_fraction
from tutoring.roles.explanation.worked_numbers import WorkedCalculation, draw_bars, result_chain, write_fraction
from tutoring.understanding.parsing.written_numbers import WrittenNumber

MOST_TERMS = 4
_TERM = re.compile(rf"\s*({WRITTEN})\s*([-+*/×÷·]|$)")
_SIGNS = {"×": "*", "·": "*", "÷": "/"}


def work_out(expression: str) -> WorkedCalculation | None:
    """Return a sum, product, conversion or comparison of numbers ("1/4 ? 1/8") worked out; None for other expressions."""
    conversion = parse_conversion(expression)
    if conversion is None:
        return _calculated(expression)
    if conversion.kind == "comparison":
        return _compared(*conversion.numbers)
    return convert(conversion)


def comparison_bars(one: WrittenNumber, other: WrittenNumber) -> Picture | None:
    """Return two fractions up to 1 as bars, one above the other."""
    return draw_bars(((each.whole * each.bottom + each.top, each.bottom) for each in (one, other)), labels=False)


def _calculated(expression: str) -> WorkedCalculation | None:
    """Return a sum of up to four numbers, or a product or quotient of two; whole numbers go to the calculator."""
    numbers, signs = _terms(expression)
    if not 2 <= len(numbers) <= MOST_TERMS or not any("/" in each for each in numbers):
        return None
    if None in (values := [value_of(each) for each in numbers]):
        return WorkedCalculation(lines=(no_parts(),))
    terms = [each for each in values if each is not None]
    first = tuple(line for each in numbers for line in as_fraction_lines(each))
    if set(signs) <= {"+", "-"}:
        return WorkedCalculation(lines=(*first, *_added(terms, signs)), picture=_sum_bars(terms, signs))
    if len(numbers) > 2:
        return None
    pair = [read_fraction(each) for each in numbers]
    return WorkedCalculation(lines=(*first, *(_multiplied(*pair) if signs == ["*"] else _divided(*pair))))


def _terms(expression: str) -> tuple[list[str], list[str]]:
    """Return the numbers of an expression and the signs between them; nothing if there is more in it."""
    numbers: list[str] = []
    signs: list[str] = []
    place = 0
    while found := _TERM.match(expression, place):
        numbers.append(re.sub(r"\s?/\s?", "/", found[1]))
        if not found[2]:
            return numbers, signs
        signs.append(_SIGNS.get(found[2], found[2]))
        place = found.end()
    return [], []


def _added(terms: Sequence[Fraction], signs: Sequence[str]) -> tuple[str, ...]:
    bottom = lcm(*(each.denominator for each in terms))
    tops = _tops(terms, bottom)
    made, value = tops[0], terms[0]
    for sign, top, term in zip(signs, tops[1:], terms[1:], strict=True):
        made, value = (made + top, value + term) if sign == "+" else (made - top, value - term)
    lines = []
    if changed := [
        f"{each} = {write_fraction(top, bottom)}"
        for each, top in dict(zip(terms, tops, strict=True)).items()
        if each.denominator != bottom
    ]:
        same = _("Give both fractions the same bottom number: %(bottom)d. %(changed)s.")
        if len(terms) > 2:
            same = _("Give all the fractions the same bottom number: %(bottom)d. %(changed)s.")
        lines.append(same % {"bottom": bottom, "changed": get_text_list(changed, _("and"))})
    shown = ["", *({"-": "− "}.get(each, f"{each} ") for each in signs)]
    total = " ".join(f"{sign}{write_fraction(top, bottom)}" for sign, top in zip(shown, tops, strict=True))
    lines.append(_("So %(sum)s.") % {"sum": f"{total} = {result_chain(write_fraction(made, bottom), value)}"})
    return tuple(lines)


def _tops(terms: Sequence[Fraction], bottom: int) -> list[int]:
    return [each.numerator * (bottom // each.denominator) for each in terms]


def _sum_bars(terms: Sequence[Fraction], signs: Sequence[str]) -> Picture | None:
    """Return the two numbers of a sum and its result as bars that are cut alike."""
    if len(terms) != 2:
        return None
    bottom = lcm(*(each.denominator for each in terms))
    one, other = _tops(terms, bottom)
    return draw_bars((top, bottom) for top in (one, other, one + other if signs == ["+"] else one - other))


def _multiplied(one: tuple[int, int], other: tuple[int, int]) -> tuple[str, ...]:
    top, bottom = one[0] * other[0], one[1] * other[1]
    said = _("Multiply the top numbers, and multiply the bottom numbers: %(sum)s = %(made)s.")
    written = f"{write_fraction(*one)} × {write_fraction(*other)}"
    return (said % {"sum": written, "made": result_chain(write_fraction(top, bottom), Fraction(top, bottom))},)


def _divided(one: tuple[int, int], other: tuple[int, int]) -> tuple[str, ...]:
    if not other[0]:
        return (_("You can’t divide by 0."),)
    turned = other[1], other[0]
    said = _("Dividing by %(number)s is the same as multiplying by %(turned)s.")
    names = {"number": write_fraction(*other), "turned": write_fraction(*turned)}
    return (said % names, *_multiplied(one, turned))


def _compared(one: str, other: str) -> WorkedCalculation:
    values = value_of(one), value_of(other)
    if values[0] is None or values[1] is None:
        return WorkedCalculation(lines=(no_parts(),))
    names = {"one": one, "other": other}
    if values[0] == values[1]:
        said = _("%(one)s and %(other)s are the same amount.")
    elif values[0] > values[1]:
        said = _("%(one)s is bigger than %(other)s.")
    else:
        said = _("%(one)s is smaller than %(other)s.")
    pair = read_fraction(one), read_fraction(other)
    return WorkedCalculation(lines=(said % names, *_reason(pair, names)), picture=draw_bars(pair))


def _reason(pair: tuple[tuple[int, int], tuple[int, int]], names: dict[str, str]) -> tuple[str, ...]:
    """Return both numbers with the same bottom number, if that tells more than the numbers themselves."""
    if endless := [line for each in names.values() if "…" in each or "..." in each for line in as_fraction_lines(each)]:
        return tuple(endless)
    bottom = lcm(pair[0][1], pair[1][1])
    first, second = (write_fraction(top * (bottom // own), bottom) for top, own in pair)
    if bottom == 1 or (first, second) == (names["one"], names["other"]):
        return ()
    said = _("With the same bottom number, they are %(first)s and %(second)s.")
    if first == second:
        said = _("With the same bottom number, both are %(first)s.")
    return (said % {"first": first, "second": second},)
