"""Retries: a few attempts, with pauses, within the one deadline, and never after something was shown."""

import asyncio
import random
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing

from agents.errors import CircuitOpen, LLMError, LLMRateLimited, LLMTruncated, LLMUnavailable
from agents.event_log import get_logger
from agents.limits import ModelLimits
from agents.llm.base import AnswerPiece, LLMBackend, ModelRequest, is_visible
from agents.llm.wrappers.base import BackendWrapper

logger = get_logger(__name__)

RETRYABLE_ERRORS = (LLMUnavailable, LLMRateLimited, LLMTruncated)
"""Errors that may be gone at the next attempt. Not CircuitOpen, which lasts too long, and not LLMTimeout, because the
person has already waited."""


class RetryBudget:
    """Allowance of retries for a model: a share of its requests, so that an outage causes no storm."""

    def __init__(self, limits: ModelLimits) -> None:
        self.share = limits.retry_share
        self.saved: float
        self.saved, self.most = limits.retries_saved

    def earn(self) -> None:
        """Count a request."""
        self.saved = min(self.saved + self.share, self.most)

    def spend(self) -> bool:
        """Use one retry, if there is one."""
        if self.saved < 1:
            return False
        self.saved -= 1
        return True


class RetryingBackend(BackendWrapper):
    """Retries a model that failed before it said anything."""

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
                        shown = shown or is_visible(piece, asked)
                        yield piece
                return
            except RETRYABLE_ERRORS as error:
                pause = self.pause_s(error, tried)
                # While calls are paused another attempt is blocked anyway: then no pause and no retry are spent.
                is_blocked = self.inner.is_paused or isinstance(error, CircuitOpen)
                fits = clock() + pause + self.limits.least_s <= end and not is_blocked
                if shown or tried >= self.limits.attempts or not fits or not self.budget.spend():
                    raise
                logger.warning(
                    "model_call_retried",
                    backend=self.name,
                    model=self.model,
                    agent=asked.agent,
                    attempt=tried + 1,
                    error=type(error).__name__,
                    pause_s=round(pause, 3),
                )
            await self.sleep(pause)

    def pause_s(self, error: LLMError, tried: int) -> float:
        """Return the seconds before the next attempt: what the provider asked for, or a growing random time.

        Random, because calls that failed together would otherwise retry together.
        """
        shortest, longest = self.limits.pauses_s
        if isinstance(error, LLMRateLimited) and error.retry_after_s is not None:
            return error.retry_after_s + self.jitter(0, shortest)
        return self.jitter(shortest, min(longest, 2 * shortest * 2**tried))
