"""Speech by a server on OpenAI's wire, asked with the real SDK: what comes back, and what each fault of it means."""

from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from agents.audio.guarded_calls import GuardedAudioCalls
from agents.audio.openai import OpenAISynthesizer, OpenAITranscriber
from agents.audio.sound import Sound
from agents.errors import (
    CircuitOpen,
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
from agents.llm.call_context import CallContext, CallFigures, CallResult
from tests.provider import Provider
from tests.provider.audio_wire import tone

KEY = "sk-test-CANARY-0123456789"
LIMITS = ModelLimits(pauses_s=(0.001, 0.002))
RECORDING = Sound(media_type="audio/wav", data=tone(0.01))


@pytest.fixture
def provider() -> Iterator[Provider]:
    with Provider(beat_s=0.01) as provider:
        yield provider


class AudioLedger:
    """A ledger that remembers."""

    def __init__(self) -> None:
        self.opened: list[CallFigures] = []
        self.settled: list[CallResult] = []

    async def open(self, call_context: CallContext, call: CallFigures) -> CallFigures:
        self.opened.append(call)
        return call

    async def settle(self, entry: Any, result: CallResult) -> None:
        self.settled.append(result)


async def no_time(seconds: float) -> None:
    """Pause for none."""


@pytest.fixture
async def both(provider: Provider) -> AsyncIterator[dict[str, GuardedAudioCalls]]:
    options = {"api_key": KEY, "base_url": f"{provider.url}/v1"}
    hearing = OpenAITranscriber(model="ear", **options)
    speaking = OpenAISynthesizer(model="mouth", voice="alloy", **options)
    for backend in (hearing, speaking):
        await backend.server.client()  # To load the SDK takes longer than these limits allow for an answer.
    yield {
        "hear": GuardedAudioCalls(hearing, LIMITS, sleep=no_time),
        "speak": GuardedAudioCalls(speaking, LIMITS, sleep=no_time),
    }
    await hearing.aclose()
    await speaking.aclose()


async def ask(both: dict[str, GuardedAudioCalls], way: str, call_context: CallContext | None = None) -> Any:
    call_context = call_context or CallContext()
    if way == "hear":
        return await both["hear"].transcribe(RECORDING, call_context)
    return await both["speak"].speak("One half.", call_context, speed=1.25)


async def test_words_and_sound_come_and_are_on_record_without_words(provider: Provider, both: Any) -> None:
    ledger = AudioLedger()
    assert await ask(both, "hear", CallContext(ledger=ledger)) == provider.hears
    sound = await ask(both, "speak", CallContext(ledger=ledger))
    assert (sound.media_type, sound.data) == ("audio/wav", provider.sound)
    heard, said = (request.body for request in provider.requests)
    assert heard == {
        "model": "ear",
        "response_format": "json",
        "file": ("speech.wav", "audio/wav", len(RECORDING.data)),
    }
    assert said == {"model": "mouth", "voice": "alloy", "input": "One half.", "speed": 1.25, "response_format": "mp3"}
    assert [call.agent for call in ledger.opened] == ["transcription", "speech"]
    assert [(each.usage.input_tokens, each.usage.cost_usd, each.spent_tokens) for each in ledger.settled] == [
        (30, None, 39),
        (None, None, 0),
    ]
    kept = repr(ledger.opened) + repr(ledger.settled)
    assert provider.hears not in kept
    assert "One half." not in kept


@pytest.mark.parametrize(
    ("way", "fault", "error", "attempts"),
    [
        ("hear", "V1", LLMRateLimited, 3),
        ("hear", "V2", LLMRateLimited, 1),
        ("hear", "V3", LLMSpendLimit, 1),
        ("hear", "V4", LLMUnavailable, 3),
        ("hear", "V5", LLMKeyRejected, 1),
        ("hear", "V5:400", LLMRefused, 1),
        ("speak", "V5:400", LLMRejected, 1),
        ("hear", "V10", LLMUnavailable, 3),
        ("speak", "V10", LLMUnavailable, 3),
        ("speak", "V7:cut", LLMTruncated, 3),
        ("speak", "V11", LLMTimeout, 1),
        ("hear", "V13", LLMTimeout, 1),
        ("speak", "V17:reset", LLMUnavailable, 3),
    ],
)
async def test_fault_is_one_of_our_errors(
    provider: Provider, both: Any, way: str, fault: str, error: type[Exception], attempts: int
) -> None:
    """V1-V5, V7, V10, V11, V13, V17: tried again where that may help, and every attempt on record."""
    ledger = AudioLedger()
    provider.fault(fault)
    if error is LLMTimeout:
        both[way].attempt_s = 0.1
    with pytest.raises(error) as raised:
        await ask(both, way, CallContext(ledger=ledger))
    assert KEY not in repr(raised.value) + repr(raised.value.__context__)
    assert provider.attempts == attempts
    assert [result.error for result in ledger.settled] == [error.__name__] * attempts


@pytest.mark.parametrize("way", ["hear", "speak"])
async def test_passing_fault_is_not_noticed(provider: Provider, both: Any, way: str) -> None:
    """V4"""
    provider.fault("V4", times=1)
    assert await ask(both, way)
    assert provider.attempts == 2


async def test_model_that_fails_and_fails_is_left_alone(provider: Provider, both: Any) -> None:
    """V5: what only an admin can mend is asked once."""
    provider.fault("V5")
    for error in (LLMKeyRejected, CircuitOpen):
        with pytest.raises(error):
            await ask(both, "hear")
    assert provider.attempts == 1


async def test_empty_and_broken_answers_are_none(provider: Provider, both: Any) -> None:
    """V9: silence is an answer, sound of no length is not."""
    provider.hears = " "
    assert await ask(both, "hear") == ""
    provider.fault("V9")
    with pytest.raises(LLMInvalidOutput):
        await ask(both, "hear")
    provider.fault(None)
    provider.sound = b""
    with pytest.raises(LLMTruncated):
        await ask(both, "speak")
