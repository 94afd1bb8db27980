"""Tries the malrules of misconceptions on the numbers of a question without a key."""

import re
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from tutoring.courses.catalogue import Malrule, Misconception
from tutoring.courses.exercises.expressions import ExpressionError, SurfaceFraction, Value, evaluate, to_condition
from tutoring.understanding.parsing.written_numbers import (
    FRACTION,
    NUMBER,
    WrittenNumber,
    numbers_to_digits,
    parse_number,
)

# Malrules use two fractions or two counts; further numbers are mostly of the story.
NUMBERS_READ = 4
CHARACTERS_READ = 400
"""Characters of a question, and of an answer, that are searched."""
_FRACTIONS = re.compile(FRACTION)
_NUMBERS = re.compile(rf"(?<![\d/.]){NUMBER}")
_WHOLES = re.compile(r"(?<![\d/.])\d{1,4}(?![\d/]|\.\d)")
_LAST = re.compile(NUMBER)
# "they are equal" to "Which is bigger?" claims that both are the same.
_SAME = re.compile(r"\b(?:equal|same|neither|both)\b")
# "What is 1/4 + 2/4?", in signs or in words.
_ASKED_SUM = re.compile(rf"({FRACTION})\s*(?:\+|-|plus\b|minus\b|take away\b)\s*({FRACTION})")
# "How much are 1/4 and 2/4 together?"
_ADDS = re.compile(r"\b(?:add|sum|together|altogether)\b")
# "3/4 of the 12".
_ASKED_SHARE = re.compile(rf"({FRACTION}) of (?:the )?(\d+)")
# The longest calculation in signs; 80 pieces bound the pattern.
_CALCULATION = re.compile(r"[-(\d](?:[\d./()^]|\s?[-+*×÷]\s?(?=[-(\d])){2,80}")
# Not a plain sum of two fractions: products, powers, three terms, decimals, negative numbers.
_LONGER = re.compile(rf"(?:\)|{NUMBER})\s?[*×÷^]|(?:[-+]\s?{NUMBER}\s?){{2}}|\d\.\d|^-|[-+*]\s?-")

_ASKED_TWO = re.compile(rf"({FRACTION})[^\d]+?({FRACTION})")
_ASKED_ONE = re.compile(FRACTION)
# "Which is bigger?": a single fraction as the answer claims to be bigger than the other.
_ASKED_SIZE = (
    ("bigger", re.compile(r"\b(?:bigger|more|larger|greater|compare|longer|most|biggest|largest|>)\b")),
    ("smaller", re.compile(r"\b(?:smaller|less|fewer|shorter|smallest)\b")),
)

type Names = Mapping[str, Value]


def find_malrules(question: str, answer: str, known: Iterable[Misconception]) -> dict[str, float]:
    """Return the misconceptions whose malrule gives this answer for the question's numbers, each with its share.

    Several with the same answer share the evidence. Never raises.
    """
    given = _answer_number(answer)
    if given is None:
        return {}
    bound = list(_bindings(_normalize_question(question)))
    found = [
        each.id
        for each in known
        if each.malrule and any(_produces_answer(each.malrule, names, given) for names in bound)
    ]
    return dict.fromkeys(found, 1 / len(found)) if found else {}


def _answer_number(answer: str) -> WrittenNumber | None:
    """Return the last number of an answer, its result."""
    found = _NUMBERS.findall(_normalize_question(answer))
    number = parse_number(found[-1]) if found else None
    return number if number and number.bottom else None


def _bindings(question: str) -> Iterator[Names]:
    """Yield bindings of a malrule's names: a/b, c/d, w for wholes, counts as a of b or a beside the rest, n, total."""
    fractions = [parse_number(text) for text in _FRACTIONS.findall(question)[:NUMBERS_READ]]
    wholes = [int(text) for text in _WHOLES.findall(question)[:NUMBERS_READ]]
    if len(fractions) >= 2:
        x, y = fractions[:2]
        yield {"a": x.top, "b": x.bottom, "c": y.top, "d": y.bottom}
    if fractions:
        x, total = fractions[0], {"total": wholes[0], "n": fractions[0].bottom} if wholes else {}
        yield {"a": x.top, "b": x.bottom} | ({"w": x.whole} if x.whole else {}) | total
        # k, the factor of expanding or reducing, is in no question; exercises use small ones.
        yield from ({"a": x.top, "b": x.bottom, "k": k} for k in (2, 3, 4, 5, 6))
    elif len(wholes) >= 2:
        low, high = sorted(wholes[:2])
        yield {"a": low, "b": high, "n": low, "total": high}
        yield {"a": wholes[0], "b": wholes[0] + wholes[1]}
    elif wholes:
        yield {"n": wholes[0], "total": wholes[0]}


def _produces_answer(rule: Malrule, names: Names, given: WrittenNumber) -> bool:
    try:
        if rule.when and not to_condition(evaluate(rule.when, names)):
            return False
        made = evaluate(rule.answer, names)
    except ExpressionError:
        return False
    if isinstance(made, SurfaceFraction):
        return not given.whole and (made.numerator, made.denominator) == (given.top, given.bottom)
    return isinstance(made, int | Fraction) and made == given.value


def answer_claim(question: str, answer: str) -> str:
    """Return an answer as a claim in digits: "1/4 + 2/4 = 3/8", "1/8 is bigger than 1/4"; else question and answer."""
    asked, given = _normalize_question(question), _normalize_question(answer)
    last = _LAST.findall(given)
    value = last[-1] if last else ""
    if value and (made := _CALCULATION.search(asked)) and _LONGER.search(made.group()):
        return f"{made.group().rstrip('. ')} = {value}"
    if value and (made := _ASKED_SUM.search(asked)):
        return f"{made.group()} = {given if '+' in given else value}"
    if value and _ADDS.search(asked) and (made := _ASKED_TWO.search(asked)):
        return f"{made[1]} + {made[2]} = {value}"
    if value and (made := _ASKED_SHARE.search(asked)):
        return f"{made[1]} of {made[2]} = {value}"
    if made := _ASKED_TWO.search(asked):
        if _SAME.search(given):
            return f"{made[1]} and {made[2]} are the same"
        size = next((size for size, words in _ASKED_SIZE if words.search(asked)), "")
        if size and value in made.groups():
            return f"{value} is {size} than {made[2] if value == made[1] else made[1]}"
    if "/" in value and (made := _ASKED_ONE.search(asked)):
        return f"{made.group()} = {value}"
    return f"{asked} {given}"


def _normalize_question(text: str) -> str:
    """Return the start of a text on one line, in lower case, with numbers in digits."""
    return numbers_to_digits(" ".join(text[: 4 * CHARACTERS_READ].lower().split())[:CHARACTERS_READ])
