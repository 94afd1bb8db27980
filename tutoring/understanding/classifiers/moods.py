"""How it goes for a learner, as far as a message says so; what came before only makes a reading likelier."""

import re
from collections.abc import Sequence
from itertools import takewhile
from typing import Final, cast

from agents.errors import EmbeddingModelMissing
from tutoring.understanding.classifiers import general_heads
from tutoring.understanding.context import PastMessage
from tutoring.understanding.message import MessageText
from tutoring.understanding.message_analysis import Mood

BY_WRONG_ANSWERS: Final = 1.5
"""By how much each wrong answer in a row, from the second on, raises the odds of frustration and confusion."""
MOST_WRONG: Final = 3
"""Wrong answers in a row that count so."""
SOON_RIGHT: Final = 0.5
"""What the odds of frustration and confusion are after a right answer."""
CALM: Final = re.compile(
    r"^\W*(?:next(?: one)?|brb|skip|ok(?:ay)?|k|yes|no|sure|idk|dunno|(?:i )?don't know|no idea|pass|hint|help|stop|bye"
    r"|[-+\d\s./,%=]*|[a-h])\W*$"
)
"""Said when all is well, and when it is not: they tell nothing."""
_SAID: Final[dict[Mood, re.Pattern[str]]] = {
    "bored": re.compile(r"\bbor(?:ed|ing)\b"),
    "confused": re.compile(
        r"\b(?:i'm|i am|so|totally|really) (?:\w+ )?(?:confused|lost)\b|\bdon't (?:get|understand) (?:it|this|that)\b"
    ),
    "frustrated": re.compile(r"\b(?:frustrat\w+|annoy\w+)\b|\bi (?:hate|give up)\b"),
    "sad": re.compile(r"\bi(?:'m| am| feel) (?:so )?(?:sad|lonely|stupid)\b"),
}


def mood_of(message: MessageText) -> tuple[Mood, float]:
    """Return the mood that a message shows and how likely it is; "ok" where none is likely enough.

    The answers said before count. Takes a millisecond beside the message's meaning. Without the
    sentence model or the weights only what is said in so many words counts.
    """
    if CALM.match(message.tidied):
        return "ok", 1.0
    known = general_heads.load_general_heads()
    try:
        found = (
            general_heads.label_chances("mood", general_heads.message_vector(message, "", known.centre), known)
            if known
            else _said(message.tidied)
        )
    except EmbeddingModelMissing:
        found = _said(message.tidied)
    found = _in_the_light_of(message.context.history, found)
    if 1 - found["ok"] < general_heads.thresholds()["mood"]:
        return "ok", found["ok"]
    mood = max(found, key=lambda mood: found[mood] if mood != "ok" else 0.0)
    return cast("Mood", mood), found[mood]


def _said(words: str) -> dict[str, float]:
    """Return the moods as exact words tell them."""
    mood = next((mood for mood, pattern in _SAID.items() if pattern.search(words)), "ok")
    return {each: 0.9 if each == mood else 0.025 for each in ("ok", *_SAID)}


def _in_the_light_of(history: Sequence[PastMessage], found: dict[str, float]) -> dict[str, float]:
    answers = [each.correct for each in reversed(history) if each.author == "learner" and each.correct is not None]
    wrong = min(MOST_WRONG, len(list(takewhile(lambda correct: not correct, answers))))
    factor = SOON_RIGHT if answers and answers[0] else BY_WRONG_ANSWERS ** max(0, wrong - 1)
    odds = {mood: chance * (factor if mood in ("frustrated", "confused") else 1) for mood, chance in found.items()}
    total = sum(odds.values())
    return {mood: chance / total for mood, chance in odds.items()}
