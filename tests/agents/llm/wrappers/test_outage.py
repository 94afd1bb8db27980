"""V17: all providers are down for five minutes, and back: played in time that jumps, at several paces."""

import asyncio
from collections.abc import AsyncGenerator

import pytest

from agents.errors import LLMUnavailable
from agents.limits import ModelLimits
from agents.llm.base import Abilities, AnswerEnd, AnswerPiece, LLMBackend, ModelRequest, TextPiece
from agents.llm.offline import OfflineBackend
from agents.llm.token_usage import Usage
from agents.llm.wrappers.circuit_breaker import CircuitBreaker
from agents.llm.wrappers.fallback import FallbackBackend
from agents.llm.wrappers.retry import RetryingBackend
from agents.llm.wrappers.time_limits import TimeLimitBackend
from tests.agents.llm.jumping_clock import answer, now, question, run

LIMITS = ModelLimits()
DOWN_FROM_S, DOWN_UNTIL_S, END_S = 60.0, 360.0, 480.0


class OutageBackend(LLMBackend):
    """Answers, but for the five minutes in which it is down."""

    name = "model"
    is_local = True

    def __init__(self, model: str, *, hangs: bool = False) -> None:
        self.model = model
        self.hangs = hangs
        """Whether it does not refuse while it is down, but says nothing."""
        self.abilities = Abilities()
        self.attempts: list[float] = []

    async def stream(self, asked: ModelRequest) -> AsyncGenerator[AnswerPiece]:
        at = now() - 1_000.0
        self.attempts.append(at)
        await asyncio.sleep(0.05)
        if DOWN_FROM_S <= at < DOWN_UNTIL_S:
            await asyncio.sleep(1_000 if self.hangs else 0)
            raise LLMUnavailable
        yield TextPiece(self.model)
        yield AnswerEnd(usage=Usage(backend=self.name, model=self.model))


def guarded(model: OutageBackend, limits: ModelLimits = LIMITS) -> RetryingBackend:
    return RetryingBackend(CircuitBreaker(TimeLimitBackend(model, limits), limits, clock=now), limits)


async def outage(every_s: float) -> tuple[list[tuple[float, str]], list[OutageBackend]]:
    """Ask at this pace for eight minutes; return when each question was asked and what was said, and the models."""
    models = [OutageBackend("strong"), OutageBackend("fast")]
    chain = FallbackBackend([guarded(model) for model in models], OfflineBackend(), LIMITS)
    heard: list[tuple[float, str]] = []

    async def ask() -> None:
        at = now() - 1_000.0
        text, error = await answer(chain, question(otherwise="offline", ends=now() + 30.0))
        assert error is None
        heard.append((at, text))

    async with asyncio.TaskGroup() as group:
        for _ in range(int(END_S / every_s)):
            group.create_task(ask())
            await asyncio.sleep(every_s)
    return heard, models


@pytest.mark.parametrize("every_s", [0.05, 0.5, 2.0, 5.0])
def test_outage_makes_no_storm_and_ends_soon_after_it_is_over(every_s: float) -> None:
    """V17: built-in words meanwhile; attempts at most 1.1 of the questions; back within 30 s of the return."""
    heard, models = run(outage(every_s))
    during = [text for at, text in heard if DOWN_FROM_S <= at < DOWN_UNTIL_S - 30]
    assert set(during) == {"offline"}
    for model in models:
        tried = [at for at in model.attempts if DOWN_FROM_S <= at < DOWN_UNTIL_S]
        assert len(tried) <= 1.1 * len([at for at, _text in heard if DOWN_FROM_S <= at < DOWN_UNTIL_S])
    late = {text for at, text in heard if at >= DOWN_UNTIL_S + 30}
    assert late == {"strong"}


def test_twenty_questions_a_second_make_a_probe_every_fifteen_seconds() -> None:
    """V17: what the provider sees of a crowd while it is down."""
    _heard, models = run(outage(0.05))
    for model in models:
        assert len([at for at in model.attempts if DOWN_FROM_S + 15 <= at < DOWN_UNTIL_S]) <= 30


async def waits(*, hangs: bool) -> list[float]:
    """Return the seconds that twelve questions waited, one after the other, for a model that is down."""
    model = OutageBackend("strong", hangs=hangs)
    it = FallbackBackend([guarded(model)], OfflineBackend(), LIMITS)
    await asyncio.sleep(DOWN_FROM_S)
    took = []
    for _ in range(12):
        started = now()
        await answer(it, question(otherwise="offline", ends=now() + 30))
        took.append(now() - started)
    return took


def test_nobody_waits_while_the_circuit_is_open() -> None:
    """V17: after the second question the built-in words come at once."""
    took = run(waits(hangs=False))
    assert [seconds > 0 for seconds in took] == [True, True] + [False] * 10


def test_probe_that_fails_is_not_paused_after() -> None:
    """V17: whoever meets the probe waits for that one attempt, and no more."""

    async def probed() -> tuple[float, int]:
        model, limits = OutageBackend("strong"), ModelLimits(retries_saved=(10, 10))
        it = FallbackBackend([guarded(model, limits)], OfflineBackend(), limits)
        await asyncio.sleep(DOWN_FROM_S)
        for _ in range(3):
            await answer(it, question(otherwise="offline"))
        await asyncio.sleep(LIMITS.open_s)
        started, tried = now(), len(model.attempts)
        await answer(it, question(otherwise="offline"))
        return now() - started, len(model.attempts) - tried

    assert run(probed()) == (pytest.approx(0.05), 1)


def test_model_that_hangs_is_waited_for_once_when_its_retries_are_spent() -> None:
    """V13: the attempt's deadline is what a question waits, and the agent's own time at most."""
    took = run(waits(hangs=True))
    assert max(took) <= 30
    assert len([seconds for seconds in took if seconds > LIMITS.first_piece_s]) <= 3
