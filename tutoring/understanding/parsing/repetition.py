"""Whether a sentence is the learner's own, or repeats what the team or the course has said."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from tutoring.understanding.parsing.assertions import plain_text

if TYPE_CHECKING:
    from tutoring.courses.catalogue import ConceptContent
    from tutoring.understanding.context import Context

REPEATED: Final = 0.8
"""The share of a sentence's words that stand in one other, from which it repeats that."""
FEWEST_WORDS: Final = 4
"""A shorter sentence is nobody's in particular."""
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_END = re.compile(r"(?<=[.!?:;])\s+|\n+")

type Words = frozenset[str]


def is_repeated(words: str, context: "Context") -> bool:
    """Tell whether a sentence of plain words is one of the team's or of the course's, word for word or nearly."""
    own = frozenset(_WORD.findall(words))
    if len(own) < FEWEST_WORDS:
        return False
    return any(len(own & told) >= REPEATED * len(own) for told in _told(context))


def _told(context: "Context") -> Iterator[Words]:
    said = (context.last_said, *(each.text for each in context.history if each.author == "team"))
    for text in (*said, *(each.text for each in context.prompts)):
        yield from _sentences(text)
    for text in _texts(context.concept) if context.concept else ():
        yield from _sentences(text)


@lru_cache(maxsize=4096)
def _sentences(text: str) -> tuple[Words, ...]:
    found = (frozenset(_WORD.findall(plain_text(part))) for part in _END.split(text))
    return tuple(each for each in found if len(each) >= FEWEST_WORDS)


def _texts(concept: "ConceptContent") -> Iterator[str]:
    """Yield what the course says when it teaches a concept."""
    for piece in (*(each for pieces in concept.pieces.values() for each in pieces), *concept.examples):
        yield from (block for block in piece.blocks if isinstance(block, str))
        yield piece.heard
        yield piece.not_yet
    yield from (each.says for each in concept.answers)
    yield from (each.title for each in concept.milestones)
    yield concept.summary
