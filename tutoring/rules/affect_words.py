"""What a message's words say of how it goes for the learner: little by themselves, more beside the clock and the answers."""

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

import yaml

from agents.routing.classifier import classifier_of

SETTINGS: Final = Path(__file__).parent / "affect.yaml"
EXAMPLES: Final = Path(__file__).parent / "affect_examples.yaml"
HEAD, TAIL = 240, 160
"""Characters of a long message that are read: how it goes is said at one of its ends."""
HEARD: Final = 60
"""Characters of either end that the classifier hears; its time grows with them."""
SETTLED: Final = 0.5
"""Strength from which the listed words need no classifier beside them."""
QUOTED: Final = 80
"""Characters of a message that are quoted at most."""
SURE: Final = 0.5
"""Probability from which the classifier is heard."""
PAST_REACH: Final = 30
OF_ONESELF: Final = "negative_self"
"""Among the lists of words, hard ones about oneself."""
MEASURES: Final = ("frustrated", "confused", "bored")

_STRAIGHT = str.maketrans({"’": "'", "‘": "'", "`": "'", "\x00": " "})
_WORD = re.compile(r"[^\W\d_]{2,}")
_CAPITALS = re.compile(r"\b[A-Z]{2,}\b")
_NEGATED = re.compile(r"\b(?:not|n't|never|no|isn't|wasn't|without|don't|dont|anymore)\b[^,.;!?]{0,20}$")
_PAST = re.compile(r"\b(?:i was|we were|used to|yesterday|at first|earlier)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What the words of one message say; strengths from 0 to 1."""

    frustrated: float = 0.0
    confused: float = 0.0
    bored: float = 0.0
    bright: float = 0.0
    """Understanding, interest or thanks."""
    asks: bool = False
    shouts: bool = False
    says: str = ""
    """The words that say most, as they were typed; empty where none say anything."""
    of_oneself: bool = False
    """They are hard words about oneself, which nobody wants to read again."""


@cache
def settings() -> dict[str, Any]:
    """Return the weights, priors and words of affect.yaml."""
    found: dict[str, Any] = yaml.safe_load(SETTINGS.read_text(encoding="utf-8"))
    return found


@lru_cache(maxsize=2048)
def words_of(text: str, *, with_model: bool = True) -> Words:
    """Return what the words of a message say. `with_model`: by the small classifier too, where no listed word settles it."""
    typed = _ends(text, head=HEAD, tail=TAIL).translate(_STRAIGHT)
    plain = typed.casefold()
    strengths = dict.fromkeys((*MEASURES, "bright"), 0.0)
    says, of_oneself = "", False
    for kind, measure, strength, pattern in _lexicon():
        found = pattern.search(plain)
        if found and strength > strengths[measure] and not _is_denied(plain, found, measure):
            if strength >= max(strengths.values()) and measure != "bright":
                says, of_oneself = _telling(typed, found), kind == OF_ONESELF
            strengths[measure] = strength
    if with_model and len(_WORD.findall(plain)) > 1 and max(strengths.values()) < SETTLED:
        says = _add_meaning(typed, strengths) or says
    return Words(
        frustrated=strengths["frustrated"],
        confused=strengths["confused"],
        bored=strengths["bored"],
        bright=strengths["bright"],
        asks="?" in plain,
        shouts=_shouts(typed),
        says=" ".join(says.split()),
        of_oneself=of_oneself,
    )


def _telling(typed: str, found: re.Match[str]) -> str:
    """Return what to quote: a short message whole, of a long one the words that were found."""
    return typed if len(typed) <= QUOTED else found.group()


def _add_meaning(typed: str, strengths: dict[str, float]) -> str:
    """Raise the strength that the classifier hears; return the words where that is the strongest now."""
    heard = classifier_of(EXAMPLES).classify(_ends(typed, head=HEARD, tail=HEARD))
    if heard.label is None or heard.confidence < SURE or heard.confidence <= strengths[heard.label]:
        return ""
    strengths[heard.label] = heard.confidence
    return typed if heard.confidence >= max(strengths.values()) else ""


@cache
def _lexicon() -> tuple[tuple[str, str, float, re.Pattern[str]], ...]:
    return tuple(
        (name, kind["measure"], float(kind["strength"]), re.compile(pattern))
        for name, kind in settings()["lexicon"].items()
        for pattern in kind["patterns"]
    )


def _is_denied(plain: str, found: re.Match[str], measure: str) -> bool:
    """Tell whether the words are said not to be so, or to have been so: "I'm not bored", "I was confused before"."""
    if measure != "bright" and _PAST.search(plain[max(0, found.start() - PAST_REACH) : found.end()]):
        return True
    return bool(_NEGATED.search(plain[: found.start()]))


def _shouts(typed: str) -> bool:
    return "!!" in typed or len(_CAPITALS.findall(typed)) > 1 or "?!" in typed


def _ends(text: str, *, head: int, tail: int) -> str:
    return text if len(text) <= head + tail else f"{text[:head]} {text[-tail:]}"
