"""Load balancing: each call to an alias goes to that of its backends that has the most free capacity."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import replace

from agents.errors import CircuitOpen, LLMBudgetSpent, LLMBusy, LLMError, LLMRefused
from agents.limits import ModelLimits
from agents.llm.base import AnswerPiece, ModelRequest, is_visible
from agents.llm.prices import highest_price
from agents.llm.wrappers.backend_load import call_ended
from agents.llm.wrappers.background import BackgroundBackend
from agents.llm.wrappers.base import BackendWrapper
from agents.llm.wrappers.circuit_breaker import CircuitBreaker

Member = CircuitBreaker | BackgroundBackend


class LoadBalancer(BackendWrapper):
    """Asks the least loaded backend, and another one if it fails before anything was shown.

    While another one is ready, no call goes to a backend that is paused after failures or has asked for a pause.
    A refusal is an answer, and a budget that rejects one backend rejects all, because it reserves the highest price.
    """

    def __init__(self, members: Sequence[Member], limits: ModelLimits, *, waits: bool = True) -> None:
        """`waits`: whether a call waits for free capacity, at most `limits.busy_s`."""
        super().__init__(members[0])
        self.members = tuple(members)
        self.limits = limits
        self.waits = waits
        self.price = highest_price(member.price for member in members)
        self.calls_outside = any(member.calls_outside for member in members)
        self.is_local = all(member.is_local for member in members)

    @property
    def is_paused(self) -> bool:
        return all(member.is_paused for member in self.members)

    async def stream(self, asked: ModelRequest) -> AsyncGenerator[AnswerPiece]:
        asked = replace(asked, highest_price=self.price)
        untried = list(self.members)
        error: LLMError | None = None
        while True:
            member = await self._choose(untried, asked, error)
            untried.remove(member)
            shown = False
            try:
                with member.load.call():
                    async with aclosing(member.stream(asked)) as pieces:
                        async for piece in pieces:
                            shown = shown or is_visible(piece, asked)
                            yield piece
                return
            except LLMError as raised:
                if shown or isinstance(raised, LLMRefused | LLMBudgetSpent):
                    raise
                error = raised

    async def _choose(self, untried: list[Member], asked: ModelRequest, error: LLMError | None) -> Member:
        """Return the backend to ask next. Raises the error of the one before, if there was one, where none is left."""
        clock = asyncio.get_running_loop().time
        last_start = self.limits.end(asked.ends, clock()) - self.limits.least_s
        waits_until = min(clock() + self.limits.busy_s, last_start) if self.waits else clock()
        while candidates := _candidates(untried, is_first=error is None):
            if free := [member for member in candidates if not member.load.is_full]:
                if error is not None and clock() > last_start:
                    raise error
                return min(free, key=lambda each: (each.load.next_share, each.load.last_turn))
            if clock() >= waits_until:
                raise error or LLMBusy()
            await call_ended([member.load for member in candidates], timeout_s=waits_until - clock())
        raise error or CircuitOpen()


def _candidates(untried: list[Member], *, is_first: bool) -> list[Member]:
    """Return the backends that may be asked: the ready ones, or as the first those that asked for a pause."""
    ready = [member for member in untried if member.is_ready()]
    if ready or not is_first:
        return ready
    return [member for member in untried if not member.is_paused]
