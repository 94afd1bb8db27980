"""Circuit breaker logic: when a failing model is not called, and when it is tried again. It knows nothing of models."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal

from agents.limits import ModelLimits

CircuitState = Literal["closed", "open", "probing"]
"""All calls pass; none pass; one call is testing whether the model is back."""
Permit = Literal["call", "probe"]
Verdict = Literal["answered", "failed", "silent", "barred", "unknown"]
"""`silent`: a timeout somebody waited for. `barred`: only an admin can fix it. `unknown`: the call ended early."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CircuitStatus:
    state: CircuitState
    since: datetime
    failing_since: datetime | None
    """None if the latest conclusive call was answered."""


class Circuit:
    """Opens after several failures within a time, then lets one probe through, and closes when that is answered.

    An answer cancels one failure: a model that fails now and then among many answers stays in use.
    """

    def __init__(self, limits: ModelLimits, *, clock: Callable[[], float]) -> None:
        """`clock` returns monotonic seconds."""
        self.limits = limits
        self.clock = clock
        self.state: CircuitState = "closed"
        self.since = clock()
        self.failing_since: float | None = None
        self._failures: deque[float] = deque()
        self._probe_at = 0.0
        """When an open circuit allows a probe."""

    def admit(self) -> Permit | None:
        """Request a permit for a call; None if calls are blocked. The caller must settle the permit."""
        if self.state == "closed":
            return "call"
        if self.state == "open" and self.clock() >= self._probe_at:
            self._become("probing")
            return "probe"
        return None

    def settle(self, permit: Permit, verdict: Verdict) -> None:
        """Report how a call ended. Calls started before the circuit opened have no effect afterwards."""
        if permit == "probe" or self.state == "closed":
            self._note(verdict)
        if permit == "probe":
            self._settle_probe(verdict)
        elif self.state == "closed":
            self._settle_call(verdict)

    def blocks_calls(self) -> bool:
        """Return whether no call is allowed now, or only the probe that is already running. Takes no permit."""
        return self.state == "probing" or (self.state == "open" and self.clock() < self._probe_at)

    def status(self) -> CircuitStatus:
        since = self._at(self.since)
        failing_since = None if self.failing_since is None else self._at(self.failing_since)
        return CircuitStatus(state=self.state, since=since, failing_since=failing_since)

    def _note(self, verdict: Verdict) -> None:
        if verdict == "answered":
            self.failing_since = None
        elif verdict != "unknown" and self.failing_since is None:
            self.failing_since = self.clock()

    def _settle_probe(self, verdict: Verdict) -> None:
        match verdict:
            case "answered":
                self._failures.clear()
                self._become("closed")
            case "unknown":
                self._become("open")  # The next call is the probe.
            case _:
                self._open(verdict)

    def _settle_call(self, verdict: Verdict) -> None:
        if verdict == "answered":
            if self._failures:
                self._failures.popleft()
        elif verdict == "barred":
            self._open(verdict)
        elif verdict in ("failed", "silent"):
            now = self.clock()
            while self._failures and self._failures[0] <= now - self.limits.failures_s:
                self._failures.popleft()
            self._failures.extend([now] * (self.limits.silence_counts if verdict == "silent" else 1))
            if len(self._failures) >= self.limits.failures:
                self._open(verdict)

    def _open(self, verdict: Verdict) -> None:
        wait_s = self.limits.barred_s if verdict == "barred" else self.limits.open_s
        self._probe_at = self.clock() + wait_s
        self._become("open")

    def _become(self, state: CircuitState) -> None:
        self.state = state
        self.since = self.clock()

    def _at(self, moment: float) -> datetime:
        return datetime.now(UTC) - timedelta(seconds=self.clock() - moment)
