"""Speech services for a person: the speech-to-text and text-to-speech backends they may use."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import cache
from typing import Literal

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.signals import setting_changed
from django.dispatch import receiver
from django.utils import timezone
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _

from agents.audio.base import AudioBackend, Synthesizer, Transcriber
from agents.audio.guarded_calls import GuardedAudioCalls
from agents.conf import agent_settings
from agents.llm.call_context import CallContext, Ledger
from agents.models import ModelCall
from agents.people import Person
from agents.runtime.speaker_selection import accounts_of
from agents.storage.threads import in_orm_thread
from agents.wire import rejections

SpeechService = Literal["transcription", "speech"]
INTERFACES: Mapping[SpeechService, type[AudioBackend]] = {"transcription": Transcriber, "speech": Synthesizer}
MAX_PARALLEL_CALLS = 3
"""Per person and process: the sentence being read, the next one, and one that was interrupted."""
_open_calls: Counter[int] = Counter()


@cache
def speech_calls(way: SpeechService) -> tuple[GuardedAudioCalls, ...]:
    """Return the backends, first choice first, created once per process from `settings.SPEECH`."""
    limits = agent_settings().model_limits
    made = []
    for config in settings.SPEECH.get(way, ()):
        try:
            backend = import_string(config["BACKEND"])(**config.get("OPTIONS", {}))
        except (KeyError, ImportError, TypeError, ValueError) as error:
            raise ImproperlyConfigured(f"SPEECH[{way!r}]: {error}") from error
        if not isinstance(backend, INTERFACES[way]):
            raise ImproperlyConfigured(f"SPEECH[{way!r}]: {config['BACKEND']} is not a suitable backend")
        made.append(GuardedAudioCalls(backend, limits))
    return tuple(made)


def speech_calls_for(person: Person, way: SpeechService) -> GuardedAudioCalls | None:
    """Return the backend that the person may use: a local one, or any with their consent; None if there is none."""
    found = speech_calls(way)
    return next((calls for calls in found if person.consent or not calls.backend.calls_outside), None)


def speech_offers_for(person: Person) -> dict[str, str]:
    """Return whether the server `hears` and `speaks` for the person: `here`, `outside`, or empty."""
    ways: dict[str, SpeechService] = {"hears": "transcription", "speaks": "speech"}
    found = {name: speech_calls_for(person, way) for name, way in ways.items()}
    return {
        name: "" if calls is None else "outside" if calls.backend.calls_outside else "here"
        for name, calls in found.items()
    }


@asynccontextmanager
async def speech_call_context(
    person: Person, way: SpeechService, *, ledger: Ledger, per_minute: int
) -> AsyncIterator[CallContext]:
    """Yield the call context. Raises Rejection 429 above this many calls per minute; 0 means no limit."""
    if _open_calls[person.pk] >= MAX_PARALLEL_CALLS:
        raise _too_many()
    _open_calls[person.pk] += 1
    try:
        yield await in_orm_thread(_behalf)(person, way, ledger, per_minute)
    finally:
        _open_calls[person.pk] -= 1
        if not _open_calls[person.pk]:
            del _open_calls[person.pk]


def _behalf(person: Person, way: SpeechService, ledger: Ledger, per_minute: int) -> CallContext:
    now = timezone.now()
    calls = ModelCall.objects.filter(person_id=person.pk, agent=way)
    # Also an upper bound: calls recorded while a clock was fast must not count until that time comes.
    if (
        per_minute
        and calls.filter(started_at__gt=now - timedelta(minutes=1), started_at__lte=now).count() >= per_minute
    ):
        raise _too_many()
    return CallContext(person_id=person.pk, accounts=accounts_of(person), consents=person.consent, ledger=ledger)


def _too_many() -> rejections.Rejection:
    return rejections.rate_limited(
        _("You’ve spoken a lot in the last minute. Wait a moment, or type instead."), retry_after_s=30
    )


async def close_speech() -> None:
    """Release this event loop's and this process's speech resources."""
    await asyncio.gather(*(calls.backend.aclose() for way in INTERFACES for calls in speech_calls(way)))


@receiver(setting_changed)
def _forget(*, setting: str, **kwargs: object) -> None:
    if setting in {"AGENTS", "SPEECH"}:
        speech_calls.cache_clear()
