"""A breaker asks a failing model no more, and tells an admin what only they can mend."""

import asyncio
from typing import Any

import pytest

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
    LLMTruncated,
    LLMUnavailable,
)
from agents.limits import ModelLimits
from agents.llm.base import TextPiece
from agents.llm.wrappers.circuit_breaker import CircuitBreaker, ModelTrouble
from agents.llm.wrappers.time_limits import TimeLimitBackend
from tests.agents.engine.stage import for_ever
from tests.agents.llm.jumping_clock import answer, now, question, run
from tests.agents.llm.played_backend import PlayedBackend
from tests.event_log import EventLog

LIMITS = ModelLimits()


class AlarmLog:
    """An alarm that only remembers."""

    def __init__(self) -> None:
        self.all: list[ModelTrouble | str] = []

    def raised(self, trouble: ModelTrouble, backend: str, model: str) -> None:
        self.all.append(trouble)

    def settled(self, backend: str, model: str) -> None:
        self.all.append(f"{backend}/{model} answers")


def breaker(*scripts: list[Any]) -> tuple[CircuitBreaker, PlayedBackend, AlarmLog]:
    played, heard = PlayedBackend(*scripts), AlarmLog()
    return CircuitBreaker(played, LIMITS, alarm=heard, clock=now), played, heard


async def after(error: LLMError, *, times: int) -> tuple[str, int, list[ModelTrouble | str]]:
    """Return the circuit's state, how often the model was asked, and what was told, after so many questions."""
    it, played, heard = breaker([error])
    for _ in range(times):
        await answer(it)
    return it.circuit.state, len(played.asked), heard.all


@pytest.mark.parametrize("error", [LLMUnavailable(), LLMRateLimited(), LLMTruncated()], ids=repr)
def test_fifth_failure_opens(error: LLMError) -> None:
    """V4, V6, V13: a model that fails again and again is left alone, and an admin hears of it once."""
    assert run(after(error, times=50)) == ("open", 5, ["unreachable"])


def test_second_silence_opens() -> None:
    """V13: whoever learns alone waits for a model that hangs twice, and not at every turn."""
    assert run(after(LLMTimeout(silent=True), times=50)) == ("open", 2, ["unreachable"])


def test_askers_own_time_is_no_silence_of_the_models() -> None:
    assert run(after(LLMTimeout(), times=50)) == ("open", 5, ["unreachable"])


async def after_calls_of_two_seconds(*script: Any, late_is_failure: bool) -> tuple[str, int]:
    """Return the circuit's state, and how often the model was asked, after twenty calls of agents with little time."""
    played = PlayedBackend(list(script))
    limited = TimeLimitBackend(played, LIMITS)
    it = CircuitBreaker(limited, LIMITS, late_is_failure=late_is_failure, clock=now)
    for _ in range(20):
        await answer(it, question(ends=now() + 2.0))
    return it.circuit.state, len(played.asked)


def test_steady_answer_that_takes_longer_than_its_agent_has_blocks_nobody() -> None:
    """Agents of a second or two would otherwise take a working model from everybody."""
    steady = ["a", lambda: asyncio.sleep(0.5)] * 10
    assert run(after_calls_of_two_seconds(*steady, late_is_failure=False)) == ("closed", 20)
    assert run(after_calls_of_two_seconds(for_ever, late_is_failure=False)) == ("open", 5)


def test_steady_answer_that_comes_too_late_is_not_asked_for_again_where_nobody_waits() -> None:
    steady = ["a", lambda: asyncio.sleep(0.5)] * 10
    assert run(after_calls_of_two_seconds(*steady, late_is_failure=True)) == ("open", 5)


@pytest.mark.parametrize(("error", "told"), [(LLMKeyRejected(), "rejected"), (LLMSpendLimit(), "spend_limit")])
def test_wrong_key_or_spend_limit_opens_at_once(error: LLMError, told: str) -> None:
    """V3, V5: no second call goes out, and an admin is told."""
    assert run(after(error, times=50)) == ("open", 1, [told])


def test_rejected_request_is_told_at_once() -> None:
    """V5: a 400 is no retry and an alert."""
    assert run(after(LLMRejected(), times=1)) == ("closed", 1, ["rejected"])


