"""What hears and what speaks for the page: each is asked for one word, or handed a second of silence."""

import asyncio
import io
import wave
from collections.abc import AsyncIterator
from time import monotonic
from typing import get_args

from agents.audio.base import AudioBackend, Synthesizer, Transcriber
from agents.audio.openai import OpenAISynthesizer, OpenAITranscriber
from agents.audio.sound import Sound
from agents.errors import LLMError, LLMTimeout
from agents.runtime.speech_access import SpeechService, speech_calls
from learnagent.operations.doctor import Finding
from learnagent.operations.model_examination import failure_reason

ANSWER_WITHIN_S = 30.0
RATE = 16_000


async def examine_speech() -> AsyncIterator[Finding]:
    """Yield a finding for each that is set up or installed."""
    found = [(way, calls.backend) for way in get_args(SpeechService) for calls in speech_calls(way)]
    if not found:
        yield Finding(
            part="speech", works=True, says="left to the browser, because nothing is configured or installed for it"
        )
    for way, backend in found:
        yield await examine_backend(way, backend)
        await backend.aclose()


async def examine_backend(way: SpeechService, backend: AudioBackend) -> Finding:
    who = f"{backend.name} {backend.model}"
    started = monotonic()
    try:
        async with asyncio.timeout(ANSWER_WITHIN_S):
            await _try_out(backend)
    except (LLMError, TimeoutError) as error:
        failure = error if isinstance(error, LLMError) else LLMTimeout()
        why = "its process does not run: reinstall it"
        if isinstance(backend, OpenAITranscriber | OpenAISynthesizer):
            why = failure_reason(failure, backend.server)
        return Finding(part=way, works=False, says=f"{who}: {why}")
    return Finding(part=way, works=True, says=f"{who} answers in {round((monotonic() - started) * 1000)} ms")


async def _try_out(backend: AudioBackend) -> None:
    match backend:
        case Transcriber():
            await backend.transcribe(silence())
        case Synthesizer():
            await backend.speak("Yes.")


def silence() -> Sound:
    """Return a second of it."""
    file = io.BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setnchannels(1)
        writer.setsampwidth(2)
        writer.setframerate(RATE)
        writer.writeframes(bytes(2 * RATE))
    return Sound(media_type="audio/wav", data=file.getvalue())
