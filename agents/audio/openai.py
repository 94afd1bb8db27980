"""Audio backends for OpenAI's Audio API and compatible servers, using the official SDK."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

from pydantic import SecretStr

from agents.audio.base import SynthesizedSpeech, Synthesizer, Transcriber, Transcript
from agents.audio.sound import FILE_EXTENSIONS, Sound
from agents.errors import LLMError, LLMInvalidOutput, LLMRefused, LLMRejected, LLMTruncated, LLMUnavailable
from agents.llm.error_mapping import error_from_exception
from agents.llm.openai import OpenAIBackend
from agents.llm.sdk import valid_token_count
from agents.llm.sse import storable_text
from agents.llm.token_usage import Usage
from agents.wire import strict_json

UNREADABLE = (400, 413, 415, 422)
"""Statuses that servers answer to a recording they cannot read."""
MOST_TEXT_BYTES = 256_000
MOST_SOUND_BYTES = 16 * 1024 * 1024
MAX_TRANSCRIPT_CHARACTERS = 10_000
"""Most characters of a transcript, the same as for a message."""


class _OpenAIAudio:
    def __init__(
        self,
        *,
        model: str,
        api_key: str | SecretStr = "",
        base_url: str = "",
        outside: bool = True,
        name: str = "openai",
    ) -> None:
        self.server = OpenAIBackend(model=model, api_key=api_key, base_url=base_url, outside=outside, name=name)
        self.name, self.model, self.calls_outside = name, model, outside

    def asked_of(self) -> OpenAIBackend:
        return self.server

    async def aclose(self) -> None:
        await self.server.aclose()

    def usage(self, told: Any = None) -> Usage:
        counts = told if isinstance(told, dict) else {}
        read, written = valid_token_count(counts.get("input_tokens")), valid_token_count(counts.get("output_tokens"))
        return Usage(backend=self.name, model=self.model, input_tokens=read, output_tokens=written)

    async def answer(
        self, ask: Callable[[Any], AbstractAsyncContextManager[Any]], *, kinds: tuple[str, ...], most: int
    ) -> Sound:
        """Return the answer's body. Raises LLMError; LLMUnavailable also for another type, such as a sign-in page."""
        self.server.refuse_forbidden_call()
        begun, body = False, bytearray()
        failed: LLMError | None = None
        media_type = ""
        try:
            async with ask(await self.server.client()) as response:
                begun = True
                media_type = response.headers.get("content-type", "").partition(";")[0].strip().lower()
                if not media_type.startswith(kinds):
                    raise LLMUnavailable
                async for chunk in response.iter_bytes():
                    body += chunk
                    if len(body) > most:
                        raise LLMInvalidOutput
        except Exception as error:
            failed = error_from_exception(error, streaming=begun)
        # Outside the except clause: the SDK's error may contain the key.
        if failed is not None:
            raise failed
        return Sound(media_type=media_type, data=bytes(body))


class OpenAITranscriber(_OpenAIAudio, Transcriber):
    """Calls `/audio/transcriptions`."""

    async def transcribe(self, sound: Sound) -> Transcript:
        file = (f"speech.{FILE_EXTENSIONS[sound.media_type]}", sound.data, sound.media_type)

        def ask(client: Any) -> Any:
            create = client.audio.transcriptions.with_streaming_response.create
            return create(file=file, model=self.model, response_format="json")

        try:
            answer = await self.answer(ask, kinds=("application/json",), most=MOST_TEXT_BYTES)
        except LLMRejected as error:
            # The recording may be malicious: it must not open the model's circuit.
            raise LLMRefused(status=error.status) if error.status in UNREADABLE else error from None
        body = _parse_transcription(answer.data)
        text = storable_text(body["text"]).strip()[:MAX_TRANSCRIPT_CHARACTERS]
        return Transcript(text=text, usage=self.usage(body.get("usage")))


def _parse_transcription(data: bytes) -> dict[str, Any]:
    """Return a body that has a text. Raises LLMInvalidOutput."""
    try:
        body = strict_json.loads(data)
    except ValueError:
        raise LLMInvalidOutput from None
    if not isinstance(body, dict) or not isinstance(body.get("text"), str):
        raise LLMInvalidOutput
    return body


class OpenAISynthesizer(_OpenAIAudio, Synthesizer):
    """Calls `/audio/speech`. `voice` is one of the server's own."""

    def __init__(self, *, voice: str, **options: Any) -> None:
        super().__init__(**options)
        self.voice = voice

    async def speak(self, text: str, *, speed: float = 1.0) -> SynthesizedSpeech:
        def ask(client: Any) -> Any:
            create = client.audio.speech.with_streaming_response.create
            return create(input=text, model=self.model, voice=self.voice, speed=speed, response_format="mp3")

        sound = await self.answer(ask, kinds=("audio/", "application/octet-stream"), most=MOST_SOUND_BYTES)
        if not sound.data:
            raise LLMTruncated
        if not sound.media_type.startswith("audio/"):
            sound = Sound(media_type="audio/mpeg", data=sound.data)
        return SynthesizedSpeech(sound=sound, usage=self.usage())
