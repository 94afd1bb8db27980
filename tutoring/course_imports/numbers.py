"""Reads numbers with their tolerance, as question files write them."""

from decimal import Decimal, InvalidOperation

from django.utils.translation import gettext as _

from tutoring.course_imports.questions import QuestionRefused

MAX_DIGITS = 15


def decimal_of(text: str) -> Decimal | None:
    """Return a plain decimal number; None for anything else, and for very large or long ones."""
    try:
        value = Decimal(text.strip().replace("−", "-"))
    except InvalidOperation:
        return None
    return value if value.is_finite() and abs(value.adjusted()) <= MAX_DIGITS else None


def number_text(value: Decimal) -> str:
    """Return a number without exponent and trailing zeros."""
    text = f"{value:f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text) or "0"


def number_with_tolerance(value: str, tolerance: str = "0") -> tuple[str, str]:
    """Return a number and its tolerance, empty for none. Raises QuestionRefused."""
    number, around = decimal_of(value), decimal_of(tolerance or "0")
    if number is None:
        raise QuestionRefused(_("“%(answer)s” is not a number.") % {"answer": value[:80]})
    if around is None or around < 0:
        raise QuestionRefused(_("“%(tolerance)s” is not a tolerance.") % {"tolerance": tolerance[:80]})
    return number_text(number), number_text(around) if around else ""


def number_between(low: str, high: str) -> tuple[str, str]:
    """Return the middle of a range, and the tolerance that covers it. Raises QuestionRefused."""
    first, last = decimal_of(low), decimal_of(high)
    if first is None or last is None or last < first:
        raise QuestionRefused(_("“%(answer)s” is not a range of numbers.") % {"answer": f"{low}..{high}"[:80]})
    return number_with_tolerance(number_text((first + last) / 2), number_text((last - first) / 2))
