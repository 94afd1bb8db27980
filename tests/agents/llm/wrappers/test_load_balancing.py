"""Calls to an alias are spread over its backends by free capacity, and reach another one where one fails."""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import aclosing
from typing import Any

import pytest
from pydantic import BaseModel

from agents.errors import (
    CircuitOpen,
    LLMBudgetSpent,
    LLMBusy,
    LLMError,
    LLMKeyRejected,
    LLMRateLimited,
    LLMRefused,
    LLMTimeout,
    LLMTruncated,
    LLMUnavailable,
)
from agents.limits import ModelLimits
from agents.llm.call_context import CallContext, CallFigures
from agents.llm.prices import Price
from agents.llm.wrappers.backend_load import BackendLoad
from agents.llm.wrappers.background import BackgroundBackend
from agents.llm.wrappers.circuit_breaker import CircuitBreaker
from agents.llm.wrappers.load_balancing import LoadBalancer
from agents.llm.wrappers.recording import RecordingBackend
from agents.llm.wrappers.retry import RetryingBackend
from tests.agents.engine.stage import for_ever
from tests.agents.llm.jumping_clock import answer, now, question, run
from tests.agents.llm.played_backend import PlayedBackend
from tests.agents.llm.wrappers.test_recording import RecordingLedger, asked
from tests.event_log import EventLog

LIMITS = ModelLimits()
HOUR = LLMRateLimited(retry_after_s=3600)


class Verdict(BaseModel):
    correct: bool


class Pool:
    """Backends that share the calls to an alias, and what they were asked."""

    def __init__(self, *scripts: list[Any] | PlayedBackend, capacities: tuple[int | None, ...] = (8, 8)) -> None:
        self.played = [each if isinstance(each, PlayedBackend) else PlayedBackend(each) for each in scripts]
        self.breakers = [
            CircuitBreaker(RecordingBackend(played), LIMITS, load=BackendLoad(capacity), clock=now)
            for played, capacity in zip(self.played, capacities, strict=True)
        ]
        self.balancer = LoadBalancer(self.breakers, LIMITS)

    @property
    def calls(self) -> list[int]:
        return [len(played.asked) for played in self.played]

    @property
    def in_flight(self) -> list[int]:
        return [breaker.load.in_flight for breaker in self.breakers]

    async def answer(self, **fields: Any) -> tuple[str, type[LLMError] | None]:
        return await answer(self.balancer, question(**fields))


def of_pool[T](test: Callable[[Pool], Coroutine[Any, Any, T]], *scripts: Any, **options: Any) -> T:
    """Run a test in time that jumps, with backends that play these scripts."""

    async def with_pool() -> T:
        return await test(Pool(*scripts, **options))

    return run(with_pool())


@pytest.mark.parametrize(("calls", "spread"), [(1, [1, 0]), (5, [4, 1]), (10, [8, 2])])
def test_calls_in_progress_are_in_proportion_to_capacity(calls: int, spread: list[int]) -> None:
    async def started(pool: Pool) -> list[int]:
        tasks = [asyncio.create_task(pool.answer()) for _ in range(calls)]
        for _ in range(20):
            await asyncio.sleep(0)
        found = pool.in_flight
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        assert pool.in_flight == [0, 0]
        return found

    assert of_pool(started, [for_ever], [for_ever], capacities=(8, 2)) == spread


def test_idle_backends_take_turns() -> None:
    async def in_turn(pool: Pool) -> list[int]:
        for _ in range(6):
            await pool.answer()
        return pool.calls

    assert of_pool(in_turn, ["a"], ["b"]) == [3, 3]


@pytest.mark.parametrize(
    "error", [LLMUnavailable(), LLMTimeout(silent=True), LLMKeyRejected(), LLMTruncated(), HOUR], ids=repr
)
def test_another_backend_answers_where_one_fails(error: LLMError) -> None:
    """V2–V7, V13: at once, and without the pause of a retry."""

    async def spread(pool: Pool) -> tuple[Any, list[int], float]:
        began = now()
        said = await pool.answer()
        return said, pool.calls, now() - began

    assert of_pool(spread, [error], ["b"]) == (("b", None), [1, 1], 0.0)


def test_failover_is_logged_once(log: EventLog) -> None:
    of_pool(lambda pool: pool.answer(), [LLMUnavailable()], ["b"])
    [event] = log.events
    assert (event["event"], event["error"]) == ("model_failed_over", "LLMUnavailable")


def test_no_other_backend_overrules_a_refusal() -> None:
    async def refused(pool: Pool) -> tuple[Any, list[int]]:
        return await pool.answer(), pool.calls

    assert of_pool(refused, [LLMRefused()], ["b"]) == (("", LLMRefused), [1, 0])


