"""Detects the conversion or comparison that an open question asks for."""

from fractions import Fraction

from tutoring.grading import ConstructionKey, NumericKey, StepsKey
from tutoring.grading.conversions import Conversion, missing_number, parse_conversion, value_of
from tutoring.grading.keys import AnswerKey
from tutoring.grading.parsing.number_finder import numbers_in


def is_own_conversion(expression: str, *, seen: str, key: AnswerKey) -> bool:
    """Tell whether an expression is a conversion that solves the question: its numbers are there, and it is the answer.

    `seen` is the question with its choices. A question without a value is solved by any that is about its numbers.
    """
    conversion = parse_conversion(expression)
    if conversion is None or conversion.kind == "share":
        return False  # A share is a product, see `own_calculation`.
    values = {value_of(each) for each in conversion.numbers if "?" not in each}
    if None in values or not values <= set(numbers_in(seen)):
        return False
    if not isinstance(key, NumericKey | StepsKey | ConstructionKey):
        return True
    return bool({*values, *_results(conversion)} & set(numbers_in(key.value)))


def _results(conversion: Conversion) -> tuple[Fraction, ...]:
    found = missing_number(conversion) if conversion.kind == "missing" else None
    return (found,) if found is not None else ()
