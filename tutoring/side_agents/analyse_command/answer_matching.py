"""Tells whether an answer is right when the key is known but not the kind of answer."""

import re
from collections.abc import Iterator

from tutoring.grading import ExpressionKey, TextKey, grade, numbers_in
from tutoring.grading.language.synonyms import STOP
from tutoring.grading.language.vocabulary import FRACTION_WORDS, NUMBER_WORDS, OPERATOR_WORDS, UNIT_WORDS
from tutoring.grading.semantic_grader import grade_by_meaning

_OF_AMOUNTS = {*UNIT_WORDS, *NUMBER_WORDS, *FRACTION_WORDS, *OPERATOR_WORDS}
_RIGHT = ("correct", "equivalent_not_in_form")
_OPTION = re.compile(r"[A-Ha-h]")
_CHOSEN = re.compile(r"\(?([A-Ha-h])(?:[).:]|$)")
_WORD = re.compile(r"[^\W\d_]{2,}")
_LETTER = re.compile(r"[^\W\d_]")
_REASON = re.compile(r"[,;]\s|\.\s|\bbecause\b|\bsince\b|\bas\b")
_LEAD = re.compile(
    r"^(?:so|then|thus|therefore|it(?:'s| is)|that(?:'s| is)|the answer is|i (?:get|got|think))\b[\s:,]*", re.I
)
_DENIES = re.compile(r"(?:and |but )?(?:not|isn't|never|instead of|rather than)\b", re.IGNORECASE)
_IS = re.compile(r"(?<=[a-zA-Z])\s+is\s+(?=[-+\d.$])")


def is_right(answer: str, *, key: str, question: str = "") -> bool:
    """Tell whether an answer says what the key says: as a whole, or in its result before or after its reasons.

    A key of several words is compared by its words and numbers, any other by its value.
    """
    if _OPTION.fullmatch(key.strip()) and (chosen := _CHOSEN.match(answer.strip())):
        return chosen[1].casefold() == key.strip().casefold()
    if _is_worded(key) and _WORD.search(answer):
        return _matches_key(answer, key=key, question=question)
    if any(grade(ExpressionKey(value=key), said).verdict in _RIGHT for said in _statements(answer)):
        return True
    values = numbers_in(key)
    if not values or (_LETTER.search(key) and not _WORD.search(key)):
        return False  # "4x + 20" is more than its numbers.
    return any(_is_amount(said, values) for said in _statements(answer))


def _is_worded(key: str) -> bool:
    """Tell whether a key is a sentence, not "60 dollars" or "two and a half"."""
    words = [word.casefold() for word in _WORD.findall(key)]
    return len(words) > 1 and any(word not in STOP and word not in _OF_AMOUNTS for word in words)


def _matches_key(answer: str, *, key: str, question: str) -> bool:
    if not set(numbers_in(key)) <= set(numbers_in(answer)):
        return False
    return grade_by_meaning(TextKey(references=(key,), question=question), answer).is_correct


def _statements(answer: str) -> Iterator[str]:
    """Yield the whole answer, then the result in its last line: all of it, before its reasons, after them."""
    lines = [line.strip() for line in answer.splitlines() if line.strip()]
    if not lines:
        return
    yield answer
    parts = [part.strip() for part in _REASON.split(lines[-1]) if part.strip()]
    for said in dict.fromkeys((lines[-1], *parts[:1], *(part for part in parts[-1:] if not _DENIES.match(part)))):
        plain = _LEAD.sub("", said).rstrip(".!")
        yield plain
        yield _IS.sub(" = ", plain)
        if "=" in plain:
            yield plain.rpartition("=")[2].strip()


def _is_amount(said: str, values: tuple[object, ...]) -> bool:
    """Tell whether a statement contains these numbers, in this order, and no others."""
    given = numbers_in(said)
    return given == values or (len(values) == 1 and set(given) == set(values))
