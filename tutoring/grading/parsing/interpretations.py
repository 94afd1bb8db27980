"""Interpretations of a typed answer, the likeliest first."""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache

from tutoring.grading.algebra.nodes import Node, Phrase, Sequence, Unparsable
from tutoring.grading.algebra.units import as_quantity
from tutoring.grading.parsing.normalization import MAX_LENGTH, normalize_decimals
from tutoring.grading.parsing.parser import parse
from tutoring.grading.parsing.sentence_claims import find_claim
from tutoring.grading.verdicts import Judgement

_RANK = ("unparsable", "wrong", "partial", "sign_error", "equivalent_not_in_form", "correct")
# "slope of the line = 2": words before one "=", and no list or relation.
_LABEL = re.compile(r"(?!.*\b(?:and|or)\b)[^\d,;=<>≤≥≠]{1,60}")
# "30 g", "9.8 m/s^2": a number, a blank and letters.
_MEASURE = re.compile(r"\s*-?[\d.,/]{1,20}\s+[A-Za-zµ]{1,12}(?:\s?[/^]\s?\w{1,12})?\s*")
# Only answers that failed for these reasons may be sentences with a claim in them.
_UNREAD = frozenset({"words", "unexpected", "two_numbers", "unfinished"})


@lru_cache(maxsize=2048)
def parse_key(value: str) -> Node | None:
    """Return a parsed key, or None. Letters after a number and a blank are a unit: 30 g."""
    try:
        node = parse(value)
        return as_quantity(node) if _MEASURE.fullmatch(value) else node
    except Unparsable:
        return _last_side(value)


def _last_side(value: str) -> Node | None:
    """Return the value of a labelled key: "slope of the line = 2" is 2."""
    label, sign, side = value.rstrip("$ ").partition("=")
    try:
        return parse(side) if sign and _LABEL.fullmatch(label.strip(" $")) else None
    except Unparsable:
        return None


def _interpretations(answer: str) -> Iterator[Node]:
    """Yield the interpretations of an answer, the likeliest first. Raises Unparsable if there is none."""
    first: Node | None = None
    reason: Unparsable | None = None
    try:
        first = parse(answer)
        yield first
    except Unparsable as caught:
        reason = caught
    for text, options in _other_spellings(answer):
        try:
            if (node := parse(text, **options)) != first:
                yield node
        except Unparsable:
            continue
    if first is None and reason is not None:
        raise reason


def _other_spellings(answer: str) -> Iterator[tuple[str, dict[str, bool]]]:
    text = answer.strip()[: MAX_LENGTH + 1]
    if "," in text and re.search(r"\d,\d{3}", text):
        yield text, {"thousands": False}
    if (pointed := normalize_decimals(text)) != text:
        yield pointed, {}
    if "and" in text:
        yield text, {"mixed_and": False}
    if text.endswith("!") and re.search(r"[^\W\d_]", text):
        yield text.rstrip("!"), {}


def best_reading(answer: str, judge: Callable[[Node], Judgement]) -> Judgement:
    """Return the best judgement over the interpretations of an answer. Raises Unparsable if none can be graded."""
    best: Judgement | None = None
    reason = Unparsable("words")
    try:
        for said in _interpretations(answer):
            try:
                judgement = judge(said)
            except Unparsable as caught:
                reason = caught
                continue
            if isinstance(said, Sequence) and any(isinstance(item, Phrase) for item in said.items):
                reason = Unparsable("words")
                if judgement.verdict == "wrong":
                    continue
            if best is None or _RANK.index(judgement.verdict) > _RANK.index(best.verdict):
                best = judgement
            if best.verdict == "correct":
                break
    except Unparsable as caught:
        reason = caught
    return best if best is not None else _judged_claim(answer, judge, reason)


def _judged_claim(answer: str, judge: Callable[[Node], Judgement], reason: Unparsable) -> Judgement:
    """Return the judgement of a sentence's claim, if the answer cannot be parsed otherwise."""
    claim = find_claim(answer) if reason.reason in _UNREAD else None
    if claim is None:
        raise reason
    try:
        return judge(parse(claim))
    except Unparsable:
        raise reason from None


def without_blanks(text: str) -> str:
    """Return a text without blanks, dollars and a final full stop, to compare texts that differ only in typing."""
    return re.sub(r"(?<!\d)[\s$]+|[\s$]+(?!\d)", "", text[: 4 * MAX_LENGTH]).rstrip(".")
