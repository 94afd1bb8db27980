"""Model calls for background work, kept from slowing down calls that people wait for."""

import time
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from agents.errors import CircuitOpen
from agents.limits import ModelLimits
from agents.llm.base import AnswerPiece, ModelRequest
from agents.llm.wrappers.base import BackendWrapper
from agents.llm.wrappers.circuit_breaker import CircuitBreaker, ModelTrouble


class _SharedAlarm:
    """An alarm raised by background calls, which the foreground's next answer also settles.

    An unreachable model raises no alarm here: the foreground notices it too.
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
    """Calls with its own circuit, without retries, and not while the model is unreachable or overloaded.

    Failures here open no circuit of the foreground and use none of its retries. If a provider allows few
    parallel calls, the foreground comes first: after any rejected call, background calls pause for a while.
    """

    def __init__(
        self, waited_for: CircuitBreaker, limits: ModelLimits, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`waited_for` is the foreground's breaker for the same model."""
        super().__init__(
            CircuitBreaker(
                waited_for.inner,
                limits,
                alarm=_SharedAlarm(waited_for),
                calls="background",
                late_is_failure=True,  # Nobody reads such an answer, so it need not be asked for.
                clock=clock,
            )
        )
        self.waited_for = waited_for
        self.load = waited_for.load
        self.limits = limits
        self.clock = clock

    async def stream(self, asked: ModelRequest) -> AsyncGenerator[AnswerPiece]:
        if self.blocks_calls():
            raise CircuitOpen
        async with aclosing(self.inner.stream(asked)) as pieces:
            async for piece in pieces:
                yield piece

    def blocks_calls(self) -> bool:
        """Return whether the model is unreachable or overloaded, or paused for these calls."""
        assert isinstance(self.inner, CircuitBreaker)
        return self.waited_for.blocks_calls() or self.inner.blocks_calls() or self.is_overloaded()

    def is_ready(self) -> bool:
        """Return whether a call is allowed now, and the provider has not asked for a pause."""
        assert isinstance(self.inner, CircuitBreaker)
        return not self.blocks_calls() and self.waited_for.is_ready() and self.inner.is_ready()

    def is_overloaded(self) -> bool:
        """Return whether the model has recently rejected a call because it was full."""
        assert isinstance(self.inner, CircuitBreaker)
        refused = [each.rate_limited_at for each in (self.waited_for, self.inner) if each.rate_limited_at is not None]
        return bool(refused) and self.clock() - max(refused) < self.limits.crowded_s
