"""A backend that plays answers to a model's questions, in order; the last one is played again."""

from collections.abc import AsyncGenerator, Callable
from typing import Any

from agents.llm.base import Abilities, AnswerEnd, AnswerPiece, LLMBackend, ModelRequest, TextPiece, ToolRequest
from agents.llm.token_usage import Usage

USAGE = Usage(backend="played", model="m", input_tokens=10, output_tokens=5, cost_usd=0.5)


class PlayedBackend(LLMBackend):
    """Each answer is a list of texts, pieces, errors to raise, and things to wait for; its end is added where missing."""

    name = "played"
    model = "m"
    is_local = True

    def __init__(self, *answers: list[Any]) -> None:
        self.answers = answers or (["Good."],)
        self.asked: list[ModelRequest] = []
        self.abilities = Abilities()

    async def stream(self, asked: ModelRequest) -> AsyncGenerator[AnswerPiece]:
        self.asked.append(asked)
        for cue in self.answers[min(len(self.asked), len(self.answers)) - 1]:
            if isinstance(cue, str):
                yield TextPiece(cue)
            elif isinstance(cue, Exception):
                raise cue
            elif isinstance(cue, TextPiece | ToolRequest | AnswerEnd):
                yield cue
                if isinstance(cue, AnswerEnd):
                    return
            elif cue is None:
                return  # It ends without saying why.
            else:
                await self.waited(cue)
        yield AnswerEnd(usage=USAGE)

    async def waited(self, cue: Callable[[], Any]) -> None:
        await cue()