def test_no_other_voice_continues_what_was_shown() -> None:
    async def broken(pool: Pool) -> tuple[Any, list[int]]:
        return await pool.answer(), pool.calls

    assert of_pool(broken, ["One ", LLMTruncated()], ["b"]) == (("One ", LLMTruncated), [1, 0])


def test_parts_of_a_result_are_not_shown() -> None:
    """The text of a structured answer is used only as a whole, so another backend may begin anew."""

    async def broken(pool: Pool) -> list[int]:
        await pool.answer(schema=Verdict)
        return pool.calls

    assert of_pool(broken, ['{"corr', LLMTruncated()], ['{"correct": true}']) == [1, 1]


def test_failing_backend_is_left_out_and_comes_back() -> None:
    """V17: its circuit opens, one call tries it again, and half of the calls are its own again."""

    async def outage(pool: Pool) -> None:
        first, _second = pool.played
        first.answers = ([LLMUnavailable()],)
        for _ in range(20):
            assert await pool.answer() == ("b", None)
        assert pool.calls == [5, 20]
        assert [each.circuit.state for each in pool.breakers] == ["open", "closed"]
        await asyncio.sleep(LIMITS.open_s)
        assert await pool.answer() == ("b", None)
        assert pool.calls == [6, 21]
        first.answers = (["a"],)
        await asyncio.sleep(LIMITS.open_s)
        assert [(await pool.answer())[0] for _ in range(4)].count("a") == 2
        assert pool.breakers[0].circuit.state == "closed"

    of_pool(outage, ["a"], ["b"])


def test_pause_that_a_provider_asks_for_is_kept() -> None:
    """V2: for an hour the others answer; after it the backend is asked again."""

    async def limited(pool: Pool) -> None:
        first, _second = pool.played
        first.answers = ([HOUR], ["a"])
        assert {await pool.answer() for _ in range(10)} == {("b", None)}
        assert pool.calls == [1, 10]
        await asyncio.sleep(3600)
        assert ("a", None) in [await pool.answer() for _ in range(2)]

    of_pool(limited, ["a"], ["b"])


def test_pause_is_not_kept_where_no_other_backend_is_left() -> None:
    """V2: the provider may be well again before it said; nobody else is."""

    async def limited(pool: Pool) -> list[Any]:
        pool.played[0].answers = ([HOUR], ["a"])
        return [await pool.answer() for _ in range(2)]

    assert of_pool(limited, ["a"], capacities=(8,)) == [("", LLMRateLimited), ("a", None)]


def test_open_circuit_is_probed_even_if_the_provider_asked_for_a_longer_pause() -> None:
    """V2, V17: its only backend is not left out for an hour."""

    async def limited(pool: Pool) -> Any:
        for _ in range(LIMITS.failures + 1):
            await pool.answer()
        assert pool.calls == [LIMITS.failures]
        pool.played[0].answers = (["a"],)
        await asyncio.sleep(LIMITS.open_s)
        return await pool.answer()

    assert of_pool(limited, [HOUR], capacities=(8,)) == ("a", None)


def test_open_circuits_take_no_calls() -> None:
    async def down(pool: Pool) -> None:
        for _ in range(20):
            await pool.answer()
        assert await pool.answer() == ("", CircuitOpen)
        assert pool.calls == [5, 5]
        assert pool.balancer.is_paused

    of_pool(down, [LLMTruncated()], [LLMUnavailable()])


@pytest.mark.parametrize("order", [1, -1])
def test_error_is_the_one_that_may_be_gone_soonest(order: int) -> None:
    scripts = [[HOUR], [LLMKeyRejected()], [LLMTruncated()]][::order]
    assert of_pool(lambda pool: pool.answer(), *scripts, capacities=(8, 8, 8)) == ("", LLMTruncated)


def test_both_are_tried_again_where_both_fail() -> None:
    """V4: an attempt asks each backend once; the retries are those of one model."""

    async def retried(pool: Pool) -> tuple[Any, list[int]]:
        said = await answer(RetryingBackend(pool.balancer, LIMITS))
        return said, pool.calls

    first, second = PlayedBackend([LLMUnavailable()]), PlayedBackend([LLMUnavailable()], ["b"])
    assert of_pool(retried, first, second) == (("b", None), [2, 2])


class Gate(PlayedBackend):
    """Says its text when it is opened."""

    def __init__(self) -> None:
        super().__init__([self.opened, "late"])
        self.open = asyncio.Event()

    async def opened(self) -> None:
        await self.open.wait()


def test_call_waits_while_all_are_full() -> None:
    async def waited() -> None:
        pool = Pool(Gate(), Gate(), capacities=(1, 1))
        tasks = [asyncio.create_task(pool.answer()) for _ in range(4)]
        await asyncio.sleep(LIMITS.busy_s / 2)
        assert (pool.calls, pool.in_flight) == ([1, 1], [1, 1])
        pool.played[1].open.set()  # type: ignore[attr-defined]
        await asyncio.sleep(LIMITS.busy_s / 4)
        assert pool.calls == [1, 3]
        pool.played[0].open.set()  # type: ignore[attr-defined]
        assert await asyncio.gather(*tasks) == [("late", None)] * 4

    run(waited())


