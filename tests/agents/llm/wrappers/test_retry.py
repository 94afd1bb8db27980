"""A model is asked again only where that may help, while there is time, and never once it said something."""

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

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
from agents.llm.base import ToolRequest
from agents.llm.wrappers.retry import RetryBudget, RetryingBackend
from tests.agents.llm.jumping_clock import answer, now, question, run
from tests.agents.llm.played_backend import PlayedBackend
from tests.event_log import EventLog

LIMITS = ModelLimits()


class Verdict(BaseModel):
    correct: bool


async def tried(
    *scripts: list[Any], limits: ModelLimits = LIMITS, agent_s: float = 30.0, **asked: Any
) -> tuple[int, str, object, float]:
    """Return how often a model was asked, what was said, the error, and the seconds it took."""
    started = now()
    played = PlayedBackend(*scripts)
    said, error = await answer(RetryingBackend(played, limits), question(ends=started + agent_s, **asked))
    return len(played.asked), said, error, now() - started


@pytest.mark.parametrize("error", [LLMUnavailable(), LLMRateLimited(), LLMTruncated()], ids=repr)
def test_passing_trouble_is_tried_again(error: LLMError) -> None:
    """V4: a server that is down or overloaded is asked again, after a pause of random length."""
    asked, said, failed, seconds = run(tried([error], ["Good."]))
    assert (asked, said, failed) == (2, "Good.", None)
    assert 0.25 <= seconds <= 1.0


@pytest.mark.parametrize(
    "error",
    [
        LLMRejected(),
        LLMKeyRejected(),
        LLMSpendLimit(),
        LLMBudgetSpent(),
        LLMInvalidOutput(),
        LLMRefused(),
        CircuitOpen(),
        LLMTimeout(),
    ],
    ids=repr,
)
def test_trouble_that_lasts_is_not_tried_again(error: LLMError) -> None:
    """V3, V5, V13: a wrong key, a spend limit, a rejected request or a silence is asked once."""
    assert run(tried([error], ["Good."]))[:3] == (1, "", type(error))


def test_third_failure_is_the_last() -> None:
    asked, _said, error, seconds = run(tried([LLMUnavailable()]))
    assert (asked, error) == (3, LLMUnavailable)
    assert seconds <= 1.0 + 2.0


def test_provider_says_when_to_come_back() -> None:
    """V1: a wait of a second that fits into the time is kept, and then the answer comes."""
    asked, said, _error, seconds = run(tried([LLMRateLimited(retry_after_s=1)], ["Good."]))
    assert (asked, said) == (2, "Good.")
    assert 1.0 <= seconds <= 1.25


@pytest.mark.parametrize("agent_s", [30.0, float("inf")])
def test_wait_that_does_not_fit_is_not_begun(agent_s: float) -> None:
    """V2: an hour's wait is refused at once."""
    assert run(tried([LLMRateLimited(retry_after_s=3600)], agent_s=agent_s)) == (1, "", LLMRateLimited, 0.0)


def test_nothing_is_asked_again_after_a_word_was_shown() -> None:
    assert run(tried(["One", LLMTruncated()], ["half"]))[:3] == (1, "One", LLMTruncated)


def test_nothing_is_asked_again_after_a_tool_was_asked() -> None:
    call = ToolRequest(id="1", name="look_up", arguments="{}")
    assert run(tried([call, LLMTruncated()], ["half"]))[0] == 1


def test_result_that_broke_off_is_asked_again_since_nobody_saw_it() -> None:
    assert run(tried(['{"corr', LLMTruncated()], ["{}"], schema=Verdict))[0] == 2


@given(
    waits=st.lists(st.none() | st.floats(0, 100), min_size=1, max_size=6),
    agent_s=st.floats(0.5, 60),
    shown=st.booleans(),
)
def test_retries_keep_within_the_agents_time(waits: list[float | None], agent_s: float, shown: bool) -> None:
    """Whatever the provider asks for: at most three attempts, none after a word, none beyond the time."""
    first = ["word"] if shown else []
    scripts = [[*first, LLMRateLimited(retry_after_s=wait)] for wait in waits]
    asked, _said, error, seconds = run(tried(*scripts, agent_s=agent_s))
    assert error is LLMRateLimited
    assert asked <= (1 if shown else 3)
    assert seconds <= agent_s


@given(outage=st.lists(st.booleans(), min_size=1, max_size=400))
def test_second_attempts_are_a_tenth_of_the_questions(outage: list[bool]) -> None:
    """V17: no storm: beside what was saved up before, one more attempt for ten questions."""
    budget, spent = RetryBudget(LIMITS), 0
    for wants in outage:
        budget.earn()
        spent += wants and budget.spend()
    assert spent <= LIMITS.retries_saved[0] + 0.1 * len(outage) + 1e-9


def test_saved_attempts_have_a_bound() -> None:
    budget = RetryBudget(LIMITS)
    for _ in range(10_000):
        budget.earn()
    assert sum(budget.spend() for _ in range(100)) == LIMITS.retries_saved[1]


def test_pause_is_slept_on_the_loop() -> None:
    """Others go on meanwhile."""

    async def both() -> list[str]:
        order: list[str] = []

        async def slow() -> None:
            await answer(RetryingBackend(PlayedBackend([LLMUnavailable()], ["Good."]), LIMITS))
            order.append("retried")

        async def quick() -> None:
            await asyncio.sleep(0.1)
            order.append("quick")

        await asyncio.gather(slow(), quick())
        return order

    assert run(both()) == ["quick", "retried"]


def test_each_retry_is_told(log: EventLog) -> None:
    run(tried([LLMUnavailable()], [LLMRateLimited()], ["Good."]))
    first, second = log.named("model_call_retried")
    assert (first["attempt"], first["error"]) == (2, "LLMUnavailable")
    assert (second["attempt"], second["error"], second["model"]) == (3, "LLMRateLimited", "m")
