"""Caches answers within a run: a repeated request gets the stored answer, or waits for the pending one."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace

from agents.errors import LLMTimeout
from agents.limits import ModelLimits
from agents.llm.base import AnswerEnd, AnswerPiece, LLMBackend, ModelRequest
from agents.llm.call_context import NO_CONTEXT
from agents.llm.wrappers.base import BackendWrapper


class CachingBackend(BackendWrapper):
    """Keeps whole answers in the run's memory; nothing outlives the run or reaches another person."""

    def __init__(self, inner: LLMBackend, limits: ModelLimits) -> None:
        super().__init__(inner)
        self.limits = limits

    async def stream(self, asked: ModelRequest) -> AsyncGenerator[AnswerPiece]:
        if asked.call_context is NO_CONTEXT:
            async with aclosing(self.inner.stream(asked)) as pieces:
                async for piece in pieces:
                    yield piece
            return
        answers = asked.call_context.answers
        loop = asyncio.get_running_loop()
        while (known := answers.get(asked)) is not None:
            if isinstance(known, tuple):
                for piece in known:
                    yield piece
                return
            now = loop.time()
            await asyncio.wait([known], timeout=max(0.0, self.limits.end(asked.ends, now) - now))
            if not known.done():
                raise LLMTimeout
        over = answers[asked] = loop.create_future()
        heard: list[AnswerPiece] = []
        try:
            async with aclosing(self.inner.stream(asked)) as pieces:
                async for piece in pieces:
                    heard.append(piece)
                    yield piece
        finally:
            del answers[asked]
            if heard and isinstance(heard[-1], AnswerEnd):
                answers[asked] = (*heard[:-1], without_usage(heard[-1]))
            over.set_result(None)


def without_usage(ended: AnswerEnd) -> AnswerEnd:
    """Return the end of a repeated answer, without usage."""
    return replace(ended, usage=replace(ended.usage, input_tokens=0, output_tokens=0, cost_usd=0.0))
