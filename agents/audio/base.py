"""The interfaces: a backend that hears, and one that speaks. What they raise are the errors of `agents/errors.py`."""

from abc import ABC, abstractmethod

from agents.audio.sound import Sound
from agents.llm.sdk import SDKBackend
from agents.llm.token_usage import Usage
from agents.values import value

MAX_SPOKEN_CHARACTERS = 4_096
"""Of one text to be spoken."""
SPEEDS = (0.5, 2.0)
"""The slowest and the fastest; 1 is usual."""


@value
class Transcript:
    text: str
    """Empty where nothing was said."""
    usage: Usage


@value
class SynthesizedSpeech:
    sound: Sound
    usage: Usage


class AudioBackend(ABC):
    name: str
    model: str
    calls_outside: bool = True
    """Whether what a person said leaves this installation: needs their consent."""

    def asked_of(self) -> SDKBackend | None:
        """Return what speaks to the server; None for what runs in this process."""
        return None

    async def aclose(self) -> None:  # noqa: B027  # Some have nothing to close.
        """Give back what the process or this loop holds for it."""


class Transcriber(AudioBackend):
    @abstractmethod
    async def transcribe(self, sound: Sound) -> Transcript:
        """Return the words. Raise LLMError, and nothing else."""


class Synthesizer(AudioBackend):
    @abstractmethod
    async def speak(self, text: str, *, speed: float = 1.0) -> SynthesizedSpeech:
        """Return the text as sound. Raise LLMError, and nothing else."""
