"""Calls to an alias are spread over its backends by free capacity, and reach another one where one fails."""

import asyncio
from collections.abc import Callable, Coroutine
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
from agents.llm.call_context import CallContext
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


@pytest.mark.parametrize("error", [LLMRefused(), LLMBudgetSpent("site")], ids=repr)
def test_no_other_backend_overrules_a_refusal_or_a_budget(error: LLMError) -> None:
    async def refused(pool: Pool) -> tuple[Any, list[int]]:
        return await pool.answer(), pool.calls

    assert of_pool(refused, [error], ["b"]) == (("", type(error)), [1, 0])


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


def test_error_is_that_of_the_last_backend_and_open_circuits_take_no_calls() -> None:
    async def down(pool: Pool) -> None:
        assert await pool.answer() == ("", LLMUnavailable)
        for _ in range(20):
            await pool.answer()
        assert await pool.answer() == ("", CircuitOpen)
        assert pool.calls == [5, 5]
        assert pool.balancer.is_paused

    of_pool(down, [LLMTruncated()], [LLMUnavailable()])


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


def test_background_call_does_not_wait_and_counts_for_the_foreground() -> None:
    async def aside(pool: Pool) -> None:
        [breaker] = pool.breakers
        background = LoadBalancer([BackgroundBackend(breaker, LIMITS, clock=now)], LIMITS, waits=False)
        holding = asyncio.create_task(answer(background))
        for _ in range(20):
            await asyncio.sleep(0)
        assert pool.in_flight == [1]
        began = now()
        assert await answer(background) == ("", LLMBusy)
        assert now() == began
        holding.cancel()

    of_pool(aside, [for_ever], capacities=(1,))


def test_budget_reserves_the_highest_price_and_counts_the_real_one() -> None:
    """L2: whichever backend answers, the reserved amount covers it."""

    async def paid(pool: Pool) -> None:
        book = RecordingLedger()
        for _ in range(2):
            await answer(pool.balancer, asked(call_context=CallContext(ledger=book)))
        cheap, dear = book.opened
        assert (cheap.model, dear.model) == ("cheap", "dear")
        assert cheap.worst_usd == dear.worst_usd
        assert cheap.sent_usd is not None
        assert dear.sent_usd == 10 * cheap.sent_usd

    cheap, dear = PlayedBackend(["a"]), PlayedBackend(["b"])
    cheap.model, cheap.price = "cheap", Price(input_usd=1, output_usd=50)
    dear.model, dear.price = "dear", Price(input_usd=10, output_usd=20)
    of_pool(paid, cheap, dear)
