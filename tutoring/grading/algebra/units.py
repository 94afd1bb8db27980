"""Units of measure: their names and conversion factors."""

import re
from fractions import Fraction

from tutoring.grading.algebra.nodes import Name, Node, Number, Operation, Quantity, depth_over, names_of, operation

type Unit = tuple[tuple[tuple[str, int], ...], Fraction]
"""The powers of the base units, sorted by name, and the factor to them."""

# Families that do not convert into each other: pounds are no grams here, since no course asks for that, and a year is
# no whole number of weeks. Inches, feet and miles are metric by definition.
_BASES: dict[str, tuple[tuple[str, str], ...]] = {
    "m": (
        ("1/1000", "mm millimeter millimetre"), ("1/100", "cm centimeter centimetre"), ("1/10", "dm decimeter decimetre"),
        ("1", "m meter metre"), ("1000", "km kilometer kilometre"), ("0.0254", "in inch"), ("0.3048", "ft foot feet"),
        ("0.9144", "yd yard"), ("1609.344", "mi mile"),
    ),
    "g": (("1/1000", "mg milligram"), ("1", "g gram"), ("1000", "kg kilogram"), ("1000000", "tonne")),
    "lb": (("1", "lb lbs pound"), ("1/16", "oz ounce")),
    "s": (("1", "s sec second"), ("60", "min minute"), ("3600", "h hr hour"), ("86400", "day"), ("604800", "week")),
    "year": (("1", "yr year"), ("1/12", "month")),
    "$": (("1", "dollar usd"), ("1/100", "cent")),
    "€": (("1", "euro eur"),),
    "cup": (("1", "cup"), ("2", "pint pt"), ("4", "quart qt"), ("16", "gallon gal")),
    "degree": (("1", "degree deg"),),
}  # fmt: skip
_NAMED: dict[str, Unit] = {
    name: (((base, 1),), Fraction(factor))
    for base, units in _BASES.items()
    for factor, names in units
    for name in names.split()
}
_NAMED |= {
    name: ((("m", 3),), Fraction(factor))
    for factor, names in (
        ("1/1000", "l liter litre"),
        ("1/1000000", "ml milliliter millilitre cc"),
        ("1/100000", "cl dl"),
    )
    for name in names.split()
}
_NAMED |= {"dl": ((("m", 3),), Fraction(1, 10_000))}
_NAMED |= {
    "mph": ((("m", 1), ("s", -1)), Fraction("1609.344") / 3600),
    "kph": ((("m", 1), ("s", -1)), Fraction(1000, 3600)),
}
_POWERS = {"square": 2, "sq": 2, "cubic": 3, "cu": 3, "squared": 2, "cubed": 3}
_PIECE = re.compile(r"[a-z$€]+|\^\s*\{?\s*(-?\d)\s*\}?|/")
# "square kilometers per hour" has four.
MOST_PIECES = 8


def unit_of(text: str) -> Unit | None:
    """Return a unit such as "cm^2", "square centimeters" or "miles per hour" in base units; None for other words."""
    powers: dict[str, int] = {}
    factor, sign, waiting = Fraction(1), 1, 1
    last: tuple[Unit, int] | None = None
    pieces = list(_PIECE.finditer(text.casefold()))[: MOST_PIECES + 1]
    if not pieces or len(pieces) > MOST_PIECES or _PIECE.sub("", text.casefold()).strip():
        return None
    for match in pieces:
        piece = match.group()
        if piece in ("/", "per"):
            sign = -1
        elif piece[0] == "^" or piece in ("squared", "cubed"):
            if last is None:
                return None
            more = (int(match[1]) if match[1] else _POWERS[piece]) - 1
            factor *= _add(powers, last[0], more * last[1])
        elif piece in _POWERS:
            waiting = _POWERS[piece]
        elif (unit := _NAMED.get(piece) or _NAMED.get(re.sub(r"(?:(?<=inch)e)?s$", "", piece))) is not None:
            factor *= _add(powers, unit, sign * waiting)
            last, waiting = (unit, sign), 1
        else:
            return None
    return tuple(sorted((base, power) for base, power in powers.items() if power)), factor


def _add(powers: dict[str, int], unit: Unit, times: int) -> Fraction:
    """Multiply `powers` by a unit to the power `times`, in place; return its factor."""
    for base, power in unit[0]:
        powers[base] = powers.get(base, 0) + power * times
    return unit[1] ** times


def in_base_units(quantity: Quantity, unit: Unit) -> Node:
    """Return a quantity's value in base units."""
    return operation("*", quantity.value, Number(value=unit[1]))


def as_quantity(node: Node) -> Node:
    """Return 30·g and 3·m/s as quantities, if the letters are units; any other node unchanged."""
    parts = _value_and_unit(node)
    if parts is None or not parts[1] or unit_of(parts[1]) is None:
        return node
    return Quantity(value=parts[0], unit=parts[1], depth=depth_over(parts[0]))


def _value_and_unit(node: Node) -> tuple[Node, str] | None:
    match node:
        case Operation(operator="*", operands=(value, *units)) if units and not names_of(value):
            words = [_letters(unit) for unit in units]
            return None if None in words else (value, "".join(word or "" for word in words))
        case Operation(operator="/", operands=(top, bottom)) if (below := _letters(bottom)) is not None:
            above = _value_and_unit(top)
            return None if above is None else (above[0], f"{above[1]}/{below}")
        case _:
            return None


def _letters(node: Node) -> str | None:
    match node:
        case Name(name=name):
            return name
        case Operation(operator="^", operands=(Name(name=name), Number(value=power))):
            return f"{name}^{power}"
        case _:
            return None
