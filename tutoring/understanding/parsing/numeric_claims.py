"""Numeric claims of a message, and whether they are true: "1/4 is bigger than 1/8", "1/2 + 1/3 = 2/5"."""

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Final

from tutoring.grading.language.vocabulary import FRACTION_WORDS
from tutoring.grading.parsing.normalization import normalize_answer
from tutoring.grading.parsing.number_finder import located_number_spans, numbers_in
from tutoring.grading.parsing.text_claims import claims_in as equations_in
from tutoring.grading.parsing.text_claims import holds
from tutoring.understanding.message_analysis import ArithmeticClaim
from tutoring.understanding.parsing.written_numbers import numbers_to_digits

# As `assertions.TEXT_LIMIT`: longer texts are pasted. Chosen by hand.
MAX_CHARACTERS: Final = 400
"""Characters of a message that are searched."""
# More than any lesson asks for; bounds the work of the checks that follow.
MAX_CLAIMS: Final = 8
_MORE = r"(?:bigger|larger|greater|more|longer|higher|heavier|fuller|over|above)"
_LESS = r"(?:smaller|less|fewer|shorter|lower|lighter|under|below|littler|tinier)"
_IS = r"(?:is|are|was|be|r|s|'s|=|has|looks|means|must be|would be|will be)"
# "much", "a bit", "always": words between the verb and the comparison that change nothing here.
_VERY = r"(?:\s+(?:much|way|a (?:bit|lot|little)|even|just|still|also|really|actually|always|the))*"
# Exactly what may stand between two numbers: "1/4 [is way bigger than] 1/8". Other words make it no comparison.
_BETWEEN = re.compile(
    rf"^\s*(?P<is>{_IS})?(?P<not>\s*(?:n'?t|not|never))?{_VERY}\s*"
    rf"(?:(?P<more>{_MORE}|>)|(?P<less>{_LESS}|<)|(?P<same>(?:the )?same(?: (?:size|amount|thing|number))?|equal|worth))\s*(?:than|as|to|then|like)?\s*(?:a |an )?$",
    re.IGNORECASE,
)
# Behind one number: "so 1/4 [is bigger]", "the 1/4 [piece is smallest]". With "than" the other side is named.
_AFTER = re.compile(
    rf"^\s*(?:one |piece |slice |part |bit )?(?P<is>{_IS})(?P<not>\s*(?:n'?t|not|never))?{_VERY}\s*"
    rf"(?:(?P<more>{_MORE}|biggest|largest|most|longest)|(?P<less>{_LESS}|smallest|least|shortest))\b(?!\s+than\b)",
    re.IGNORECASE,
)
# "1/2 is 2/4 and 1/3 is 2/6" makes two claims; the "and" of "3 and 1/2" joins one number.
_NEXT_CLAIM = re.compile(
    r"((?:=|\b(?:is|makes?|equals)\b)\s*\d[\d/.]*)\s+and\s+(?=\d)(?!\d+\s*/\s*\d+\b(?!\s*(?:=|is\b|makes?\b|equals\b)))",
    re.IGNORECASE,
)
# "6 : 3 = 2" is a division as much of Europe writes it.
_RATIO = re.compile(r"(\d+)\s*:\s*(\d+)(?=\s*(?:=|is\b))")
# "half is 3 parts", "1/3 is 3 boxes" says how many parts it has, not what it is worth; "1/4 of 12 is 3 pieces" says what it is worth.
_HAS_PARTS = re.compile(
    r"(\d+/\d+ (?:=|is|are) \d+) (?:equal |same |of the )?(?:part|piece|slice|bit|(?!(?:times|plus|minus)\b)[a-z]{2,}s)s?\b",
    re.IGNORECASE,
)
# "6/7 - 6/7 is nothing", "1/4 + 3/4 makes the whole thing", "1/4 and 1/4 is a half". Thirty characters hold the second
# number; chosen by hand.
_WORDED_RESULT = re.compile(
    r"((?:[-+]|\b(?:plus|minus|take away|and)\b)[^.?!;=]{1,30}?(?:=|\b(?:is|are|makes?|gives?|leaves|equals)\b)) (?:just |exactly )?"
    r"(?:(nothing|none)(?: at all| left)*|(?:the |a |one )whole(?: thing| one)?|all of it)(?=\W*$)",
    re.IGNORECASE,
)
_PART = rf"(?:\d+/\d+|(?:(?:an?|one|two|three) )?(?:half|{'|'.join(FRACTION_WORDS)}))"
_TOGETHER = re.compile(
    rf"(?<!is )(?<!= )(?<!makes )(?<!equals )(?<![\d/])\b({_PART})\s+and\s+({_PART})(?=\s*(?:=|(?:is|are|makes?|gives?|equals)\b)\s*(?:\d|{_PART}\b))",
    re.IGNORECASE,
)
# "the midpoint of 1/4 and 1/2 is 3/8"
_MIDDLE = re.compile(
    rf"\b(?:mid-?point|middle|average|mean|half-?way)\s+(?:point\s+)?(?:of|between)\s+({_PART}|\d+)\s+and\s+({_PART}|\d+)(?=\s*(?:=|is\b))",
    re.IGNORECASE,
)
# "half of 12 eggs is 6 eggs", "1/4 of the 20 beads are 5"; not "half of the 20 is red".
_SHARE = re.compile(
    rf"\b({_PART}) (?:of|from) (?:the |these |my |our )?(\d+) [a-z]+ (is|are|=|makes?) (\d+)(?: [a-z]+)?(?=\W*$)",
    re.IGNORECASE,
)
# "bigger than a whole", "a whole is smaller than": a whole is the number 1 beside a comparison, unless a noun follows.
_COMPARED_WHOLE = re.compile(
    r"(?<=\bthan )(?:an?|one|the) whole(?: one)?\b(?!\s+\w)|\b(?:a|one|the) whole(?: one)?(?= is (?:\w+er|less|more) than\b)",
    re.IGNORECASE,
)
# "so 4/4 is just the whole thing"
_IS_WHOLE = re.compile(
    r"(?<![\d/+*-])(\d+/\d+) (?:is|are|makes?|means) (?:just |exactly |really )?(?:(?:the|a|one) whole(?: thing| one)?|all of it)(?=\W*$)",
    re.IGNORECASE,
)
# "9/4 must be 2 and 1/4 then", "7/7 equals exactly one": words that change nothing about what is equal.
_ROUNDABOUT = re.compile(
    r"(?<=[\w)%]) (?:(?:must|has to|would|will|should|can only) be|comes? to|equals?|is)(?: (?:exactly|precisely|really|always|also|actually|then|still))*"
    r" (?=(?:an? )?(?:\d|half|one|zero))",
    re.IGNORECASE,
)
# "three sixths is a half", in digits; not "half is one of two equal parts".
_ONLY_NUMBERS = re.compile(
    r"(?:(?:so|and|but|oh|ok|then)\W+)*(?P<claim>\d[\d/ +-]* (?:is|are|makes?|equals?|=) \d[\d/ +-]*?)(?: wholes?)?[\s.!]*"
)
# "5/8 means 5 times 8"; not "1/2 means 1 of 2 parts".
_MEANS = re.compile(r"(?<=\d) means (?=\d+ (?:times|plus|minus|divided by|take away|[-+*×÷x]) ?\d)", re.IGNORECASE)
# "3/6 is a half too": at the end, such words belong to no number.
_AS_WELL = re.compile(r"(?<=[\w)]) (?:too|as well|also|then|exactly)(?=[\s.!]*$)", re.IGNORECASE)
# "6/5 is between 1 and 2"; "isn't between" is left out, since no chain of signs says it.
_LIES_BETWEEN = re.compile(rf"^\s*{_IS}{_VERY}\s+(?:in )?between\s*$", re.IGNORECASE)
# "3/4, 6/8 and 75/100 are all the same number".
_ARE_SAME = re.compile(
    r"^\s*(?:are|r|is)(?P<not>n'?t|\s+not)?(?: all| both| just| really| actually)*"
    r" (?:(?:exactly )?the same(?: (?:size|amount|thing|number|fraction|value))?|equal|equivalent)(?=\W*$)",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"\d+(?: \d+/\d+|/\d+|\.\d+)?")
