"""The circuit: when a failing model is left alone, and when it is tried again."""

from collections import deque

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, precondition, rule

from agents.limits import ModelLimits
from agents.llm.wrappers.circuit_state import Circuit, Permit, Verdict

LIMITS = ModelLimits()


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def circuit() -> tuple[Circuit, Clock]:
    clock = Clock()
    return Circuit(LIMITS, clock=clock), clock


def fail(circuit: Circuit, times: int = 1, verdict: Verdict = "failed") -> None:
    for _ in range(times):
        permit = circuit.admit()
        assert permit is not None
        circuit.settle(permit, verdict)


def test_fifth_failure_opens_for_fifteen_seconds() -> None:
    it, clock = circuit()
    fail(it, 4)
    assert it.state == "closed"
    fail(it)
    assert (it.state, it.admit()) == ("open", None)
    clock.now += 14.9
    assert it.admit() is None
    clock.now += 0.1
    assert it.admit() == "probe"


def test_failures_far_apart_do_not_add_up() -> None:
    it, clock = circuit()
    for _ in range(20):
        fail(it)
        clock.now += 8
    assert it.state == "closed"


def test_failures_among_as_many_answers_do_not_open() -> None:
    it, _clock = circuit()
    for _ in range(50):
        fail(it)
        fail(it, verdict="answered")
    assert it.state == "closed"


def test_only_one_probe_at_a_time() -> None:
    it, clock = circuit()
    fail(it, 5)
    clock.now += 15
    assert (it.admit(), it.admit(), it.state) == ("probe", None, "probing")


def test_answered_probe_closes() -> None:
    """V17: half-open recovers."""
    it, clock = circuit()
    fail(it, 5)
    clock.now += 15
    fail(it, verdict="answered")
    assert (it.state, it.status().failing_since) == ("closed", None)
    fail(it, 4)
    assert it.state == "closed"


def test_failed_probe_opens_again_for_as_long() -> None:
    it, clock = circuit()
    fail(it, 5)
    clock.now += 15
    fail(it)
    clock.now += 14.9
    assert it.admit() is None
    clock.now += 0.1
    assert it.admit() == "probe"


def test_probe_that_learnt_nothing_leaves_its_place() -> None:
    it, clock = circuit()
    fail(it, 5)
    clock.now += 15
    fail(it, verdict="unknown")
    assert it.admit() == "probe"


def test_what_an_admin_must_mend_opens_at_once_for_a_minute() -> None:
    """V3, V5: a spend limit or a wrong key opens the circuit."""
    it, clock = circuit()
    fail(it, verdict="barred")
    assert it.state == "open"
    clock.now += 59.9
    assert it.admit() is None
    clock.now += 0.1
    assert it.admit() == "probe"


def test_call_from_before_it_opened_changes_nothing() -> None:
    it, _clock = circuit()
    early = it.admit()
    assert early == "call"
    fail(it, 5)
    it.settle(early, "answered")
    assert (it.state, it.status().failing_since is None) == ("open", False)


class CircuitMachine(RuleBasedStateMachine):
    """Any order of calls, answers, failures and time, beside a model that counts in the simplest way."""

    permits: Bundle[Permit] = Bundle("permits")

    def __init__(self) -> None:
        super().__init__()
        self.it, self.clock = circuit()
        self.recent: deque[float] = deque()
        self.out = 0
        """Probes that are out."""
        self.opened: float | None = None
        self.wait_s = 0.0

    @rule(target=permits)
    def admit(self) -> Permit | None:
        permit = self.it.admit()
        if self.opened is None:
            assert permit == "call"
        elif self.clock.now >= self.opened + self.wait_s and not self.out:
            assert permit == "probe"
            self.out += 1
        else:
            assert permit is None
        return permit

    @rule(permit=consumes(permits), verdict=st.sampled_from(["answered", "failed", "barred", "unknown"]))
    def settle(self, permit: Permit | None, verdict: Verdict) -> None:
        if permit is None:
            return
        self.it.settle(permit, verdict)
        if permit == "probe":
            self.out -= 1
            self.settle_probe(verdict)
        elif self.opened is None:
            self.settle_call(verdict)

    def settle_probe(self, verdict: Verdict) -> None:
        if verdict == "answered":
            self.opened = None
            self.recent.clear()
        elif verdict != "unknown":
            self.open(verdict)

    def settle_call(self, verdict: Verdict) -> None:
        if verdict == "answered" and self.recent:
            self.recent.popleft()
        elif verdict == "failed":
            self.recent.append(self.clock.now)
            while self.recent[0] <= self.clock.now - 30:
                self.recent.popleft()
        if verdict == "barred" or (verdict == "failed" and len(self.recent) >= 5):
            self.open(verdict)

    def open(self, verdict: Verdict) -> None:
        self.opened, self.wait_s = self.clock.now, 60.0 if verdict == "barred" else 15.0

    @rule(seconds=st.sampled_from([0.5, 5.0, 15.0, 31.0]))
    def pass_time(self, seconds: float) -> None:
        self.clock.now += seconds

    @precondition(lambda self: self.opened is None)
    @invariant()
    def closed_circuit_says_so(self) -> None:
        assert self.it.state == "closed"

    @invariant()
    def at_most_one_probe_is_out(self) -> None:
        assert self.out <= 1
        assert (self.it.state == "probing") == (self.out == 1)


TestDriven = CircuitMachine.TestCase
TestDriven.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
