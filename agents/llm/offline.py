"""The backend with no model behind it: it says what the role's plan says, at a pace one can read."""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator

from agents.llm.base import Call, Completed, LLMBackend, Piece, Shown, Text
from agents.outcomes import Usage

WORDS = re.compile(r"(?:\S+\s*|\s+){1,3}")


def in_pieces(text: str) -> Iterator[str]:
    """Yield the text in pieces of up to three words; joined, they are exactly the text."""
    for found in WORDS.finditer(text):
        yield found.group()


class OfflineBackend(LLMBackend):
    """Authored words, rules and templates: a first-class backend, and the one that is always there."""

    name = "offline"
    calls_outside = False

    def __init__(self, *, pace_s: float = 0.0) -> None:
        self.pace_s = pace_s
        """Seconds between two pieces of text; 0 says all at once."""

    async def stream(self, call: Call) -> AsyncIterator[Piece]:
        for part in call.plan.say:
            if isinstance(part, str):
                for piece in in_pieces(part):
                    yield Text(piece)
                    await asyncio.sleep(self.pace_s)
            else:
                yield Shown(part)
        yield Completed(result=call.plan.result, usage=Usage(backend=self.name))
