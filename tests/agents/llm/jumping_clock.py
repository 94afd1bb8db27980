"""Time that passes only while everybody waits: an hour of timers takes no time, and ends at the same moments each run."""

import asyncio
import heapq
from collections.abc import AsyncGenerator, Coroutine
from typing import Any

from agents.errors import LLMError
from agents.llm.base import AnswerPiece, ChatText, LLMBackend, ModelRequest, TextPiece


class JumpingLoop(asyncio.SelectorEventLoop):
    """Jumps to the next timer whenever nothing else is to be done. For code that waits for nothing but timers."""

    def __init__(self) -> None:
        self.now = 1_000.0
        super().__init__()

    def time(self) -> float:
        return self.now

    def _run_once(self) -> None:
        scheduled: list[Any] = self._scheduled  # type: ignore[attr-defined]  # asyncio's own heap of timers.
        while scheduled and scheduled[0].cancelled():
            self._timer_cancelled_count -= 1
            heapq.heappop(scheduled)._scheduled = False
        if scheduled and not self._ready:  # type: ignore[attr-defined]  # What runs in this round.
            self.now = max(self.now, scheduled[0].when())
        super()._run_once()  # type: ignore[misc]  # Private, and stable for years.


def run[T](main: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in time that jumps."""
    with asyncio.Runner(loop_factory=JumpingLoop) as runner:
        return runner.run(main)


def now() -> float:
    return asyncio.get_running_loop().time()


def question(**fields: Any) -> ModelRequest:
    return ModelRequest(agent="tutor", system="Be kind.", messages=(ChatText(author="learner", text="Why?"),), **fields)


async def heard(stream: AsyncGenerator[AnswerPiece]) -> tuple[list[AnswerPiece], LLMError | None]:
    """Read a stream to its end, or to its error."""
    pieces: list[AnswerPiece] = []
    try:
        async for piece in stream:
            pieces.append(piece)
    except LLMError as error:
        return pieces, error
    return pieces, None


async def answer(backend: LLMBackend, asked: ModelRequest | None = None) -> tuple[str, type[LLMError] | None]:
    """Return what a backend says, and the kind of its error if it ends in one."""
    pieces, error = await heard(backend.stream(asked or question()))
    return "".join(piece.text for piece in pieces if isinstance(piece, TextPiece)), type(error) if error else None
