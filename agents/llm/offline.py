"""The offline backend: it says authored words, without a model."""

import asyncio
import re
from collections.abc import AsyncGenerator, AsyncIterator, Iterator

from agents.errors import LLMUnavailable
from agents.llm.base import Abilities, AnswerEnd, AnswerPiece, LLMBackend, ModelRequest, TextPiece
from agents.llm.token_usage import Usage

WORDS = re.compile(r"(?:\S+\s*|\s+){1,3}")


def split_pieces(text: str) -> Iterator[str]:
    """Yield the text in pieces of up to three words; joined they give the text."""
    for found in WORDS.finditer(text):
        yield found.group()


async def stream_at_pace(text: str, pace_s: float) -> AsyncIterator[TextPiece]:
    """Yield the text in pieces, `pace_s` seconds apart; 0 only yields to the event loop in between."""
    for piece in split_pieces(text):
        yield TextPiece(piece)
        await asyncio.sleep(pace_s)


class OfflineBackend(LLMBackend):
    """Says authored words. Always available."""

    name = "offline"
    calls_outside = False
    is_local = True

    def __init__(self, *, pace_s: float = 0.0) -> None:
        self.pace_s = pace_s
        """Seconds between two pieces of text; 0 sends all at once."""
        self.abilities = Abilities(tools=False, images=False)

    async def stream(self, asked: ModelRequest) -> AsyncGenerator[AnswerPiece]:
        """Say `asked.otherwise`. Raises LLMUnavailable for a result that only a model can give."""
        if asked.schema is not None:
            raise LLMUnavailable
        async for piece in stream_at_pace(asked.otherwise, self.pace_s):
            yield piece
        yield AnswerEnd(usage=Usage(backend=self.name))
