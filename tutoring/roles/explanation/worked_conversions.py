"""Conversions worked out line by line: simplifying, mixed numbers, decimals, percentages, equal fractions, shares."""

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from math import gcd
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tutoring.courses.pictures import Picture
from tutoring.grading.conversions import (
    REPEATING,
    Conversion,
    ConversionKind,
    missing_number,
    repeating_parts,
    value_of,
)
from tutoring.roles.explanation.worked_numbers import (
    WorkedCalculation,
    draw_bars,
    draw_wholes,
    result_chain,
    write_fraction,
    write_mixed,
)

DIGITS_SHOWN: Final = 6
"""Digits after the point up to which a repeating decimal is written out."""


def convert(conversion: Conversion) -> WorkedCalculation | None:
    """Return a conversion worked out; None for a comparison."""
    worked = _WORKED.get(conversion.kind)
    if worked is None:
        return None
    if (
        any("?" not in each and value_of(each) is None for each in conversion.numbers)
        or conversion.numbers[-1] == "?/0"
    ):
        return WorkedCalculation(lines=(no_parts(),))
    return worked(conversion)


def no_parts() -> str:
    """Return why no fraction has a 0 at the bottom."""
    return _("A fraction can’t have 0 as its bottom number, because nothing can be cut into 0 parts.")


def read_fraction(number: str) -> tuple[int, int]:
    """Return the top and the bottom of a number as it was written, not reduced: "1 2/4" is 6 and 4."""
    whole, _space, rest = number.rpartition(" ")
    if "/" in rest:
        top, bottom = (int(each) for each in rest.split("/"))
        return int(whole or 0) * bottom + top, bottom
    value = value_of(number)
    assert value is not None
    return value.numerator, value.denominator


def as_fraction_lines(number: str) -> tuple[str, ...]:
    """Return how a mixed number, a decimal or a percentage is written as a fraction; nothing for other numbers."""
    if re.fullmatch(REPEATING, number):
        return (_from_repeating(number),)
    if "%" in number or "." in number:
        return (_from_decimal(number),)
    return (_from_mixed(number),) if " " in number else ()


def _from_mixed(number: str) -> str:
    whole, _space, rest = number.rpartition(" ")
    top, bottom = read_fraction(number)
    own = int(rest.partition("/")[0])
    said = _("%(whole)s is %(wholes)s. Add %(rest)s to get %(made)s, so %(number)s = %(made)s.")
    return said % {
        "whole": whole, "wholes": write_fraction(top - own, bottom), "rest": rest, "made": write_fraction(top, bottom), "number": number,
    }  # fmt: skip


def _from_repeating(number: str) -> str:
    made = result_chain(write_fraction(*repeating_parts(number)), _exact(number))
    said = _("The digits of %(number)s repeat forever. As a fraction, the number is exactly %(made)s.")
    return said % {"number": number, "made": made}


def _from_decimal(number: str) -> str:
    value, digits = _exact(number), len(number.rstrip("%").partition(".")[2])
    bottom = 10**digits * (100 if "%" in number else 1)
    made = result_chain(write_fraction(int(value * bottom), bottom), value)
    if "%" in number:
        steps = [number, f"{number.rstrip('%')}/100", made]
        return _("Percent means out of 100, so %(sum)s.") % {"sum": " = ".join(steps if digits else (number, made))}
    said = ngettext(
        "%(number)s has %(count)d digit after the decimal point, so the bottom number is %(bottom)d: %(number)s "
        "= %(made)s.",
        "%(number)s has %(count)d digits after the decimal point, so the bottom number is %(bottom)d: %(number)s "
        "= %(made)s.",
        digits,
    )
    return said % {"number": number, "count": digits, "bottom": bottom, "made": made}


def _exact(number: str) -> Fraction:
    value = value_of(number)
    assert value is not None
    return value


# --- One function for each kind ---


