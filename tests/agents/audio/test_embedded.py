"""Speech by models on this machine: the real ones where they are installed, and what happens where their process dies."""

import asyncio

import pytest

from agents.audio.embedded import PIPER, WHISPER, ModelProcess, PiperSynthesizer, WhisperTranscriber, is_installed
from agents.audio.sound import Sound, duration_of
from agents.errors import LLMRefused, LLMUnavailable
from tests.provider.audio_wire import tone

with_whisper = pytest.mark.skipif(not is_installed(WHISPER), reason="the extra `speech` is not installed")
with_piper = pytest.mark.skipif(not is_installed(PIPER), reason="the extra `speech-gpl` is not installed")


async def test_process_that_dies_is_no_answer() -> None:
    child = ModelProcess("nothing")
    for _ in range(2):
        with pytest.raises(LLMUnavailable):
            await child.ask({}, b"")
    await child.close()


@with_whisper
@with_piper
async def test_what_is_spoken_is_heard() -> None:
    ear, mouth = WhisperTranscriber(), PiperSynthesizer()
    usual, fast = [(await mouth.speak("They have to be the same size.", speed=speed)).sound for speed in (1.0, 2.0)]
    assert (duration_of(fast) or 9) < (duration_of(usual) or 0)
    heard = await ear.transcribe(usual)
    assert (heard.text, heard.usage.cost_usd) == ("They have to be the same size.", 0.0)
    await asyncio.gather(ear.aclose(), mouth.aclose())


@with_whisper
@pytest.mark.parametrize(
    "sound",
    [
        Sound(media_type="audio/wav", data=tone(121, rate=8_000)),
        Sound(media_type="audio/webm", data=b"\x1aE\xdf\xa3" + bytes(range(256)) * 20),
        Sound(media_type="audio/mp4", data=b"\0\0\0\x10ftypisom" + b"#EXTM3U\nfile:///etc/passwd\n"),
    ],
)
async def test_hostile_recording_is_refused(sound: Sound) -> None:
    """U2: it says nothing of its length, or is no sound at all."""
    ear = WhisperTranscriber()
    with pytest.raises(LLMRefused):
        await ear.transcribe(sound)
    await ear.aclose()
