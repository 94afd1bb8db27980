"""Interfaces of audio backends: speech to text and text to speech. They raise the errors of `agents/errors.py`."""

from abc import ABC, abstractmethod

from agents.audio.sound import Sound
from agents.llm.sdk import SDKBackend
from agents.llm.token_usage import Usage
from agents.values import value

MAX_SPOKEN_CHARACTERS = 4_096
"""Most characters of a text to be spoken."""
SPEEDS = (0.5, 2.0)
"""The slowest and the fastest; 1 is normal."""


@value
class Transcript:
    text: str
    """Empty if nothing was said."""
    usage: Usage


@value
class SynthesizedSpeech:
    sound: Sound
    usage: Usage


class AudioBackend(ABC):
    name: str
    model: str
    calls_outside: bool = True
    """Whether a person's words leave this site, which needs their consent."""

    def asked_of(self) -> SDKBackend | None:
        """Return the SDK backend that calls the server; None for a model in this process."""
        return None

    async def aclose(self) -> None:  # noqa: B027  # Some have nothing to close.
        """Release what the process or this event loop holds for it."""


class Transcriber(AudioBackend):
    @abstractmethod
    async def transcribe(self, sound: Sound) -> Transcript:
        """Return the words. Raises LLMError, and nothing else."""


class Synthesizer(AudioBackend):
    @abstractmethod
    async def speak(self, text: str, *, speed: float = 1.0) -> SynthesizedSpeech:
        """Return the text as sound. Raises LLMError, and nothing else."""
