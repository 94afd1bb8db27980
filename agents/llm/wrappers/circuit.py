"""When a failing model is left alone, and when it is tried again. Knows nothing of models: verdicts in, permits out."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal

from agents.limits import ModelLimits

CircuitState = Literal["closed", "open", "probing"]
"""Everything passes; nothing passes; one call is out to see whether the model is back."""
Permit = Literal["call", "probe"]
Verdict = Literal["answered", "failed", "silent", "barred", "unknown"]
"""`silent` is a failure that somebody waited for in vain, `barred` is a failure that only an admin can mend, `unknown` a call that ended before anything was learnt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CircuitStatus:
    state: CircuitState
    since: datetime
    failing_since: datetime | None
    """None where the latest call that tells anything was answered."""


class Circuit:
    """Opens after several failures within a time, lets one probe through when that is over, closes when it is answered.

    An answer makes up for one failure: a model that fails now and then among many answers is not left alone.
    """

    def __init__(self, limits: ModelLimits, *, clock: Callable[[], float]) -> None:
        """`clock` tells seconds that never run backwards."""
        self.limits = limits
        self.clock = clock
        self.state: CircuitState = "closed"
        self.since = clock()
        self.failing_since: float | None = None
        self._failures: deque[float] = deque()
        self._probe_at = 0.0
        """When an open circuit lets a probe through."""

    def admit(self) -> Permit | None:
        """Ask to call the model. Whoever gets a permit must settle it."""
        if self.state == "closed":
            return "call"
        if self.state == "open" and self.clock() >= self._probe_at:
            self._become("probing")
            return "probe"
        return None

    def settle(self, permit: Permit, verdict: Verdict) -> None:
        """Tell how a call ended. What began before the circuit opened changes nothing after."""
        if permit == "probe" or self.state == "closed":
            self._note(verdict)
        if permit == "probe":
            self._settle_probe(verdict)
        elif self.state == "closed":
            self._settle_call(verdict)

    def blocks_calls(self) -> bool:
        """Tell whether nothing passes now, or one call only that is out already. Asks for no permit."""
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
