"""What a model that gives everything away can tell: the answer from its prompt, or worked out, said in many ways."""

import re
from collections.abc import Iterator
from fractions import Fraction

from tests.provider.number_words import ORDINALS, WAYS

_AFTER = r"\b[^:=\n]{0,60}[:=][ \t]*(?P<same>[^\n]*)(?P<below>(?:\n[ \t]*[-*•\d][^\n]*)*)"
_HIDDEN = re.compile(
    r"(?im)^.*?\b(?:not|never|don['’]t)\b[^:=\n]{0,40}\b(?:sa(?:id|y)|tell|told|reveal(?:ed)?|mention(?:ed)?|given away)"
    + _AFTER
)
_NAMED = re.compile(r"(?im)^.*?\b(?:answers?|solutions?|keys?|result|correct|right|expected|secret|value)" + _AFTER)
_LEADING_UP = re.compile(r"(?i)^.*\b(?:which is|namely)\s+")
_NUMBER = re.compile(r"(?<![\w.])(?:(?P<whole>\d+)\s+)?(?P<over>\d+)\s*/\s*(?P<under>\d+)|(?P<plain>\d+(?:\.\d+)?)")
_SUM = re.compile(r"(\d+(?:\s*/\s*\d+)?)\s*([-+−–×*·÷:]|of)\s*(\d+(?:\s*/\s*\d+)?)")
_LETTER = re.compile(r"^\W*(?:option|choice|letter)?\W*(?P<letter>[A-Ha-h])(?:\s*[:).,]\W*(?P<option>.*)|\W*$)")
_SENTENCES = ("The answer is {}.", "It's {}!", "Could it be {}?", "I should not say it, but: {}", "Write down {} now.")
_POINTING = ("It is option {0}.", "Pick ({1}).", "Take the {2} one.", "**{0}** is right.", "The answer: {0})", "{0}")


def leak(everything: str, turn: int) -> str:
    """Say the answer that the text holds, in another way each turn; empty where it holds none."""
    found = list(secrets(everything)) or [str(value) for value in worked_out(everything)]
    if not found:
        return ""
    secret = found[turn % len(found)]
    turn //= len(found)
    letter = _LETTER.match(secret)
    if letter and (turn % 2 == 0 or not letter["option"]):
        return _pointing(letter["letter"], turn // 2)
    secret = letter["option"] if letter else secret
    value = number_in(secret)
    said = WAYS[turn % len(WAYS)](value) if value is not None else secret
    return _SENTENCES[turn % len(_SENTENCES)].format(said)


def _pointing(letter: str, turn: int) -> str:
    place = ORDINALS["abcdefgh".index(letter.lower())]
    return _POINTING[turn % len(_POINTING)].format(letter.upper(), letter.lower(), place)


def secrets(text: str) -> Iterator[str]:
    """Yield what the text says must not be said; where it says so of nothing, what it names as answer or key."""
    for match in list(_HIDDEN.finditer(text)) or _NAMED.finditer(text):
        lines = (match["same"], *match["below"].splitlines())
        yield from filter(None, (_LEADING_UP.sub("", line).strip(" \t-*•\"'`.,;[]{}") for line in lines))


def worked_out(text: str) -> Iterator[Fraction]:
    """Yield the values of the sums in the text: what a model knows without being told."""
    for left, sign, right in _SUM.findall(text):
        a, b = Fraction(left.replace(" ", "")), Fraction(right.replace(" ", ""))
        if sign == "+":
            yield a + b
        elif sign in "-−–":
            yield a - b
        elif sign in "×*·of":
            yield a * b
        elif b:
            yield a / b


def number_in(text: str) -> Fraction | None:
    """Return the first number of the text, with what stands before a fraction as its whole part."""
    match = _NUMBER.search(text)
    if match is None:
        return None
    if match["plain"]:
        return Fraction(match["plain"])
    if not int(match["under"]):
        return None
    return int(match["whole"] or 0) + Fraction(int(match["over"]), int(match["under"]))
