"""Values that the numbers of a text combine to: "5 of the 6", "one minus one sixth", a top and a bottom number."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import permutations
from typing import Final

from tutoring.grading.language.vocabulary import NUMBER_WORDS
from tutoring.grading.parsing.number_finder import located_number_spans, numbers_in

# No reply needs as many; bounds the work. Chosen by hand.
MOST_NUMBERS: Final = 40
"""Numbers of a text that are combined."""
# Each more multiplies the combinations; lessons have sums of two or three numbers. Chosen by hand.
LONGEST: Final = 4
"""Numbers that are combined at once."""
# "one whole, and from that you take away 1/6": about that long. Chosen by hand.
NEAR: Final = 40
"""Characters between two numbers joined by an operation."""
# "the number on top is 5". Farther away, "top" belongs to another number. Chosen by hand.
NAMED_NEAR: Final = 25
"""Characters between "top" or "bottom" and its number."""

# Loose on purpose: "of" is a ratio and a product, "and" a sum; a wrong reading only costs another wording.
_OPERATIONS: Final = (
    ("/", re.compile(r"/|:|÷|\b(?:over|out of|of|in|to|per|divided|divide|by|shared?|above|upon|through|for every)\b")),
    ("+", re.compile(r"\+|\b(?:plus|and|add|added|adding|more|together|another)\b")),
    (
        "-",
        re.compile(
            r"-|\b(?:minus|less|without|take|taken|subtract|subtracted|from|fewer|remove|short|away|missing|left|but|except|excluding)\b"
        ),
    ),
    ("*", re.compile(r"[*×·]|\b(?:times|multiply|multiplied|by|lots of|of|x)\b")),
)
# "all but 1 of the 6", "everything except 2" (2026-11-23: passed until then).
_ALL_BUT = re.compile(
    r"\b(?:all|every\w*|the rest)\b[^.?!\d]{0,20}\b(?:but|except|excluding|without)\b[^.?!\d]{0,10}$", re.IGNORECASE
)
_WORD = re.compile(r"\d{1,30}|[a-z]+")
# "one minus a sixth", "the whole": 1 as an operand; not "one of them".
_ONE = re.compile(r"\bone\b(?![\s-]+(?:and|of|at)\b)|\bwhole\b(?!\s+number)", re.IGNORECASE)
_TIMES_AFTER = re.compile(r"\s*(?:times|lots)\b")
# "on top", "the numerator", "above": with a number near them they give half of a fraction away.
_TOP = re.compile(r"\b(?:top|numerator|upper|above|over)\b")
_BOTTOM = re.compile(r"\b(?:bottom|denominator|lower|below|under|underneath|beneath)\b")


@dataclass(frozen=True, slots=True)
class NumberCombination:
    """An operation with its operands and its value."""

    operation: str
    operands: frozenset[Fraction]
    value: Fraction


@lru_cache(maxsize=256)
def find_combinations(text: str, *, in_parts: bool = False) -> frozenset[NumberCombination]:
    """Return the combinations of up to four numbers of a `plain` text that words or signs join.

    `in_parts`: a fraction also counts as its two numbers, since "11 - 4 over 11" is a fraction of a difference.
    """
    found: set[NumberCombination] = set()
    for said in (_numbers(text), *([_whole_numbers(text)] if in_parts else ())):
        for start in range(len(said)):
            joined: set[NumberCombination] = set()
            _extend(text, said[start:], joined)
            found |= joined
            if _ALL_BUT.search(text[: said[start][0]]):
                found |= {left for each in joined for left in _left_of(each)}
    return frozenset(found)


def _left_of(taken: NumberCombination) -> Iterator[NumberCombination]:
    """Yield the complements of "all but this": of the whole, and of a number of things."""
    operation = "".join(sorted({*taken.operation, "-"}))
    yield NumberCombination(operation, taken.operands, 1 - taken.value)
    yield NumberCombination(operation, taken.operands, max(taken.operands) - min(taken.operands))


def fraction_pairs(text: str) -> frozenset[Fraction]:
    """Return the fractions that any two whole numbers of a text make."""
    whole = {value for _start, _end, value in _numbers(text) if value.denominator == 1 and value}
    return frozenset(Fraction(one, other) for one, other in permutations(whole, 2))


def fraction_places(text: str) -> frozenset[tuple[str, Fraction]]:
    """Return the numbers that a text puts on top or at the bottom of a fraction."""
    found = set()
    numbers = _numbers(text)
    for place, pattern in (("top", _TOP), ("bottom", _BOTTOM)):
        for named in pattern.finditer(text.casefold()):
            near = [each for each in numbers if _distance(each, named) <= NAMED_NEAR]
            found |= {(place, value) for _start, _end, value in near}
    return frozenset(found)


def _distance(number: tuple[int, int, Fraction], named: re.Match[str]) -> int:
    return max(number[0] - named.end(), named.start() - number[1], 0)


def _numbers(text: str) -> list[tuple[int, int, Fraction]]:
    """Return the spans and values of a text's numbers; "a whole" counts as one."""
    found = [
        (start, start + len(span), values[0])
        for start, span in located_number_spans(text)
        if (values := numbers_in(span))
    ]
    taken = [(start, end) for start, end, _value in found]
    ones = [match.span() for match in _ONE.finditer(text)]
    found += [(*one, Fraction(1)) for one in ones if not any(start <= one[0] < end for start, end in taken)]
    return sorted(found)[:MOST_NUMBERS]


def _whole_numbers(text: str) -> list[tuple[int, int, Fraction]]:
    """Return the whole numbers in a text, those within fractions included."""
    words = (match for match in _WORD.finditer(text.casefold()) if match[0].isdecimal() or match[0] in NUMBER_WORDS)
    return [
        (*word.span(), Fraction(NUMBER_WORDS[word[0]] if word[0] in NUMBER_WORDS else int(word[0]))) for word in words
    ][:MOST_NUMBERS]


def _extend(text: str, said: list[tuple[int, int, Fraction]], found: set[NumberCombination]) -> None:
    _start, end, first = said[0]
    so_far = {NumberCombination("", frozenset({first}), first)}
    for start, following, number in said[1:LONGEST]:
        between = text[end:start].casefold() + ("*" if _TIMES_AFTER.match(text.casefold(), following) else "")
        joined = {each for one in so_far for each in _joined(one, between, number)} if len(between) <= NEAR else set()
        if not joined:
            return
        found |= joined
        so_far, end = joined, following


def _joined(one: NumberCombination, between: str, number: Fraction) -> Iterator[NumberCombination]:
    operands = one.operands | {number}
    for sign, pattern in _OPERATIONS:
        if not pattern.search(between):
            continue
        operation = "".join(sorted({*one.operation, sign}))
        match sign:
            case "+":
                yield NumberCombination(operation, operands, one.value + number)
            case "*" if number != 1:
                yield NumberCombination(operation, operands, one.value * number)
            case "-":
                yield NumberCombination(operation, operands, one.value - number)
                yield NumberCombination(operation, operands, number - one.value)
            case "/" if number not in (0, 1):
                yield NumberCombination(operation, operands, one.value / number)
