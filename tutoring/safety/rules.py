"""Whether a message says that somebody may be in danger, or asks for what is not safe. Pure; code alone.

Every message passes here before anything else looks at it: what has no telling word in it is let through at once.
"""

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from re import Match, Pattern, compile
from typing import Final, cast

from agents.routing.classifier import OUT_OF_SCOPE, classifier_of
from tutoring.safety.cleaning import cleaned, sentences
from tutoring.safety.harmless import (
    ACCIDENT,
    DENIED,
    DENIED_OF_OTHERS,
    FIGURES,
    HYPERBOLE,
    IN_PLAY,
    INTENDED,
    OF_WAYS,
    REAL_AFTER_ALL,
    STILL,
    TALE,
    UNHARMED,
)
from tutoring.safety.patterns import KINDS, LOOKS_UP, PATTERNS, Kind

EXAMPLES: Final = Path(__file__).parent / "examples.yaml"
BY_PATTERN: Final = 0.9
SURE: Final[dict[Kind, float]] = {"danger_now": 0.6, "harm_to_self": 0.6, "harm_by_others": 0.6, "unsafe_request": 0.75}
"""How likely (0–1) it must be that something is the matter, where no pattern fits, by the kind that is the likeliest."""
FEWEST_WORDS: Final = 3
READ: Final = 200
"""Characters that the classifier reads, the last ones."""
OF_TEACHER: Final = compile(
    r"\b(?:teachers?|coach(?:es)?|tutors?|trainers?|principal|head ?(?:master|mistress|teacher))\b"
)
SOMEBODY: Final = compile(
    rf"{OF_TEACHER.pattern}|\b(?:(?:step ?)?(?:dad|daddy|father|mom|mum|mommy|mummy|mother|brother|sister|son|daughter)s?|parents?|uncle|aunt|cousin|grand\w+|nan"
    r"|baby ?sitter|boyfriend|girlfriend|friends?|neighbou?rs?|kids?|child|children|boys?|girls?|classmates?|class|someone|somebody|stranger|man|woman|guy)\b"
)
"""Who may be spoken of as one who does harm."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Concern:
    """What one looks up at."""

    kind: Kind
    words: str
    """The sentence that showed it, in small letters and with slips put right: for whoever tries the rules, never shown."""
    confidence: float
    """0–1"""
    of_teacher: bool = False
    """It may be somebody who teaches that does harm: those are not told then."""


def concern_in(text: str) -> Concern | None:
    """Return the gravest concern that a message raises; None for nearly all messages. Takes any text."""
    clean = cleaned(text)
    if LOOKS_UP.search(clean) is None:
        return None
    telling = [bare for each in sentences(clean) if LOOKS_UP.search(bare := _without_figures(each))]
    seen = [_by_pattern(each) for each in telling]
    found = min((each for each, _excused in seen if each), key=lambda each: KINDS.index(each.kind), default=None)
    if found is None:
        unclear = [each for each, (_none, excused) in zip(telling, seen, strict=True) if not excused]
        found = _by_example(" ".join(unclear))
    if found is None or OF_TEACHER.search(clean) is None:
        return found
    return replace(found, of_teacher=found.kind == "harm_by_others" or _is_by_teacher(clean))


def as_kind(name: str) -> Kind:
    """Return a kind by its name. Raises ValueError for another word."""
    return KINDS[KINDS.index(cast("Kind", name))]


def _without_figures(sentence: str) -> str:
    """Return the sentence with figures of speech taken out; what stands for them lets no pattern reach across."""
    return STILL.sub("keeps", FIGURES.sub(" · ", sentence))


def _by_pattern(sentence: str) -> tuple[Concern | None, bool]:
    """Return what a pattern finds; and whether one fits that is excused, so that the sentence need not be looked at again."""
    told = TALE.search(sentence) is not None and REAL_AFTER_ALL.search(sentence) is None
    excused = False
    for kind in KINDS:
        found = _fit(kind, sentence)
        if found is None:
            continue
        if (told and kind != "unsafe_request" and not OF_WAYS.search(sentence)) or _is_harmless(kind, sentence, found):
            excused = True
        else:
            return Concern(kind=kind, words=sentence, confidence=BY_PATTERN), False
    return None, excused


def _fit(kind: Kind, sentence: str) -> Match[str] | None:
    return next((found for pattern in _patterns(kind) if (found := pattern.search(sentence))), None)


def _is_by_teacher(clean: str) -> bool:
    """Tell whether who is named last before some harm by others is somebody who teaches: "my coach hurts me. I want to die"."""
    last = ""
    for each in sentences(clean):
        sentence = _without_figures(each)
        if own := _fit("harm_to_self", sentence):  # "My teacher says I am lazy and I want to die" is no harm of theirs.
            sentence = f"{sentence[: own.start()]} · {sentence[own.end() :]}"
        harm = _fit("harm_by_others", sentence)
        if harm is not None and not _is_harmless("harm_by_others", sentence, harm):
            named = SOMEBODY.findall(sentence[: harm.end()])
            if OF_TEACHER.search((named or [last])[-1]):
                return True
        last = (SOMEBODY.findall(sentence) or [last])[-1]
    return False


def _is_harmless(kind: Kind, sentence: str, found: Match[str]) -> bool:
    """Tell whether what a pattern found is denied, in fun, in a game, or an accident."""
    if kind == "unsafe_request":
        return False
    denied = DENIED_OF_OTHERS if kind == "harm_by_others" else DENIED
    if denied.search(sentence[: found.start()]):
        return True
    if kind == "harm_by_others":
        return IN_PLAY.search(sentence) is not None
    if HYPERBOLE.search(sentence):
        return REAL_AFTER_ALL.search(sentence) is None
    return kind == "harm_to_self" and _is_accident(sentence)


def _is_accident(sentence: str) -> bool:
    return ACCIDENT.search(sentence) is not None and INTENDED.search(sentence) is None


def _by_example(sentence: str) -> Concern | None:
    """Return what the sentence is like among the examples; None where that is not sure."""
    read = sentence[-READ:]
    if len(read.split()) < FEWEST_WORDS or any(each.search(read) for each in (TALE, HYPERBOLE, UNHARMED)):
        return None
    likely = classifier_of(EXAMPLES).probabilities(read)
    harmless = likely.pop(OUT_OF_SCOPE)
    kind = cast("Kind", max(likely, key=likely.__getitem__))
    if 1 - harmless < SURE[kind] or (kind == "harm_to_self" and _is_accident(read)):
        return None
    return Concern(kind=kind, words=sentence, confidence=1 - harmless)


@cache
def _patterns(kind: Kind) -> tuple[Pattern[str], ...]:
    return tuple(compile(pattern) for pattern in PATTERNS[kind])