def test_call_that_waits_too_long_fails() -> None:
    async def waited(pool: Pool) -> None:
        holding = asyncio.create_task(pool.answer())
        await asyncio.sleep(0)
        began = now()
        assert await pool.answer() == ("", LLMBusy)
        assert now() - began == LIMITS.busy_s
        began = now()
        assert await pool.answer(ends=began + 2.0) == ("", LLMBusy)
        assert now() < began + 1.0
        holding.cancel()

    of_pool(waited, [for_ever], capacities=(1,))


def test_calls_that_found_all_full_are_logged(log: EventLog) -> None:
    async def full(pool: Pool) -> None:
        holding = asyncio.create_task(pool.answer())
        await asyncio.sleep(0)
        await pool.answer()
        holding.cancel()

    of_pool(full, [for_ever], capacities=(1,))
    [event] = log.events
    fields = ("event", "level", "backend", "agent", "calls")
    assert [event[field] for field in fields] == ["model_busy", "warning", "played", "tutor", "waited_for"]


def test_call_that_stops_waiting_takes_nobodys_place() -> None:
    async def stopped() -> None:
        pool = Pool(Gate(), capacities=(1,))
        tasks = [asyncio.create_task(pool.answer()) for _ in range(3)]
        await asyncio.sleep(LIMITS.busy_s / 4)
        tasks[1].cancel()
        pool.played[0].open.set()  # type: ignore[attr-defined]
        assert await asyncio.gather(tasks[0], tasks[2]) == [("late", None)] * 2
        assert pool.in_flight == [0]

    run(stopped())


def test_call_whose_reader_leaves_in_the_middle_is_counted_no_longer() -> None:
    async def left(pool: Pool) -> list[int]:
        async with aclosing(pool.balancer.stream(question())) as pieces:
            async for _piece in pieces:
                assert pool.in_flight == [1]
                break
        return pool.in_flight

    assert of_pool(left, ["One ", "half."], capacities=(8,)) == [0]


def test_background_calls_do_not_wait_and_leave_half_of_the_capacity() -> None:
    async def aside(pool: Pool) -> None:
        [breaker] = pool.breakers
        background = LoadBalancer([BackgroundBackend(breaker, LIMITS, clock=now)], LIMITS, is_background=True)
        holding = [asyncio.create_task(answer(background)) for _ in range(2)]
        for _ in range(20):
            await asyncio.sleep(0)
        began = now()
        assert await answer(background) == ("", LLMBusy)
        assert now() == began
        holding += [asyncio.create_task(pool.answer()) for _ in range(2)]
        for _ in range(20):
            await asyncio.sleep(0)
        assert pool.in_flight == [4]
        for task in holding:
            task.cancel()

    of_pool(aside, [for_ever], capacities=(4,))


def cheap_and_dear() -> tuple[PlayedBackend, PlayedBackend]:
    cheap, dear = PlayedBackend(["a"]), PlayedBackend(["b"])
    cheap.model, cheap.price = "cheap", Price(input_usd=1, output_usd=2)
    dear.model, dear.price = "dear", Price(input_usd=10, output_usd=20)
    return cheap, dear


def test_budget_reserves_and_counts_the_price_of_the_backend_asked() -> None:
    """L2"""

    async def paid(pool: Pool) -> None:
        book = RecordingLedger()
        for _ in range(2):
            await answer(pool.balancer, asked(call_context=CallContext(ledger=book)))
        cheap, dear = book.opened
        assert (cheap.model, dear.model) == ("cheap", "dear")
        assert cheap.worst_usd is not None
        assert cheap.sent_usd is not None
        assert dear.worst_usd == pytest.approx(10 * cheap.worst_usd)
        assert dear.sent_usd == pytest.approx(10 * cheap.sent_usd)

    of_pool(paid, *cheap_and_dear())


def test_cheaper_backend_answers_if_a_budget_does_not_cover_the_other() -> None:
    """L2"""

    class SmallBudget(RecordingLedger):
        async def open(self, call_context: CallContext, call: CallFigures) -> Any:
            if call.model == "dear":
                raise LLMBudgetSpent("site")
            return await super().open(call_context, call)

    async def covered(pool: Pool) -> tuple[list[Any], list[int]]:
        context = CallContext(ledger=SmallBudget())
        return [await answer(pool.balancer, asked(call_context=context)) for _ in range(4)], pool.calls

    assert of_pool(covered, *cheap_and_dear()) == ([("a", None)] * 4, [4, 0])
