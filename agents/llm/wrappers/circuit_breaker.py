"""Circuit breaker around a model: it does not call a failing model, and raises an alarm that an admin sees."""

import time
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Literal, Protocol

from agents.errors import (
    CircuitOpen,
    LLMBudgetSpent,
    LLMError,
    LLMInvalidOutput,
    LLMKeyRejected,
    LLMRateLimited,
    LLMRefused,
    LLMRejected,
    LLMSpendLimit,
    LLMTimeout,
)
from agents.event_log import get_logger
from agents.limits import ModelLimits
from agents.llm.base import AnswerPiece, LLMBackend, ModelRequest
from agents.llm.wrappers.backend_load import BackendLoad
from agents.llm.wrappers.base import BackendWrapper
from agents.llm.wrappers.circuit_state import Circuit, CircuitState, Verdict

logger = get_logger(__name__)

ModelTrouble = Literal["unreachable", "rejected", "spend_limit"]


class ModelAlarm(Protocol):
    """Receives a model's troubles. Neither method may block or raise."""

    def raised(self, trouble: ModelTrouble, backend: str, model: str) -> None: ...

    def settled(self, backend: str, model: str) -> None:
        """The model answers. Also called at its first answer: an earlier process may have raised an alarm."""


class CircuitBreaker(BackendWrapper):
    """Raises CircuitOpen at once while its circuit is open. One per provider and model in a process."""

    def __init__(
        self,
        inner: LLMBackend,
        limits: ModelLimits,
        *,
        load: BackendLoad | None = None,
        alarm: ModelAlarm | None = None,
        calls: str = "waited_for",
        late_is_failure: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`late_is_failure`: an answer that came too late for its caller counts as a failure of the model."""
        super().__init__(inner)
        self.late_is_failure = late_is_failure
        self.circuit = Circuit(limits, clock=clock)
        self.load = load or BackendLoad()
        self.alarm = alarm
        self.calls = calls
        """Whose calls it sees, for the log: `waited_for` by a person, or `background`."""
        self.trouble: ModelTrouble | None = None
        """Why the latest call failed; None if it was answered."""
        self.rate_limited_at: float | None = None
        """When the provider last rejected a call because it was full, by the circuit's clock."""
        self.rate_limited_until = 0.0
        """Until when the provider asked for a pause then, by the circuit's clock."""
        self._alarm_may_be_on = True

    @property
    def is_paused(self) -> bool:
        return self.circuit.state != "closed"

    def blocks_calls(self) -> bool:
        """Return whether a call would raise CircuitOpen now."""
        return self.circuit.blocks_calls()

    def is_ready(self) -> bool:
        """Return whether a call is allowed now, and the provider has not asked for a pause."""
        return not self.blocks_calls() and self.circuit.clock() >= self.rate_limited_until

    def expect_alarm(self) -> None:
        """Record that another breaker has raised an alarm for this model: the next answer settles it."""
        self._alarm_may_be_on = True

    async def stream(self, asked: ModelRequest) -> AsyncGenerator[AnswerPiece]:
        permit = self.circuit.admit()
        if permit is None:
            raise CircuitOpen
        if permit == "probe":
            logger.info("circuit_probing", **self._labels())
        verdict: Verdict = "unknown"
        error: LLMError | None = None
        try:
            async with aclosing(self.inner.stream(asked)) as pieces:
                async for piece in pieces:
                    # A caller that stops reading here has got its answer.
                    verdict = "answered"
                    yield piece
        except LLMError as raised:
            error = raised
            verdict = verdict_for(raised, late_is_failure=self.late_is_failure)
            raise
        finally:
            was = self.circuit.state
            self.circuit.settle(permit, verdict)
            self._tell(verdict, error, was=was)

    def _tell(self, verdict: Verdict, error: LLMError | None, *, was: CircuitState) -> None:
        state = self.circuit.state
        if state == "closed" and was != "closed":
            logger.warning("circuit_closed", **self._labels())
        if verdict == "answered":
            self.trouble = None
            if self._alarm_may_be_on and self.alarm is not None:
                self.alarm.settled(self.name, self.model)
            self._alarm_may_be_on = False
        elif error is not None and verdict != "unknown":
            if isinstance(error, LLMRateLimited):
                self.rate_limited_at = self.circuit.clock()
                self.rate_limited_until = self.rate_limited_at + (error.retry_after_s or 0.0)
            self.trouble = trouble_of(error)
            if state == "open" and was == "closed":
                logger.error("circuit_opened", **self._labels(), trouble=self.trouble, error=type(error).__name__)
            elif self.trouble != "unreachable" and was == "closed":
                logger.error("model_call_rejected", **self._labels(), error=type(error).__name__)
            if (state == "open" and was != "open") or self.trouble != "unreachable":
                self._raise_alarm(self.trouble)

    def _labels(self) -> dict[str, str]:
        return {"backend": self.name, "model": self.model, "calls": self.calls}

    def _raise_alarm(self, trouble: ModelTrouble) -> None:
        self._alarm_may_be_on = True
        if self.alarm is not None:
            self.alarm.raised(trouble, self.name, self.model)


def verdict_for(error: LLMError, *, late_is_failure: bool = False) -> Verdict:
    """Return what an error says about the model: a refusal is an answer, and our own budget is not its fault."""
    match error:
        case LLMKeyRejected() | LLMSpendLimit():
            return "barred"
        case LLMRefused() | LLMInvalidOutput():
            return "answered"
        case LLMBudgetSpent():
            return "unknown"
        case LLMTimeout(answering=True) if not late_is_failure:
            # Some agents have a second or two: a steady answer that takes longer would block the model for all others.
            return "unknown"
        case LLMTimeout(silent=True):
            return "silent"
        case _:
            return "failed"


def trouble_of(error: LLMError) -> ModelTrouble:
    """Return the kind of trouble that an error reports."""
    match error:
        case LLMSpendLimit():
            return "spend_limit"
        case LLMRejected():
            return "rejected"
        case _:
            return "unreachable"
