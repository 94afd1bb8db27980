"""Fallback: the next model if one fails, and the authored words if all fail."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import replace

from agents.errors import CircuitOpen, LLMBudgetSpent, LLMBusy, LLMError, LLMRefused, LLMTimeout
from agents.event_log import get_logger
from agents.limits import ModelLimits
from agents.llm.base import AnswerEnd, AnswerPiece, LLMBackend, ModelRequest, is_visible
from agents.llm.wrappers.base import BackendWrapper

logger = get_logger(__name__)


class FallbackBackend(BackendWrapper):
    """Tries its models in order, then the last backend.

    Once something was shown no other model starts: two voices cannot share one sentence. A refusal is an answer,
    which no other model may overrule. If there is nothing to say instead, the first model's error is raised.
    """

    def __init__(self, models: Sequence[LLMBackend], last: LLMBackend, limits: ModelLimits) -> None:
        super().__init__(models[0])
        self.models = tuple(models)
        self.last = last
        self.limits = limits
        self.calls_outside = any(model.calls_outside for model in models)
        self.is_local = all(model.is_local for model in models)

    async def stream(self, asked: ModelRequest) -> AsyncGenerator[AnswerPiece]:
        errors: list[LLMError] = []
        for model in self.models:
            if not self.has_time(asked):
                errors.append(LLMTimeout())
                break
            if errors:
                log_failover(asked, errors[-1], failed=self, to=model)
            shown = False
            try:
                async with aclosing(model.stream(asked)) as pieces:
                    async for piece in pieces:
                        shown = shown or is_visible(piece, asked)
                        yield piece
                return
            except LLMError as error:
                if shown:
                    raise
                errors.append(error)
                if isinstance(error, LLMRefused):
                    break
        if not asked.otherwise:
            raise errors[0]
        log_failover(asked, errors[-1], failed=self, to=self.last)
        async with aclosing(self.last.stream(asked)) as pieces:
            async for piece in pieces:
                yield replace(piece, failure=type(errors[0])) if isinstance(piece, AnswerEnd) else piece

    def has_time(self, asked: ModelRequest) -> bool:
        now = asyncio.get_running_loop().time()
        return self.limits.end(asked.ends, now) - now >= self.limits.least_s


def log_failover(asked: ModelRequest, error: LLMError, *, failed: LLMBackend, to: LLMBackend) -> None:
    """Log that another backend answers in place of the one that failed."""
    # An open circuit, a spent budget, a refusal and full backends are told of by what noticed them.
    if not isinstance(error, CircuitOpen | LLMBudgetSpent | LLMBusy | LLMRefused):
        logger.warning(
            "model_failed_over",
            backend=failed.name,
            model=failed.model,
            to_backend=to.name,
            to_model=to.model,
            agent=asked.agent,
            error=type(error).__name__,
        )
