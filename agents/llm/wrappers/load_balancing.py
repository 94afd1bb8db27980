"""Load balancing: each call to an alias goes to that of its backends that has the most free capacity."""

import asyncio
import math
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing

from agents.errors import CircuitOpen, LLMBusy, LLMError, LLMRateLimited, LLMRefused
from agents.event_log import get_logger
from agents.limits import ModelLimits
from agents.llm.base import AnswerPiece, ModelRequest, is_visible
from agents.llm.prices import highest_price
from agents.llm.wrappers.backend_load import wait_for_room
from agents.llm.wrappers.background import BackgroundBackend
from agents.llm.wrappers.base import BackendWrapper
from agents.llm.wrappers.circuit_breaker import CircuitBreaker
from agents.llm.wrappers.fallback import log_failover
from agents.llm.wrappers.retry import RETRYABLE_ERRORS

logger = get_logger(__name__)

Member = CircuitBreaker | BackgroundBackend


class LoadBalancer(BackendWrapper):
    """Asks the least loaded backend, and another one if it fails before anything was shown. A refusal is an answer.

    While another one is ready, no call goes to a backend that is paused after failures or has asked for a pause.
    """

    def __init__(self, members: Sequence[Member], limits: ModelLimits, *, is_background: bool = False) -> None:
        """`is_background`: calls wait for no free capacity, and leave a share of it to those that people wait for."""
        super().__init__(members[0])
        self.members = tuple(members)
        self.limits = limits
        self.is_background = is_background
        self.wait_s, self.share = (0.0, limits.background_share) if is_background else (limits.busy_s, 1.0)
        self.price = highest_price([member.price for member in members])
        self.calls_outside = any(member.calls_outside for member in members)
        self.is_local = all(member.is_local for member in members)

    @property
    def is_paused(self) -> bool:
        return all(member.is_paused for member in self.members)

    async def stream(self, asked: ModelRequest) -> AsyncGenerator[AnswerPiece]:
        untried = list(self.members)
        failed: list[tuple[Member, LLMError]] = []
        while True:
            member = await self._start_call(untried, asked, [error for _, error in failed])
            shown = False
            try:
                if failed:
                    last, error = failed[-1]
                    log_failover(asked, error, failed=last, to=member)
                untried.remove(member)
                async with aclosing(member.stream(asked)) as pieces:
                    async for piece in pieces:
                        shown = shown or is_visible(piece, asked)
                        yield piece
                return
            except LLMError as error:
                if shown or isinstance(error, LLMRefused):
                    raise
                failed.append((member, error))
            finally:
                member.load.end()

    async def _start_call(self, untried: list[Member], asked: ModelRequest, errors: list[LLMError]) -> Member:
        """Return the backend to ask next, whose load counts the call already: the caller must end it.

        Raises LLMError if none is left: of the errors of the others, the one that may be gone soonest.
        """
        clock = asyncio.get_running_loop().time
        last_start = self.limits.end(asked.ends, clock()) - self.limits.least_s
        waits_until = min(clock() + self.wait_s, last_start)
        while candidates := _candidates(untried, is_first=not errors):
            if errors and clock() > last_start:
                break
            for member in sorted(candidates, key=lambda each: (each.load.next_share, each.load.last_turn)):
                if member.load.start(self.share):
                    return member
            if clock() >= waits_until:
                if not errors:
                    self._log_busy(asked)
                    raise LLMBusy
                break
            loads = [member.load for member in candidates]
            await wait_for_room(loads, self.share, timeout_s=waits_until - clock())
        raise min(errors, key=_gone_after_s, default=CircuitOpen())

    def _log_busy(self, asked: ModelRequest) -> None:
        labels = {"backend": self.name, "model": self.model, "agent": asked.agent}
        if self.is_background:
            logger.info("model_busy", **labels, calls="background")
        else:
            logger.warning("model_busy", **labels, calls="waited_for")


def _candidates(untried: list[Member], *, is_first: bool) -> list[Member]:
    """Return the backends that may be asked: the ready ones, or as the first those that asked for a pause."""
    ready = [member for member in untried if member.is_ready()]
    if ready or not is_first:
        return ready
    return [member for member in untried if not member.blocks_calls()]


def _gone_after_s(error: LLMError) -> float:
    """Return the seconds after which another attempt may succeed; infinity if none may."""
    if not isinstance(error, RETRYABLE_ERRORS) or isinstance(error, CircuitOpen):
        return math.inf
    return (error.retry_after_s or 0.0) if isinstance(error, LLMRateLimited) else 0.0
