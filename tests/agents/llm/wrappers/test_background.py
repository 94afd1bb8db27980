"""Those whom nobody waits for ask a model too, and what befalls them there befalls nobody else."""

import asyncio
from typing import Any

import pytest

from agents.errors import CircuitOpen, LLMError, LLMKeyRejected, LLMRateLimited, LLMTimeout, LLMUnavailable
from agents.limits import ModelLimits
from agents.llm.wrappers.background import BackgroundBackend
from agents.llm.wrappers.circuit_breaker import CircuitBreaker
from agents.llm.wrappers.retry import RetryingBackend
from tests.agents.llm.jumping_clock import answer, now, run
from tests.agents.llm.played_backend import PlayedBackend
from tests.agents.llm.wrappers.test_circuit_breaker import AlarmLog

LIMITS = ModelLimits()
REFUSED = LLMRateLimited(retry_after_s=1.0)


def beside(*scripts: list[Any]) -> tuple[RetryingBackend, BackgroundBackend, PlayedBackend]:
    """Return the two ways to one model."""
    played = PlayedBackend(*scripts)
    breaker = CircuitBreaker(played, LIMITS, alarm=AlarmLog(), clock=now)
    return RetryingBackend(breaker, LIMITS), BackgroundBackend(breaker, LIMITS, clock=now), played


@pytest.mark.parametrize("error", [LLMUnavailable(), LLMTimeout(silent=True), LLMTimeout(answering=True)], ids=repr)
def test_what_fails_aside_costs_nobody_else_anything(error: LLMError) -> None:
    """V4, V13: the asides leave the model alone; whoever is waited for asks it as before."""

    async def failing() -> None:
        waited_for, aside, played = beside(*[[error]] * LIMITS.failures, ["Good."])
        saved = waited_for.budget.saved
        for _ in range(LIMITS.failures):
            await answer(aside)
        asked = len(played.asked)
        assert await answer(aside) == ("", CircuitOpen)
        assert len(played.asked) == asked <= LIMITS.failures
        played.answers = (["Good."],)
        assert await answer(waited_for) == ("Good.", None)
        assert waited_for.budget.saved >= saved

    run(failing())


@pytest.mark.parametrize(
    ("error", "told"),
    [(LLMKeyRejected(), ["rejected", "played/m answers"]), (LLMUnavailable(), [])],
    ids=["rejected", "out of reach"],
)
def test_alarm_raised_aside_is_settled_by_an_answer_to_the_others(error: LLMError, told: list[str]) -> None:
    """V5, V17: nobody looks for a trouble that is over, or that nobody waits for."""

    async def settled() -> list[str]:
        waited_for, aside, played = beside(["Good."])
        await answer(waited_for)
        played.answers = ([error],)
        for _ in range(LIMITS.failures):
            await answer(aside)
        played.answers = (["Good."],)
        await answer(waited_for)
        alarm = aside.waited_for.alarm
        assert isinstance(alarm, AlarmLog)
        return alarm.all

    first, *after = run(settled())
    assert first == "played/m answers"
    assert list(dict.fromkeys(after)) == told


def test_model_that_is_gone_for_the_others_is_not_asked_aside() -> None:
    """V17: an outage makes no storm of side agents; when the others are let through again, so are they."""

    async def gone() -> None:
        waited_for, aside, played = beside([LLMUnavailable()])
        for _ in range(LIMITS.failures):
            await answer(waited_for)
        asked = len(played.asked)
        assert await answer(aside) == ("", CircuitOpen)
        assert len(played.asked) == asked
        await _pass(LIMITS.open_s)
        played.answers = (["Good."],)
        assert await answer(aside) == ("Good.", None)

    run(gone())


@pytest.mark.parametrize("first", [0, 1], ids=["waited for", "aside"])
def test_where_the_model_has_no_room_the_asides_stop_for_a_while(first: int) -> None:
    """V1: a provider that allows few calls at once serves those first that are waited for."""

    async def crowded() -> None:
        waited_for, aside, _played = beside([REFUSED], ["Good."])
        await answer((waited_for, aside)[first])
        assert await answer(aside) == ("", CircuitOpen)
        assert await answer(waited_for) == ("Good.", None)
        await _pass(LIMITS.crowded_s)
        assert await answer(aside) == ("Good.", None)

    run(crowded())


async def _pass(seconds: float) -> None:
    await asyncio.sleep(seconds)
