"""The mood that a message expresses; earlier answers only change the odds."""

import re
from collections.abc import Sequence
from itertools import takewhile
from typing import Final, cast

from agents.errors import EmbeddingModelMissing
from tutoring.understanding.classifiers import general_heads
from tutoring.understanding.context import PastMessage
from tutoring.understanding.message import MessageText
from tutoring.understanding.message_analysis import Mood

# "this is hard" after three wrong answers is more likely frustration. All three values are chosen by hand; no data.
BY_WRONG_ANSWERS: Final = 1.5
"""Factor on the odds of frustration and confusion for each wrong answer in a row, from the second on."""
# Caps the factor at 1.5² = 2.25, so that words still decide.
MOST_WRONG: Final = 3
"""Wrong answers in a row that count."""
SOON_RIGHT: Final = 0.5
"""Factor on the odds of frustration and confusion after a right answer."""
# "skip", "idk", "3/4", "hint" are typed in every mood, so they say nothing about it.
CALM: Final = re.compile(
    r"^\W*(?:next(?: one)?|brb|skip|ok(?:ay)?|k|yes|no|sure|idk|dunno|(?:i )?don't know|no idea|pass|hint|help|stop|bye"
    r"|[-+\d\s./,%=]*|[a-h])\W*$"
)
# The fallback without the model: only words that name the mood, "im so confused", "i hate this", "i feel lonely".
_SAID: Final[dict[Mood, re.Pattern[str]]] = {
    "bored": re.compile(r"\bbor(?:ed|ing)\b"),
    "confused": re.compile(
        r"\b(?:i'm|i am|so|totally|really) (?:\w+ )?(?:confused|lost)\b|\bdon't (?:get|understand) (?:it|this|that)\b"
    ),
    "frustrated": re.compile(r"\b(?:frustrat\w+|annoy\w+)\b|\bi (?:hate|give up)\b"),
    "sad": re.compile(r"\bi(?:'m| am| feel) (?:so )?(?:sad|lonely|stupid)\b"),
}


def mood_of(message: MessageText) -> tuple[Mood, float]:
    """Return the mood of a message with its probability; "ok" if none reaches the threshold.

    Earlier answers count. Takes 1 ms besides the embedding. Without sentence model or weights only words that name a
    mood count.
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
    """Return the probabilities of moods by exact words."""
    # .9 passes the mood threshold, .025 is the rest shared by the other four: no measurement.
    mood = next((mood for mood, pattern in _SAID.items() if pattern.search(words)), "ok")
    return {each: 0.9 if each == mood else 0.025 for each in ("ok", *_SAID)}


def _in_the_light_of(history: Sequence[PastMessage], found: dict[str, float]) -> dict[str, float]:
    answers = [each.correct for each in reversed(history) if each.author == "learner" and each.correct is not None]
    wrong = min(MOST_WRONG, len(list(takewhile(lambda correct: not correct, answers))))
    factor = SOON_RIGHT if answers and answers[0] else BY_WRONG_ANSWERS ** max(0, wrong - 1)
    odds = {mood: chance * (factor if mood in ("frustrated", "confused") else 1) for mood, chance in found.items()}
    total = sum(odds.values())
    return {mood: chance / total for mood, chance in odds.items()}
