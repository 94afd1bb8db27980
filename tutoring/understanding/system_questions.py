"""Finds what a message asks about the system itself ("does this cost anything"), by its nearest reference wording."""

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import yaml

from agents.errors import EmbeddingModelMissing
from agents.local_models import embeddings
from tutoring.understanding.classifiers.features import meaning_vector
from tutoring.understanding.message import MessageText

if TYPE_CHECKING:
    from tutoring.understanding.classifiers.features import Vector

WORDINGS: Final = Path(__file__).parent / "data" / "system_questions.yaml"
NONE: Final = "none"
"""The wordings of what is about the lesson."""
# On situations.jsonl (development), all 9 topics that are found in asides are right from .75 on (2026-11-26).
SURE: Final = 0.75
"""Cosine from which a message asks what its nearest wording asks."""
MOST_WORDS: Final = 14
"""Words of a message that may be such a question; longer ones say more."""


def find_system_question(message: MessageText) -> str:
    """Return the topic of a question about the system; empty for none, and without the sentence model."""
    if not 0 < len(message.typed.split()) <= MOST_WORDS:
        return ""
    try:
        topics, vectors = _references()
        likeness = vectors @ meaning_vector(message.tidied)
    except EmbeddingModelMissing:
        return ""
    nearest = int(likeness.argmax())
    return topics[nearest] if likeness[nearest] >= SURE and topics[nearest] != NONE else ""


@lru_cache(maxsize=1)
def _references() -> "tuple[tuple[str, ...], Vector]":
    """Return the topics of the reference wordings and their embeddings [n, 384]."""
    wordings = yaml.safe_load(WORDINGS.read_text(encoding="utf-8"))
    pairs = [(topic, text) for topic, texts in wordings.items() for text in texts]
    return tuple(topic for topic, _text in pairs), embeddings.embed([text.lower() for _topic, text in pairs])
