"""What a typed answer can mean: its readings, the likeliest first."""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache

from .nodes import Node, Unparsable
from .parsing import parse
from .spelling import MAX_LENGTH
from .verdicts import Judgement

_RANK = ("unparsable", "wrong", "partial", "sign_error", "equivalent_not_in_form", "correct")
_DECIMAL_COMMA = re.compile(r"[-+]?\d{1,9},\d{1,9}")


@lru_cache(maxsize=2048)
def key_node(value: str) -> Node | None:
    """Return what a key says; None where it cannot be read."""
    try:
        return parse(value)
    except Unparsable:
        return _last_side(value)


def _last_side(value: str) -> Node | None:
    """Return what stands after the last = of a key whose other side cannot be read."""
    _, sign, side = value.rstrip("$ ").rpartition("=")
    try:
        return parse(side) if sign else None
    except Unparsable:
        return None


def _readings(answer: str) -> Iterator[Node]:
    """Yield what an answer can mean, the likeliest first; raise Unparsable where it can mean nothing."""
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
    if "," in text:
        if re.search(r"\d,\d{3}", text):
            yield text, {"thousands": False}
        if _DECIMAL_COMMA.fullmatch(text):
            yield text.replace(",", "."), {}
    if "and" in text:
        yield text, {"mixed_and": False}
    if text.endswith("!"):
        yield text.rstrip("!"), {}


def best_reading(answer: str, judge: Callable[[Node], Judgement]) -> Judgement:
    """Return the best judgement among the readings of an answer; raise Unparsable where no reading makes sense."""
    best: Judgement | None = None
    reason = Unparsable("words")
    for said in _readings(answer):
        try:
            judgement = judge(said)
        except Unparsable as caught:
            reason = caught
            continue
        if best is None or _RANK.index(judgement.verdict) > _RANK.index(best.verdict):
            best = judgement
        if best.verdict == "correct":
            break
    if best is None:
        raise reason
    return best


def squeezed(text: str) -> str:
    """Return a text without blanks, dollars and a full stop at its end: what stays when only the typing differs."""
    return re.sub(r"[\s$]+", "", text[: 4 * MAX_LENGTH]).rstrip(".")