@pytest.mark.parametrize("error", [LLMRefused(), LLMInvalidOutput()], ids=repr)
def test_refusal_and_wrong_shape_are_answers(error: LLMError) -> None:
    assert run(after(error, times=20)) == ("closed", 20, ["played/m answers"])


def test_budget_of_ours_says_nothing_of_the_model() -> None:
    assert run(after(LLMBudgetSpent(), times=20)) == ("closed", 20, [])


def test_open_circuit_answers_at_once_that_there_is_nobody() -> None:
    async def asked() -> tuple[object, float]:
        it, _played, _heard = breaker([LLMUnavailable()])
        for _ in range(5):
            await answer(it)
        started = now()
        return (await answer(it))[1], now() - started

    assert run(asked()) == (CircuitOpen, 0.0)


def test_model_that_is_back_is_found_by_one_probe() -> None:
    """V17: back within 30 s of its return; of many questions at once one is let through to see."""

    async def back() -> tuple[int, list[str], list[ModelTrouble | str]]:
        it, played, heard = breaker(*[[LLMUnavailable()]] * 5, [lambda: asyncio.sleep(1), "Good."])
        for _ in range(5):
            await answer(it)
        await asyncio.sleep(15)
        crowd = await asyncio.gather(*(answer(it) for _ in range(20)))
        said = sorted({text for text, _error in crowd})
        return len(played.asked), [*said, (await answer(it))[0]], heard.all

    assert run(back()) == (6, ["", "Good.", "Good."], ["unreachable", "played/m answers"])


def test_answer_of_an_earlier_trouble_is_told_once() -> None:
    async def told() -> list[ModelTrouble | str]:
        it, _played, heard = breaker(["a"], [LLMSpendLimit()], ["b"])
        for _ in range(2):
            await answer(it)
        await asyncio.sleep(60)
        for _ in range(5):
            await answer(it)
        return heard.all

    assert run(told()) == ["played/m answers", "spend_limit", "played/m answers"]


def test_reader_who_leaves_a_probe_leaves_its_place() -> None:
    async def left() -> tuple[str, str]:
        it, _played, _heard = breaker(*[[LLMUnavailable()]] * 5, [for_ever], ["Good."])
        for _ in range(5):
            await answer(it)
        await asyncio.sleep(15)
        probe = asyncio.create_task(answer(it))
        await asyncio.sleep(1)
        state = it.circuit.state
        probe.cancel()
        await asyncio.wait([probe])
        return state, (await answer(it))[0]

    assert run(left()) == ("probing", "Good.")


def test_reader_who_has_heard_enough_was_answered() -> None:
    async def cut_off() -> tuple[str, ModelTrouble | None]:
        it, _played, _heard = breaker(*[[LLMUnavailable()]] * 5, ["One", " half", for_ever])
        for _ in range(5):
            await answer(it)
        await asyncio.sleep(15)
        stream = it.stream(question())
        assert await anext(stream) == TextPiece("One")
        await stream.aclose()
        return it.circuit.state, it.trouble

    assert run(cut_off()) == ("closed", None)


def test_log_says_what_kind_of_trouble_it_is(log: EventLog) -> None:
    run(after(LLMKeyRejected(), times=1))
    [event] = log.events
    assert (event["event"], event["level"]) == ("circuit_opened", "error")
    assert (event["backend"], event["model"]) == ("played", "m")
    assert (event["trouble"], event["error"]) == ("rejected", "LLMKeyRejected")


def test_outage_is_told_at_its_beginning_and_at_its_end_however_often_it_is_asked(log: EventLog) -> None:
    async def away_and_back() -> None:
        it, _played, _heard = breaker(*[[LLMUnavailable()]] * 6, ["Good."])
        for _ in range(20):
            await answer(it)
        for _probe in range(2):
            await asyncio.sleep(15)
            await answer(it)

    run(away_and_back())
    told = [event["event"] for event in log.events]
    assert told == ["circuit_opened", "circuit_probing", "circuit_probing", "circuit_closed"]


def test_each_rejected_call_is_told(log: EventLog) -> None:
    run(after(LLMRejected(), times=2))
    assert [event["event"] for event in log.events] == ["model_call_rejected"] * 2