_JOINED = re.compile(r"^\s*(?:,|and|, and)\s*$", re.IGNORECASE)
# "7r", "y - 19", "= x": a letter for a number; "5 x 4" multiplies, and "a" and "i" are words.
_LETTER_TERM = re.compile(
    r"\d\s?(?:[b-hj-wyz]|x(?!\s?\d))\b|(?<![\w'’])(?:[b-hj-wyz]|(?<!\d )x)\s?[-+−*/=<>]|[-+−*/=<>]\s?[b-hj-z]\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"\s*[,;\n]\s*|\s+(?:so|and|then|because|bc|cause|cuz)\s+", re.IGNORECASE)
_SIGNS: Final = {"more": ">", "less": "<", "same": "="}
_DENIED: Final = {">": "≤", "<": "≥", "=": "≠"}
# "Which is bigger, 1/4 or 1/8?": then the number alone is an answer that can be checked.
# "62 percent of 25 is 15.5" was read as 62 × 25.
_PERCENT = re.compile(r"(?<=\d) ?per ?cent\b", re.IGNORECASE)
_ASKS_WHICH = re.compile(
    rf"\b(?:which|what|who)\b[^.?!]*?\b(?:(?P<more>{_MORE}|biggest|largest|most|longest)|(?P<less>{_LESS}|smallest|least|shortest))\b",
    re.IGNORECASE,
)


def find_numeric_claims(text: str, *, asked: str = "") -> tuple[ArithmeticClaim, ...]:
    """Return the claims of a message, in order. "1/4 is bigger" is compared with the other number of the question."""
    text = _PERCENT.sub("%", _without_algebra(text[:MAX_CHARACTERS]))
    read = normalize_answer(_COMPARED_WHOLE.sub("1", text))
    found = [*_equations(text), *_comparisons(read), *_groups(read), *_open_comparisons(read, asked)]
    return tuple({each.statement: each for each in found}.values())[:MAX_CLAIMS]


def _without_algebra(text: str) -> str:
    """Return a text without its clauses that have a letter for a number: "y - 19 + 19 = 17 + 19" claims nothing of numbers."""
    if not _LETTER_TERM.search(text):
        return text
    return ", ".join(each for each in _CLAUSE.split(text) if not _LETTER_TERM.search(each))


def is_right_choice(text: str, asked: str) -> bool | None:
    """Tell whether a message picks the right number of "Which is bigger, 1/4 or 1/8?"; None if it was not asked so."""
    question = _ASKS_WHICH.search(asked)
    offered = set(numbers_in(asked[question.start() :])) if question else set()
    said = set(numbers_in(text)) & offered
    if question is None or len(offered) < 2 or len(said) != 1:
        return None
    most = max(offered) if question["more"] else min(offered)
    return said == {most}


def _equations(text: str) -> Iterator[ArithmeticClaim]:
    text = _MEANS.sub(" is ", _ROUNDABOUT.sub(" is ", _AS_WELL.sub("", text)))
    text = _MIDDLE.sub(r"(\1 + \2) / 2", _SHARE.sub(r"\1 of \2 \3 \4", _IS_WHOLE.sub(r"\1 is 1", text)))
    read = _TOGETHER.sub(
        lambda said: numbers_to_digits(f"{said[1]} + {said[2]}".lower()),
        _WORDED_RESULT.sub(lambda said: f"{said[1]} {0 if said[2] else 1}", text),
    )
    read = _NEXT_CLAIM.sub(r"\1; ", _RATIO.sub(r"\1 / \2", read))
    yield from _equations_in(read)
    if only := _ONLY_NUMBERS.fullmatch(numbers_to_digits(read.lower())):
        yield from _equations_in(only["claim"])


def _equations_in(text: str) -> Iterator[ArithmeticClaim]:
    parts = {
        found[1].replace(" is ", " = ").replace(" are ", " = ")
        for found in _HAS_PARTS.finditer(numbers_to_digits(text.lower()))
    }
    for each in equations_in(text):
        statement = numbers_to_digits(each.text.lower())
        if statement not in parts and not _HAS_PARTS.match(statement) and (true := holds(each.node)) is not None:
            shown = statement.replace("( ", "(").replace(" )", ")").replace(" * ", " × ")
            yield ArithmeticClaim(text=each.text, statement=shown, holds=true)


def _comparisons(text: str) -> Iterator[ArithmeticClaim]:
    """Yield comparisons of two numbers: "1/4 isn't smaller than 1/8"."""
    spans = located_number_spans(text)
    for (start, first), (place, second) in pairwise(spans):
        between = _BETWEEN.match(text[start + len(first) : place])
        if between and (between["is"] or re.search(r"[<>]", between[0]) or between["not"]):
            yield from _claim(between, first, second, text[start : place + len(second)])


def _groups(text: str) -> Iterator[ArithmeticClaim]:
    """Yield what is said of several numbers: "6/5 is between 1 and 2", "3/4, 6/8 and 75/100 are all the same"."""
    spans = located_number_spans(text)
    ends = [start + len(span) for start, span in spans]
    values = [numbers[0] if len(numbers := numbers_in(span)) == 1 else None for _start, span in spans]
    gaps = [text[end:start] for end, (start, _span) in zip(ends, spans[1:], strict=False)]
    known = [
        (value, _as_written(span, value))
        for (_start, span), value in zip(spans, values, strict=True)
        if value is not None
    ]
    if len(known) < len(spans) or len(spans) < 2:
        return
    for place, gap in enumerate(gaps[:-1]):
        if _LIES_BETWEEN.match(gap) and _JOINED.match(gaps[place + 1]):
            number, (low, high) = known[place], sorted(known[place + 1 : place + 3])
            yield ArithmeticClaim(
                text=text[spans[place][0] : ends[place + 2]],
                statement=f"{low[1]} < {number[1]} < {high[1]}",
                holds=low[0] < number[0] < high[0],
            )
    after = _ARE_SAME.match(text[ends[-1] :])
    # Of more than two numbers, "not the same" does not say which.
    if after and all(_JOINED.match(gap) for gap in gaps) and not (after["not"] and len(known) > 2):
        yield ArithmeticClaim(
            text=text[spans[0][0] : ends[-1] + after.end()],
            statement=(" ≠ " if after["not"] else " = ").join(written for _value, written in known),
            holds=(len(set(values)) == 1) is not bool(after["not"]),
        )


def _open_comparisons(text: str, asked: str) -> Iterator[ArithmeticClaim]:
    """Yield comparisons that name one number only: "so 1/4 is bigger", if 1/4 and 1/8 were asked about."""
    about = _compared_in(asked)
    if len(about) != 2:  # One and the other.
        return
    for start, span in located_number_spans(text):
        after, value = _AFTER.match(text[start + len(span) :]), next(iter(numbers_in(span)), None)
        if after is not None and value in about:
            other = about[1 - about.index(value)]
            yield from _claim(after, span, str(other), text[start : start + len(span) + after.end()])


def _compared_in(asked: str) -> tuple[Fraction, ...]:
    """Return the numbers a question compares; of more than two only the fractions: questions also count pieces."""
    every = tuple(dict.fromkeys(numbers_in(asked)))
    fractions = tuple(each for each in every if each.denominator > 1)
    return fractions if len(every) > 2 else every


def _claim(found: re.Match[str], first: str, second: str, words: str) -> Iterator[ArithmeticClaim]:
    one, other = numbers_in(first), numbers_in(second)
    if len(one) != 1 or len(other) != 1:
        return
    sign = next(sign for name, sign in _SIGNS.items() if found.groupdict().get(name))
    sign = _DENIED[sign] if found["not"] else sign
    statement = f"{_as_written(first, one[0])} {sign} {_as_written(second, other[0])}"
    yield ArithmeticClaim(text=words, statement=statement, holds=_is_true(one[0], sign, other[0]))


def _as_written(span: str, value: Fraction) -> str:
    """Return a number as it was written, in digits and not reduced: 4/4 is to be said of "4/4", and not 1."""
    digits = numbers_to_digits(span.lower())
    return digits if _DIGITS.fullmatch(digits) else str(value)


def _is_true(one: Fraction, sign: str, other: Fraction) -> bool:
    return {
        ">": one > other,
        "<": one < other,
        "=": one == other,
        "≤": one <= other,
        "≥": one >= other,
        "≠": one != other,
    }[sign]
