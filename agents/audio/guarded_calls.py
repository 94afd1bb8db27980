"""Guarded calls of an audio backend: time limit, record of every attempt, retries and a circuit breaker."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from agents.audio.base import AudioBackend, SynthesizedSpeech, Synthesizer, Transcriber, Transcript
from agents.audio.sound import Sound
from agents.errors import AgentsError, CircuitOpen, LLMError, LLMRateLimited, LLMTimeout
from agents.limits import ModelLimits
from agents.llm.call_context import CallContext, CallFigures, CallResult
from agents.llm.token_usage import Usage
from agents.llm.wrappers.circuit_breaker import verdict_for
from agents.llm.wrappers.circuit_state import Circuit, Verdict
from agents.llm.wrappers.retry import RETRYABLE_ERRORS, RetryBudget

ATTEMPT_S = 20.0
ALL_ATTEMPTS_S = 30.0
"""All attempts with their pauses: how long a person looks at a page without an answer."""

AudioAnswer = Transcript | SynthesizedSpeech


class GuardedAudioCalls:
    """Calls one backend for people. Created once per process, so that all calls share what is known of failures."""

    def __init__(
        self,
        backend: AudioBackend,
        limits: ModelLimits,
        *,
        attempt_s: float = ATTEMPT_S,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self.backend, self.limits, self.attempt_s, self.sleep = backend, limits, attempt_s, sleep
        self.circuit = Circuit(limits, clock=time.monotonic)
        self.retries = RetryBudget(limits)

    async def transcribe(self, sound: Sound, call_context: CallContext) -> str:
        """Return the words in the recording; empty if there are none. Raises LLMError."""
        assert isinstance(self.backend, Transcriber)
        figures = self._figures("transcription", {"media_type": sound.media_type, "bytes": len(sound.data)})
        backend = self.backend
        heard = await self._asked(lambda: backend.transcribe(sound), figures, call_context)
        return heard.text

    async def speak(self, text: str, call_context: CallContext, *, speed: float = 1.0) -> Sound:
        """Return the text as sound. Raises LLMError."""
        assert isinstance(self.backend, Synthesizer)
        figures = self._figures("speech", {"characters": len(text), "speed": speed})
        backend = self.backend
        spoken = await self._asked(lambda: backend.speak(text, speed=speed), figures, call_context)
        return spoken.sound

    def _figures(self, agent: str, asked: Mapping[str, Any]) -> CallFigures:
        """Return what is known before the call: providers charge per minute or character, so we have no price."""
        cost = None if self.backend.calls_outside else 0.0
        return CallFigures(
            agent=agent,
            backend=self.backend.name,
            model=self.backend.model,
            prompt_version="",
            asked=asked,
            worst_usd=cost,
            worst_tokens=0,
            sent_usd=cost,
            sent_tokens=0,
        )

    async def _asked[A: AudioAnswer](
        self, ask: Callable[[], Awaitable[A]], figures: CallFigures, call_context: CallContext
    ) -> A:
        """Call the backend, with retries if the failure may pass, within ALL_ATTEMPTS_S."""
        clock = asyncio.get_running_loop().time
        end = clock() + ALL_ATTEMPTS_S
        self.retries.earn()
        tried = 0
        while True:
            tried += 1
            try:
                return await self._admitted(ask, figures, call_context, within_s=min(self.attempt_s, end - clock()))
            except RETRYABLE_ERRORS as error:
                pause = self._pause_s(error, tried)
                fits = clock() + pause + self.limits.least_s <= end and self.circuit.state == "closed"
                if not fits or tried >= self.limits.attempts or not self.retries.spend():
                    raise
            await self.sleep(pause)

    def _pause_s(self, error: LLMError, tried: int) -> float:
        shortest, longest = self.limits.pauses_s
        if isinstance(error, LLMRateLimited) and error.retry_after_s is not None:
            return error.retry_after_s + random.uniform(0, shortest)
        return random.uniform(shortest, min(longest, 2 * shortest * 2**tried))

    async def _admitted[A: AudioAnswer](
        self, ask: Callable[[], Awaitable[A]], figures: CallFigures, call_context: CallContext, *, within_s: float
    ) -> A:
        permit = self.circuit.admit()
        if permit is None:
            raise CircuitOpen
        verdict: Verdict = "unknown"
        try:
            answer = await self._recorded(ask, figures, call_context, within_s=within_s)
            verdict = "answered"
            return answer
        except LLMError as error:
            verdict = verdict_for(error)
            raise
        finally:
            self.circuit.settle(permit, verdict)

    async def _recorded[A: AudioAnswer](
        self, ask: Callable[[], Awaitable[A]], figures: CallFigures, call_context: CallContext, *, within_s: float
    ) -> A:
        if call_context.ledger is None:
            return await _in_time(ask, within_s)
        entry = await call_context.ledger.open(call_context, figures)
        clock = asyncio.get_running_loop().time
        began = clock()
        answer: A | None = None
        failure: BaseException | None = None
        try:
            answer = await _in_time(ask, within_s)
            return answer
        except BaseException as raised:
            failure = raised
            raise
        finally:
            ms = round((clock() - began) * 1000, 3)
            await call_context.ledger.settle(entry, self._result(figures, answer, failure, ms=ms))

    def _result(
        self, figures: CallFigures, answer: AudioAnswer | None, failure: BaseException | None, *, ms: float
    ) -> CallResult:
        """Return how a call ended, without the words: what was heard but not sent is private."""
        usage = answer.usage if answer else Usage(backend=self.backend.name, model=self.backend.model)
        failed = isinstance(failure, Exception)
        return CallResult(
            usage=usage,
            ms=ms,
            first_ms=None,
            reply="",
            spent_usd=figures.sent_usd,
            spent_tokens=(usage.input_tokens or 0) + (usage.output_tokens or 0),
            error=(type(failure).__name__ if isinstance(failure, AgentsError) else "Exception") if failed else "",
            cancelled=failure is not None and not failed,
        )


async def _in_time[A: AudioAnswer](ask: Callable[[], Awaitable[A]], within_s: float) -> A:
    try:
        async with asyncio.timeout(within_s):
            return await ask()
    except TimeoutError:
        raise LLMTimeout(silent=True) from None