def _simplest(conversion: Conversion) -> WorkedCalculation:
    (number,) = conversion.numbers
    top, bottom = read_fraction(number)
    shared = gcd(top, bottom)
    if shared == 1 and " " not in number:
        said = _("%(number)s is already in its simplest form. Only 1 goes into both %(top)d and %(bottom)d.")
        return WorkedCalculation(lines=(said % {"number": number, "top": top, "bottom": bottom},))
    lines = list(as_fraction_lines(number))
    if shared > 1:
        lines.append(
            _(
                "%(shared)d goes into both numbers: %(top)d ÷ %(shared)d = %(less)d and %(bottom)d ÷ %(shared)d = %(fewer)d."
            )
            % {"shared": shared, "top": top, "bottom": bottom, "less": top // shared, "fewer": bottom // shared}
        )
    value = Fraction(top, bottom)
    lines.append(_("So %(sum)s.") % {"sum": f"{number} = {result_chain(str(value), value)}"})
    return WorkedCalculation(lines=tuple(lines), picture=_two_bars(top, bottom, value))


def _two_bars(top: int, bottom: int, value: Fraction) -> Picture | None:
    return draw_bars(((top, bottom), (value.numerator, value.denominator)))


def _mixed(conversion: Conversion) -> WorkedCalculation:
    (number,) = conversion.numbers
    top, bottom = read_fraction(number)
    whole, rest = divmod(top, bottom)
    if " " in number:
        return WorkedCalculation(lines=(_("%(number)s is already a mixed number.") % {"number": number},))
    if not whole:
        said = _("%(number)s is less than one whole, so it can’t be written as a mixed number.")
        return WorkedCalculation(lines=(said % {"number": number},))
    divided = ngettext(
        "%(bottom)d goes into %(top)d once, with %(rest)d left over.",
        "%(bottom)d goes into %(top)d %(whole)d times, with %(rest)d left over.",
        whole,
    )
    if not rest:
        divided = _("%(top)d ÷ %(bottom)d = %(whole)d, with nothing left over.")
    made = f"{whole} {rest}/{bottom}" if rest else str(whole)
    lines = (
        divided % {"bottom": bottom, "top": top, "whole": whole, "rest": rest},
        _("So %(sum)s.") % {"sum": " = ".join(dict.fromkeys((number, made, write_mixed(Fraction(top, bottom)))))},
    )
    return WorkedCalculation(lines=lines, picture=draw_wholes(top, bottom))


def _improper(conversion: Conversion) -> WorkedCalculation:
    (number,) = conversion.numbers
    lines = as_fraction_lines(number) if " " in number else ()
    if not lines:
        said = _("%(number)s is not a mixed number, so there is nothing to convert.")
        return WorkedCalculation(lines=(said % {"number": number},))
    return WorkedCalculation(lines=lines, picture=draw_wholes(*read_fraction(number)))


def _fraction(conversion: Conversion) -> WorkedCalculation:
    (number,) = conversion.numbers
    value = _exact(number)
    lines = as_fraction_lines(number)
    if not lines:
        return WorkedCalculation(lines=(_("%(number)s is %(number)s/1 as a fraction.") % {"number": number},))
    return WorkedCalculation(lines=lines, picture=draw_bars([(value.numerator, value.denominator)]))


def _decimal(conversion: Conversion) -> WorkedCalculation:
    (number,) = conversion.numbers
    lines = _hundredths(number) if "%" in number else _divided(number)
    return WorkedCalculation(lines=lines)


def _hundredths(number: str) -> tuple[str, ...]:
    names = {"number": number, "made": write_decimal(_exact(number))}
    return (_("Percent means out of 100, so divide by 100: %(number)s = %(made)s.") % names,)


def _divided(number: str) -> tuple[str, ...]:
    top, bottom = read_fraction(number)
    made = write_decimal(Fraction(top, bottom))
    names = {"number": number, "top": top, "bottom": bottom, "made": made}
    ten = _power_of_ten(Fraction(top, bottom))
    if ten is None:
        said = _(
            "Divide the top number by the bottom number: %(top)d ÷ %(bottom)d = %(made)s, and the digits go on forever."
        )
        return (said % names,)
    if ten in (1, bottom):
        return (_("%(number)s = %(made)s.") % names,)
    wider = write_fraction(int(Fraction(top, bottom) * ten), ten)
    said = _("With the bottom number %(ten)d, %(number)s is %(wider)s. So %(number)s = %(made)s.")
    return (said % (names | {"ten": ten, "wider": wider}),)


def _power_of_ten(value: Fraction) -> int | None:
    """Return the smallest power of ten that a value can have as its bottom number; None if its decimal never ends."""
    return next((ten for ten in (10**places for places in range(14)) if ten % value.denominator == 0), None)


def write_decimal(value: Fraction) -> str:
    """Return a value as a decimal; one that never ends is cut, with "…"."""
    ten = _power_of_ten(value)
    whole, rest = divmod(abs(value.numerator), value.denominator)
    places = len(str(ten)) - 1 if ten is not None else DIGITS_SHOWN
    digits = str(rest * 10**places // value.denominator).rjust(places, "0") if places else ""
    sign = "−" if value < 0 else ""
    return f"{sign}{whole}{'.' if digits else ''}{digits}{'' if ten is not None else '…'}"


def _percent(conversion: Conversion) -> WorkedCalculation:
    (number,) = conversion.numbers
    value = _exact(number) * 100
    names: dict[str, object] = {
        "number": number,
        "decimal": write_decimal(value / 100),
        "made": f"{write_decimal(value)}%",
    }
    if value.denominator == 1:
        said = _("*Percent* means “out of 100.” %(number)s = %(made)d/100, which is %(made)d%%.")
        names["made"] = value.numerator
    elif _power_of_ten(value) is None:
        said = _("As a decimal, %(number)s = %(decimal)s. Multiply by 100 to get the percentage: about %(made)s%%.")
        names["made"] = f"{float(value):.1f}"
    else:
        said = _("Multiply by 100 to get the percentage: %(number)s = %(made)s.")
    return WorkedCalculation(lines=(said % names,))


def _missing(conversion: Conversion) -> WorkedCalculation:
    known, other = conversion.numbers
    lines = as_fraction_lines(known)
    top, bottom = read_fraction(known)
    found, is_top = missing_number(conversion), other.startswith("?")
    given = int(other.strip("?/"))
    if found is None or found.denominator > 1:
        return WorkedCalculation(lines=(*lines, _nothing_fits(_exact(known), given, is_top=is_top)))
    old, new = (bottom, given) if is_top else (top, given)
    rest, made = (top if is_top else bottom), int(found)
    lines += _scaled(old, new, rest, made)
    whole = (made, given) if is_top else (given, made)
    so = _("So %(sum)s.") % {"sum": f"{write_fraction(top, bottom)} = {whole[0]}/{whole[1]}"}
    return WorkedCalculation(lines=(*lines, so), picture=draw_bars(((top, bottom), whole)))


def _nothing_fits(value: Fraction, given: int, *, is_top: bool) -> str:
    said = _("No whole number fits there, because %(own)d doesn’t go into %(given)d.")
    return said % {"own": value.denominator if is_top else value.numerator, "given": given}


def _scaled(old: int, new: int, rest: int, made: int) -> tuple[str, ...]:
    """Return how one part of a fraction becomes another number, and that the same happens to the other part."""
    names = {"old": old, "new": new, "rest": rest, "made": made}
    if new % old == 0:
        said = _(
            "%(old)d × %(by)d = %(new)d, so multiply the other number by %(by)d too: %(rest)d × %(by)d = %(made)d."
        )
        return (said % (names | {"by": new // old}),)
    if old % new == 0:
        said = _("%(old)d ÷ %(by)d = %(new)d, so divide the other number by %(by)d too: %(rest)d ÷ %(by)d = %(made)d.")
        return (said % (names | {"by": old // new}),)
    scale = Fraction(new, old)
    said = _(
        "%(old)d ÷ %(down)d × %(up)d = %(new)d, so do the same to the other number: %(rest)d ÷ %(down)d × %(up)d = %(made)d."
    )
    return (said % (names | {"down": scale.denominator, "up": scale.numerator}),)


def _share(conversion: Conversion) -> WorkedCalculation:
    part, amount = conversion.numbers
    share, of = _exact(part), _exact(amount)
    lines = as_fraction_lines(part)
    top, bottom = read_fraction(part)
    if "%" in part:
        top, bottom = share.numerator, share.denominator
    if of.denominator > 1:
        lines += (*as_fraction_lines(amount), *_times(share, of))
    else:
        lines += _parts_of(top, bottom, int(of))
    so = _("So %(part)s of %(amount)s is %(made)s.")
    answer = so % {"part": part, "amount": amount, "made": write_mixed(share * of)}
    return WorkedCalculation(lines=(*lines, answer), picture=draw_bars([(top, bottom)]) if bottom > 1 else None)


def _parts_of(top: int, bottom: int, of: int) -> tuple[str, ...]:
    names: dict[str, object] = {
        "of": of,
        "bottom": bottom,
        "top": top,
        "one": Fraction(of, bottom),
        "made": write_mixed(Fraction(of * top, bottom)),
    }
    if of % bottom == 0:
        lines = (_("Divide %(of)d by the bottom number to get one part: %(of)d ÷ %(bottom)d = %(one)s.") % names,)
        more = _("Take %(top)d of these parts: %(top)d × %(one)s = %(made)s.")
        return (*lines, more % names) if top != 1 else lines
    said = _("Multiply by the top number: %(of)d × %(top)d = %(product)d.")
    then = _("Divide by the bottom number: %(product)d ÷ %(bottom)d = %(made)s.")
    names["product"] = of * top
    return (said % names, then % names) if top != 1 else (then % names,)


def _times(share: Fraction, of: Fraction) -> tuple[str, ...]:
    top, bottom = share.numerator * of.numerator, share.denominator * of.denominator
    said = _("Multiply the top numbers, and multiply the bottom numbers: %(sum)s = %(made)s.")
    return (said % {"sum": f"{share} × {of}", "made": result_chain(write_fraction(top, bottom), share * of)},)


_WORKED: Final[Mapping[ConversionKind, Callable[[Conversion], WorkedCalculation]]] = {
    "simplest": _simplest,
    "mixed": _mixed,
    "improper": _improper,
    "fraction": _fraction,
    "decimal": _decimal,
    "percent": _percent,
    "missing": _missing,
    "share": _share,
}
