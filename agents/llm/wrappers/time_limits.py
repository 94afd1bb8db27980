"""Limits of one attempt: time to the first piece, pauses, total time, and length."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

from agents.errors import LLMError, LLMTimeout
from agents.event_log import get_logger
from agents.limits import ModelLimits
from agents.llm.base import AnswerEnd, AnswerPiece, LLMBackend, ModelRequest, TextPiece, ToolRequest
from agents.llm.token_usage import Usage
from agents.llm.wrappers.base import BackendWrapper

logger = get_logger(__name__)


class TimeLimitBackend(BackendWrapper):
    """Ends an attempt that takes too long with LLMTimeout, and one that is too long with `length`."""

    def __init__(self, inner: LLMBackend, limits: ModelLimits) -> None:
        super().__init__(inner)
        self.limits = limits

    async def stream(self, asked: ModelRequest) -> AsyncGenerator[AnswerPiece]:
        await self._opened(asked)
        watch = _StreamTimer(self.limits, asked.ends)
        room = self.limits.output_characters
        try:
            async with aclosing(self.inner.stream(asked)) as pieces:
                async for piece in pieces:
                    watch.rest()
                    if isinstance(piece, TextPiece):
                        room -= len(piece.text)
                        if room < 0:
                            yield TextPiece(piece.text[:room])
                            break
                    elif isinstance(piece, ToolRequest):
                        room -= len(piece.arguments)
                        if room < 0:
                            break
                    yield piece
                    watch.wait()
        except (asyncio.CancelledError, LLMError):
            if watch.struck():
                raise watch.error() from None
            raise
        finally:
            watch.stop()
        if room < 0:
            yield AnswerEnd(stop="length", usage=Usage(backend=self.name, model=self.model))

    async def _opened(self, asked: ModelRequest) -> None:
        """Wait until the backend is ready. Loading it in a new process does not count as the model being slow."""
        try:
            async with asyncio.timeout_at(self.limits.end(asked.ends, asyncio.get_running_loop().time())):
                await self.inner.aopen()
        except TimeoutError:
            raise LLMTimeout from None
        except Exception as error:
            # The error is raised again, and mapped, when the model is called.
            logger.warning("model_not_opened", backend=self.name, error=type(error).__name__)


class _StreamTimer:
    """One timer for a whole stream. It checks whether the time may be over, and restarts itself if not.

    A timer per piece would cost more than the piece. Only time spent waiting for the model counts,
    because a reader may be slow.
    """

    __slots__ = (
        "allowed_s", "answering", "clock", "end", "fired", "loop", "silent", "since", "stall_s", "task",
        "task_cancelling", "timer",
    )  # fmt: skip

    def __init__(self, limits: ModelLimits, ends: float) -> None:
        """Raise LLMTimeout if there is no time left at the start."""
        self.loop = asyncio.get_running_loop()
        self.clock = self.loop.time
        self.since: float | None = self.clock()
        """Since when the next piece is awaited; None while none is."""
        self.end = limits.end(ends, self.since)
        if self.end - self.since <= 0:
            raise LLMTimeout
        self.allowed_s, self.stall_s = limits.first_piece_s, limits.stall_s
        self.task = asyncio.current_task()
        self.task_cancelling = self.task.cancelling() if self.task else 0
        self.fired = self.silent = self.answering = False
        self._look()

    def rest(self) -> None:
        """Record that a piece has arrived."""
        self.since = None
        self.answering = True
        self.allowed_s = self.stall_s

    def wait(self) -> None:
        """Start waiting for the next piece. Raises LLMTimeout if there is no time left."""
        self.since = self.clock()
        if self.since >= self.end:
            raise self.error()

    def error(self) -> LLMTimeout:
        """Return the error for the time that is over."""
        return LLMTimeout(silent=self.silent, answering=self.answering and not self.silent)

    def struck(self) -> bool:
        """Return whether the cancellation just caught is the timer's own, and undo it."""
        if not self.fired or self.task is None:
            return False
        self.fired = False
        return self.task.uncancel() <= self.task_cancelling

    def stop(self) -> None:
        self.timer.cancel()
        if self.fired and self.task is not None:
            self.task.uncancel()  # The answer came at the same moment.

    def _look(self) -> None:
        now = self.clock()
        # Whatever happens meanwhile, the next pause gets its full length.
        due = latest = now + self.stall_s
        if self.since is not None:
            due = min(self.since + self.allowed_s, self.end)
        if now < due:
            self.timer = self.loop.call_at(min(due, latest), self._look)
        elif self.task is not None:
            self.fired = True
            self.silent = self.since is not None and now >= self.since + self.allowed_s
            self.task.cancel()
