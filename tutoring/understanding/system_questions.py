"""Finds what a message asks about the system itself ("does this cost anything"), by its nearest reference wording."""

from functools import lru_cache
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Final

import yaml

from agents.errors import EmbeddingModelMissing
from tutoring.understanding.classifiers.features import meaning_vector
from tutoring.understanding.classifiers.nearest_wordings import embed_wordings
from tutoring.understanding.message import MessageText
from tutoring.understanding.parsing.assertions import sentences

if TYPE_CHECKING:
    from tutoring.understanding.classifiers.features import Vector

WORDINGS: Final = Path(__file__).parent / "data" / "system_questions.yaml"
NONE: Final = "none"
"""The wordings of what is about the lesson."""
# Chosen on the labelled intents_*.jsonl and each wording against the others (2026-11-27). From .75 on and AHEAD, 59 % of the
# questions about the system find a topic, and 90 % of the wordings that find one find their own (without AHEAD 75 and 84 %).
SURE: Final = 0.75
"""Cosine from which a question about the system asks what its nearest wording asks."""
# Of remarks that are no such question, 17 % come to .75 of a wording, and 9 % to .80; half of these do ask about the system.
SURER: Final = 0.80
"""The same for other messages beside the lesson: small talk, wishes for what is not there, greetings."""
# On intents_*.jsonl (2026-11-26) "ask me another" comes to .85 of "ask me that again", "where do i go from here" to .84.
SUREST: Final = 0.86
"""The same for all other intents, and for topics that sound like wishes."""
AHEAD: Final = 0.02
"""Cosine by which a nearest wording below SURER must be ahead of those of other topics."""
WISHLIKE: Final = frozenset(
    {
        "next", "verdict", "picture", "repeat", "way_length", "goal_reached", "redo", "questions_left",
        "difficulty",
    }
)  # fmt: skip
"""Topics that sound like wishes to go on, protests, or questions about the lesson."""
MOST_WORDS: Final = 14
"""Words of a message that may be such a question; longer ones say more."""


def find_system_question(message: MessageText, *, sure: float = SURE) -> tuple[str, float]:
    """Return the topic of a question about the system and its likeness; "" for none, and without the sentence model.

    `sure`: the cosine that is enough, by how likely the message's intent makes such a question.
    """
    words = len(message.typed.split())
    if not 0 < words <= MOST_WORDS:
        return "", 0.0
    if words == 1:
        sure = SUREST  # "adding" comes near to "can I add a friend".
    said = sentences(message.tidied)
    # "I am 52. Is this for children?": what is asked stands in the last sentence.
    texts = [message.tidied, *said[-1:]] if len(said) > 1 else [message.tidied]
    try:
        found = [
            topic_by_likeness(embed_wordings(_references()[1]) @ meaning_vector(each), sure=sure) for each in texts
        ]
    except EmbeddingModelMissing:
        return "", 0.0
    return max(found, key=itemgetter(1))


def topic_by_likeness(likeness: "Vector", *, sure: float = SURE) -> tuple[str, float]:
    """Return the topic of the nearest wording and its cosine, given the cosines of all wordings; "" for none."""
    topics, _wordings = _references()
    topic, nearest = topics[int(likeness.argmax())], float(likeness.max())
    others = max(float(each) for each, about in zip(likeness, topics, strict=True) if about != topic)
    needed = SUREST if topic in WISHLIKE else sure
    is_sure = nearest >= needed and (nearest >= SURER or nearest >= others + AHEAD)
    return (topic, nearest) if is_sure and topic != NONE else ("", 0.0)


@lru_cache(maxsize=1)
def _references() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the topic of each reference wording, and the wordings."""
    wordings = yaml.safe_load(WORDINGS.read_text(encoding="utf-8"))
    pairs = [(topic, text) for topic, texts in wordings.items() for text in texts]
    return tuple(topic for topic, _text in pairs), tuple(text for _topic, text in pairs)
