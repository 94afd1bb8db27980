"""Finds the sentence of a topic's lesson that comes nearest to a message which nothing else answers."""

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from agents.errors import EmbeddingModelMissing
from agents.local_models import embeddings
from tutoring.understanding.classifiers.features import meaning_vector

if TYPE_CHECKING:
    from tutoring.courses.catalogue import ConceptContent, CourseContent
    from tutoring.understanding.classifiers.features import Vector

# Chosen on the messages of five people: of 11 without an answer that came so near, 8 were about what the sentence says. Of
# five others it was 2 of 4 (2026-11-29). So it is quoted with a doubt, and not as the answer.
NEAR: Final = 0.79
"""Cosine of a message and a sentence from which the sentence is quoted."""
# Explanations tell stories: "Mia cuts a sandwich in two" came to .79 of another sandwich.
NEAR_STORY: Final = 0.82
"""The same for a sentence of an explanation."""
WORDS: Final = range(5, 40)
"""Words of a sentence that is quoted."""
WORDS_OF_A_MESSAGE: Final = 4
"""Words from which a message says enough to be compared."""
_NUMBER: Final = re.compile(r"\d+")
_SENTENCE_END: Final = re.compile(r"(?<=[.!])\s+")
# What begins so, or asks, needs the sentences around it.
_NEEDS_CONTEXT: Final = re.compile(
    r"(?:so|but|and|or|it|its|they|their|that|this|there|these|those|then|here|both|neither|each|he|she|his|her|also|check|yes|no|in the same way|one of)\b|\W",
    re.IGNORECASE,
)


def find_nearest_sentence(text: str, *, course: "CourseContent", concept: "ConceptContent") -> str:
    """Return the sentence of a topic that is nearest to a message, as Markdown; empty if none is near."""
    general, stories = _sentences(course, concept)
    if len(text.split()) < WORDS_OF_A_MESSAGE or not (general or stories):
        return ""
    try:
        likeness = _embed((*general, *stories)) @ meaning_vector(text)
    except EmbeddingModelMissing:
        return ""
    likeness[len(general) :] -= NEAR_STORY - NEAR
    nearest = int(likeness.argmax())
    return (*general, *stories)[nearest] if likeness[nearest] >= NEAR else ""


# Apart from the wordings of courses, which take seconds to compute again: a topic's sentences take a tenth of one, and
# 0.2 MB. A class learns a few topics at a time.
@lru_cache(maxsize=32)
def _embed(sentences: tuple[str, ...]) -> "Vector":
    return embeddings.embed([each.lower() for each in sentences])


def _sentences(course: "CourseContent", concept: "ConceptContent") -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the sentences of a topic that can stand alone: of its ideas and answers, and of its explanations.

    With several numbers a sentence of an explanation is about its example.
    """
    ideas = [each.correct_idea for each in course.misconceptions.values() if concept.id in each.concepts]
    told = [block for piece in concept.every_piece for block in piece.blocks if isinstance(block, str)]
    general = _alone([*ideas, *(each.says for each in concept.answers)])
    return general, tuple(each for each in _alone(told) if each not in general and len({*_NUMBER.findall(each)}) < 2)


def _alone(texts: list[str]) -> tuple[str, ...]:
    sentences = (each.strip() for text in texts for each in _SENTENCE_END.split(text))
    kept = (
        each
        for each in sentences
        if len(each.split()) in WORDS and each.endswith(".") and "```" not in each
        and not _NEEDS_CONTEXT.match(each)
    )  # fmt: skip
    return tuple(dict.fromkeys(kept))
