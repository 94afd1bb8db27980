"""The backend with no model behind it: it says what was written for the case that none answers."""

import asyncio
import re
from collections.abc import AsyncGenerator, AsyncIterator, Iterator

from agents.errors import LLMUnavailable
from agents.llm.base import Abilities, AnswerEnd, AnswerPiece, LLMBackend, ModelRequest, TextPiece
from agents.llm.token_usage import Usage

WORDS = re.compile(r"(?:\S+\s*|\s+){1,3}")


def split_pieces(text: str) -> Iterator[str]:
    """Yield the text in pieces of up to three words; joined, they are exactly the text."""
    for found in WORDS.finditer(text):
        yield found.group()


async def stream_at_pace(text: str, pace_s: float) -> AsyncIterator[TextPiece]:
    """Yield the text in pieces, `pace_s` seconds apart; 0 only hands the loop back between two."""
    for piece in split_pieces(text):
        yield TextPiece(piece)
        await asyncio.sleep(pace_s)


class OfflineBackend(LLMBackend):
    """Authored words, rules and templates: a first-class backend, and the one that is always there."""

    name = "offline"
    calls_outside = False
    is_local = True

    def __init__(self, *, pace_s: float = 0.0) -> None:
        self.pace_s = pace_s
        """Seconds between two pieces of text; 0 says all at once."""
        self.abilities = Abilities(tools=False, images=False)

    async def stream(self, asked: ModelRequest) -> AsyncGenerator[AnswerPiece]:
        """Say `asked.otherwise`. Raise LLMUnavailable for a result that only a model can give."""
        if asked.schema is not None:
            raise LLMUnavailable
        async for piece in stream_at_pace(asked.otherwise, self.pace_s):
            yield piece
        yield AnswerEnd(usage=Usage(backend=self.name))
