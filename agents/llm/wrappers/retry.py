"""Asking again: a few times, after pauses, within the one deadline, and never once something was shown."""

import asyncio
import random
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing

from agents.errors import CircuitOpen, LLMError, LLMRateLimited, LLMTruncated, LLMUnavailable
from agents.limits import ModelLimits
from agents.llm.base import AnswerEnd, AnswerPiece, LLMBackend, ModelRequest
from agents.llm.wrappers.base import BackendWrapper
from agents.llm.wrappers.circuit_breaker import CircuitBreaker

RETRYABLE_ERRORS = (LLMUnavailable, LLMRateLimited, LLMTruncated)
"""What may be over at the next attempt. Not LLMLeftAlone: that lasts longer than anybody waits. And not LLMTimeout:
somebody has waited for it already."""


class RetryBudget:
    """How many second attempts a model is worth: a share of its questions, so that an outage makes no storm."""

    def __init__(self, limits: ModelLimits) -> None:
        self.share = limits.retry_share
        self.saved: float
        self.saved, self.most = limits.retries_saved

    def earn(self) -> None:
        """Count a question."""
        self.saved = min(self.saved + self.share, self.most)

    def spend(self) -> bool:
        """Take one second attempt, if there is one."""
        if self.saved < 1:
            return False
        self.saved -= 1
        return True


class RetryingBackend(BackendWrapper):
    """Asks a model again where it failed before it said anything."""

    def __init__(
        self,
        inner: LLMBackend,
        limits: ModelLimits,
        *,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
        jitter: Callable[[float, float], float] = random.uniform,
    ) -> None:
        super().__init__(inner)
        self.limits = limits
        self.budget = RetryBudget(limits)
        self.sleep = sleep
        self.jitter = jitter

    async def stream(self, asked: ModelRequest) -> AsyncGenerator[AnswerPiece]:
        clock = asyncio.get_running_loop().time
        end = self.limits.end(asked.ends, clock())
        self.budget.earn()
        tried = 0
        while True:
            tried += 1
            shown = False
            try:
                async with aclosing(self.inner.stream(asked)) as pieces:
                    async for piece in pieces:
                        shown = shown or (asked.schema is None and not isinstance(piece, AnswerEnd))
                        yield piece
                return
            except RETRYABLE_ERRORS as error:
                pause = self.pause_s(error, tried)
                fits = clock() + pause + self.limits.least_s <= end and not self.is_circuit_open(error)
                if shown or tried >= self.limits.attempts or not fits or not self.budget.spend():
                    raise
            await self.sleep(pause)

    def is_circuit_open(self, error: LLMError) -> bool:
        """Whether another attempt would be refused anyhow: nobody pauses for that, and no second attempt is spent."""
        known_gone = isinstance(self.inner, CircuitBreaker) and self.inner.circuit.state != "closed"
        return known_gone or isinstance(error, CircuitOpen)

    def pause_s(self, error: LLMError, tried: int) -> float:
        """Return the seconds before the next attempt: what the provider asked for, or a random time that grows.

        Random, since whoever failed together would else come back together.
        """
        shortest, longest = self.limits.pauses_s
        if isinstance(error, LLMRateLimited) and error.retry_after_s is not None:
            return error.retry_after_s + self.jitter(0, shortest)
        return self.jitter(shortest, min(longest, 2 * shortest * 2**tried))
