"""Finds what a message asks about the system itself ("does this cost anything"), by its nearest reference wording."""

from functools import lru_cache
from pathlib import Path
from typing import Final

import yaml

from tutoring.understanding.classifiers.nearest_wordings import find_nearest_wording
from tutoring.understanding.message import MessageText

WORDINGS: Final = Path(__file__).parent / "data" / "system_questions.yaml"
NONE: Final = "none"
"""The wordings of what is about the lesson."""
# On situations.jsonl (development), all 9 topics that are found in asides are right from .75 on (2026-11-26).
SURE: Final = 0.75
"""Cosine from which a message asks what its nearest wording asks."""
# On intents_*.jsonl (2026-11-26) "ask me another" comes to .85 of "ask me that again", "where do i go from here" to .84.
SURER: Final = 0.86
"""The same for topics that sound like wishes, and for messages whose intent is another one."""
WISHLIKE: Final = frozenset(
    {
        "next", "verdict", "picture", "repeat", "way_length", "goal_reached", "redo", "reopen", "same_kind", "wrong_mark",
        "questions_left",
    }
)  # fmt: skip
"""Topics that sound like wishes to go on, protests, or questions about the lesson."""
MOST_WORDS: Final = 14
"""Words of a message that may be such a question; longer ones say more."""


def find_system_question(message: MessageText, *, is_aside: bool = True) -> tuple[str, float]:
    """Return the topic of a question about the system and its likeness; "" for none, and without the sentence model.

    `is_aside`: its intent is one of those that such questions have.
    """
    if not 0 < len(message.typed.split()) <= MOST_WORDS:
        return "", 0.0
    topics, wordings = _references()
    nearest, likeness = find_nearest_wording(message.tidied, wordings)
    topic = topics[nearest]
    is_sure = likeness >= (SURE if is_aside and topic not in WISHLIKE else SURER)
    return (topic, likeness) if is_sure and topic != NONE else ("", 0.0)


@lru_cache(maxsize=1)
def _references() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the topic of each reference wording, and the wordings."""
    wordings = yaml.safe_load(WORDINGS.read_text(encoding="utf-8"))
    pairs = [(topic, text) for topic, texts in wordings.items() for text in texts]
    return tuple(topic for topic, _text in pairs), tuple(text for _topic, text in pairs)
