"""One alias, two servers: the whole chain with the real SDKs, one backend with Anthropic's API and one with OpenAI's."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from agents.conf import sdk_backends
from agents.errors import LLMUnavailable
from agents.limits import ModelLimits
from agents.llm.base import AnswerEnd, TextPiece
from agents.llm.call_context import CallContext
from agents.llm.prices import Price
from agents.llm.wrappers.circuit_breaker import CircuitBreaker
from agents.runtime import model_chain as chains
from agents.runtime.model_chain import breakers_for_tier, model_chain_for, models_for_tier
from tests.agents.llm.conftest import KEY
from tests.agents.llm.jumping_clock import heard, question
from tests.agents.llm.wrappers.test_circuit_breaker import AlarmLog
from tests.agents.llm.wrappers.test_recording import RecordingLedger
from tests.provider import Answer, Provider

OUR_WORDS = "In our words."
LIMITS = ModelLimits(pauses_s=(0.001, 0.002))
CHEAP, DEAR = Price(input_usd=1, output_usd=5), Price(input_usd=2, output_usd=10)


@pytest.fixture
def other() -> Iterator[Provider]:
    with Provider(beat_s=0.01) as provider:
        yield provider


@pytest.fixture
def capacities() -> tuple[int, int]:
    return 8, 8


@pytest.fixture(autouse=True)
async def _connected(
    settings: Any,
    provider: Provider,
    other: Provider,
    capacities: tuple[int, int],
    monkeypatch: pytest.MonkeyPatch,
) -> AsyncIterator[None]:
    monkeypatch.setattr(chains, "alert_writer", AlarmLog())
    settings.AGENTS = {"model_limits": LIMITS}
    first, second = capacities
    shared = {"api_key": KEY}
    one = {"model": "big", "name": "claude", "base_url": provider.url, "price": DEAR, "max_parallel": first}
    two = {"model": "qwen", "name": "gpu", "base_url": f"{other.url}/v1", "price": CHEAP, "max_parallel": second}
    strong = [
        {"BACKEND": "agents.llm.anthropic.AnthropicBackend", "OPTIONS": shared | one},
        {"BACKEND": "agents.llm.openai.OpenAIBackend", "OPTIONS": shared | two},
    ]
    offline = {"BACKEND": "agents.llm.offline.OfflineBackend"}
    settings.LLMS = {"strong": strong, "fast": offline, "vision": offline}
    for server in (provider, other):
        server.otherwise(Answer(text="One half."))
    for backend in sdk_backends():
        await backend.client()
    yield
    for backend in sdk_backends():
        await backend.aclose()


async def asked(**fields: Any) -> tuple[str, str, str]:
    """Ask the strong alias; return the words, which backend said them, and why its words are not a model's."""
    pieces, error = await heard(model_chain_for("strong").stream(question(otherwise=OUR_WORDS, **fields)))
    assert error is None
    *said, end = pieces
    assert isinstance(end, AnswerEnd)
    words = "".join(piece.text for piece in said if isinstance(piece, TextPiece))
    return words, end.usage.backend, end.failure.__name__ if end.failure else ""


def breakers() -> tuple[CircuitBreaker, CircuitBreaker]:
    claude, gpu = breakers_for_tier("strong")
    return claude, gpu


@pytest.mark.parametrize("capacities", [(8, 2)])
async def test_calls_are_spread_in_proportion_to_free_capacity(provider: Provider, other: Provider) -> None:
    for server in (provider, other):
        server.fault("V13")
    tasks = [asyncio.create_task(asked()) for _ in range(10)]
    await asyncio.gather(asyncio.to_thread(provider.wait_for, 8), asyncio.to_thread(other.wait_for, 2))
    assert [breaker.load.in_flight for breaker in breakers()] == [8, 2]
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)
    assert (provider.attempts, other.attempts) == (8, 2)


async def test_all_calls_go_to_the_other_server_until_the_first_is_back(provider: Provider, other: Provider) -> None:
    """V17: nobody hears of it, five calls fail, and one call finds out that the server is back."""
    claude, gpu = breakers()
    clock = claude.circuit.clock()
    claude.circuit.clock = lambda: clock
    provider.outage()
    assert {await asked() for _ in range(20)} == {("One half.", "gpu", "")}
    assert (claude.circuit.state, gpu.circuit.state, other.attempts) == ("open", "closed", 20)
    provider.recover()
    assert {await asked() for _ in range(5)} == {("One half.", "gpu", "")}
    assert provider.attempts == 0
    clock += LIMITS.open_s
    assert [(await asked())[1] for _ in range(4)].count("claude") == 2
    assert claude.circuit.state == "closed"


async def test_wait_of_an_hour_is_another_servers_turn(provider: Provider, other: Provider) -> None:
    """V2: no call waits, and none goes to a server that has asked for an hour's pause."""
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    models_for_tier("strong")[0].sleep = sleep
    provider.fault("V2")
    assert {await asked() for _ in range(10)} == {("One half.", "gpu", "")}
    assert (provider.attempts, other.attempts, slept) == (1, 10, [])


async def test_authored_words_come_where_both_are_down(provider: Provider, other: Provider) -> None:
    """V17: and no server is asked while its circuit is open."""
    for server in (provider, other):
        server.fault("V17:503")
    assert {(await asked())[:2] for _ in range(10)} == {(OUR_WORDS, "offline")}
    assert [breaker.circuit.state for breaker in breakers()] == ["open", "open"]
    asked_before = provider.attempts, other.attempts
    assert await asked() == (OUR_WORDS, "offline", "CircuitOpen")
    assert (provider.attempts, other.attempts) == asked_before


async def test_each_call_is_on_record_with_its_own_backend_model_and_price(provider: Provider, other: Provider) -> None:
    """L2"""
    book = RecordingLedger()
    provider.fault("V4:500", times=1)
    assert (await asked(call_context=CallContext(ledger=book)))[1] == "gpu"
    assert (await asked(call_context=CallContext(ledger=book), context="Again."))[1] == "claude"
    named = [(call.backend, call.model) for call in book.opened]
    assert named == [("claude", "big"), ("gpu", "qwen"), ("claude", "big")]
    dear, cheap, _ = (call.worst_usd for call in book.opened)
    assert dear == 2 * (cheap or 0.0)
    failed, gpu, claude = book.settled
    assert (failed.error, failed.spent_usd) == (LLMUnavailable.__name__, 0.0)
    for result, price in ((gpu, CHEAP), (claude, DEAR)):
        assert result.usage.input_tokens is not None
        assert result.usage.output_tokens is not None
        assert result.usage.cost_usd == price.usd(result.usage.input_tokens, result.usage.output_tokens)
