"""Detects sentences that repeat what the team or the course said, and are not the learner's own."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from tutoring.understanding.parsing.assertions import plain_text

if TYPE_CHECKING:
    from tutoring.courses.catalogue import ConceptContent
    from tutoring.understanding.context import Context

# "so both parts must be the same size" repeats "Both parts must have the same size". Lower, learners who use the
# lesson's terms would get no milestone. Chosen by hand (2026-11-23).
REPEATED: Final = 0.8
"""Share of a sentence's words in one other sentence from which it repeats that."""
# "the same size" is anybody's. Chosen by hand.
FEWEST_WORDS: Final = 4
"""Shorter sentences repeat nothing."""
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_END = re.compile(r"(?<=[.!?:;])\s+|\n+")

type Words = frozenset[str]


def is_repeated(words: str, context: "Context") -> bool:
    """Tell whether a sentence of plain words repeats one of the team's or of the course's, literally or nearly."""
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
    """Yield the texts with which the course teaches a concept."""
    for piece in (*(each for pieces in concept.pieces.values() for each in pieces), *concept.examples):
        yield from (block for block in piece.blocks if isinstance(block, str))
        yield piece.heard
        yield piece.not_yet
    yield from (each.says for each in concept.answers)
    yield from (each.title for each in concept.milestones)
    yield concept.summary
