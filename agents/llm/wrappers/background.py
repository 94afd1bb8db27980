"""Asking a model for those whom nobody waits for, so that those who are waited for lose nothing by it."""

import time
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from agents.errors import CircuitOpen
from agents.limits import ModelLimits
from agents.llm.base import AnswerPiece, ModelRequest
from agents.llm.wrappers.base import BackendWrapper
from agents.llm.wrappers.circuit_breaker import CircuitBreaker, ModelTrouble


class _SharedAlarm:
    """An alarm raised aside, which an answer to the others settles as well.

    That a model is out of reach is no alarm where nobody waits for it: whoever does finds it so too.
    """

    def __init__(self, waited_for: CircuitBreaker) -> None:
        self.waited_for = waited_for

    def raised(self, trouble: ModelTrouble, backend: str, model: str) -> None:
        if trouble != "unreachable" and self.waited_for.alarm is not None:
            self.waited_for.expect_alarm()
            self.waited_for.alarm.raised(trouble, backend, model)

    def settled(self, backend: str, model: str) -> None:
        if self.waited_for.alarm is not None:
            self.waited_for.alarm.settled(backend, model)


class BackgroundBackend(BackendWrapper):
    """Asks by a circuit of its own, never again where that failed, and not while the model is gone or has too much to do.

    What fails here opens no circuit of the others', and spends none of their second attempts. Where a provider allows
    few calls at once, theirs come first: whoever was refused for that, the asides stop for a while.
    """

    def __init__(
        self, waited_for: CircuitBreaker, limits: ModelLimits, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`waited_for` is what stands around the same model for the others."""
        super().__init__(CircuitBreaker(waited_for.inner, limits, alarm=_SharedAlarm(waited_for), clock=clock))
        self.waited_for = waited_for
        self.limits = limits
        self.clock = clock

    async def stream(self, asked: ModelRequest) -> AsyncGenerator[AnswerPiece]:
        if self.waited_for.circuit.blocks_calls() or self.is_overloaded():
            raise CircuitOpen
        async with aclosing(self.inner.stream(asked)) as pieces:
            async for piece in pieces:
                yield piece

    def is_overloaded(self) -> bool:
        """Tell whether the model has lately refused somebody for want of room."""
        assert isinstance(self.inner, CircuitBreaker)
        refused = [each.rate_limited_at for each in (self.waited_for, self.inner) if each.rate_limited_at is not None]
        return bool(refused) and self.clock() - max(refused) < self.limits.crowded_s
