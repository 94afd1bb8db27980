"""The button of the team's last reply that a message means: "the first one", "the coordinate one, not the other"."""

import re
from collections.abc import Sequence
from typing import Final

from tutoring.grading.language.synonyms import STOP, stem
from tutoring.understanding.parsing.assertions import plain_text
from tutoring.understanding.parsing.button_labels import button_intent

# Chosen by hand (2026-11-29).
WORDS: Final = 16
"""Words up to which a message may mean a button."""
_PLACES: Final = (
    ("first", "1st", "top", "upper", "former"),
    ("second", "2nd"),
    ("third", "3rd"),
    ("last", "bottom", "lower", "latter"),
)
_PLACE: Final = re.compile(
    r"^\W*(?:(?:i (?:mean|meant|choose|pick|take|think|say)|i'?d (?:say|take|pick)|ok(?:ay)?|it'?s|yes|no|maybe)\W+)*(?:the )?"
    rf"({'|'.join(name for names in _PLACES for name in names)})(?: one| answer| option)?(?=\W*$|\W+(?:because|cos|cuz|since)\b)",
    re.IGNORECASE,
)
_WISHES: Final = re.compile(r"\b(?:one|start|begin|go|rather|straight|take|do|with|skip|not|lesson)\b", re.IGNORECASE)
_CLAUSES: Final = re.compile(r"[,;.!]\s*|\bbut\b|\bbecause\b")
_DENIED: Final = re.compile(r"\b(?:not|no|never|don'?t|instead of|rather than|baby|boring|too easy)\b")
_AROUND: Final = frozenset(
    map(
        stem,
        [
            "start",
            "begin",
            "go",
            "rather",
            "straight",
            "take",
            "want",
            "would",
            "like",
            "let",
            "lesson",
            "topic",
            "one",
            "please",
            "pls",
            "now",
            "away",
            "right",
            "just",
            "choose",
            "pick",
            "mean",
            "directly",
            "again",
            "first",
            "do",
            "ok",
            "yes",
            "no",
            "learn",
            "continue",
            "instead",
            "think",
            "guess",
        ],
    )
)
"""Words of a wish that name nothing."""


def may_mean_button(text: str) -> bool:
    """Tell whether a message is like one that means a button, so that it is worth reading which ones were offered."""
    return len(text.split()) <= WORDS and bool(_PLACE.match(re.split(r"[.!]", text)[0]) or _WISHES.search(text))


def meant_button(text: str, offered: Sequence[str]) -> str:
    """Return the label that a message means, by its place or by words that only it has; empty for none.

    Buttons that stand beside every reply, such as for a hint, have no place of their own.
    """
    if not offered or len(text.split()) > WORDS or all(button_intent(plain_text(each)) for each in offered):
        return ""
    if place := _PLACE.match(text) or _PLACE.match(re.split(r"[.!]", text)[0]):
        if place[1].lower() in _PLACES[-1]:
            return [each for each in offered if not button_intent(plain_text(each))][-1]
        at = next(at for at, names in enumerate(_PLACES) if place[1].lower() in names)
        return offered[at] if at < len(offered) else ""
    if "?" in text:
        return ""
    words = {label: _content(label) for label in offered}
    for clause in reversed(_CLAUSES.split(plain_text(text))):
        said = _content(clause) - _AROUND
        found = [label for label, each in words.items() if said and said <= each]
        if len(found) == 1 and _WISHES.search(clause) and not _DENIED.search(clause):
            return found[0]
    return ""


def _content(text: str) -> set[str]:
    return {stem(each) for each in re.findall(r"[a-z0-9/]+", plain_text(text)) if each not in STOP}
