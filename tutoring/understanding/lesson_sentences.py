"""Finds the sentence of a topic's lesson that comes nearest to a message which nothing else answers."""

import re
from typing import TYPE_CHECKING, Final

from agents.errors import EmbeddingModelMissing
from tutoring.understanding.classifiers.features import meaning_vector
from tutoring.understanding.classifiers.nearest_wordings import embed_wordings

if TYPE_CHECKING:
    from tutoring.courses.catalogue import ConceptContent, CourseContent

# Of 14 unanswered messages of five people that came so near, 11 were about what the sentence says (2026-11-29). It is
# quoted, not claimed to be the answer.
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
        likeness = embed_wordings((*general, *stories)) @ meaning_vector(text)
    except EmbeddingModelMissing:
        return ""
    likeness[len(general) :] -= NEAR_STORY - NEAR
    nearest = int(likeness.argmax())
    return (*general, *stories)[nearest] if likeness[nearest] >= NEAR else ""


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
