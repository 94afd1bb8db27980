"""Who turns a person's speech into words and words into speech: the server or the embedded model that they may use."""

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
"""Of one person in one process: the sentence that is read, the next, and one that was interrupted."""
_open_calls: Counter[int] = Counter()


@cache
def speech_calls(way: SpeechService) -> tuple[GuardedAudioCalls, ...]:
    """Return what can do it, the first choice first, made once per process from `settings.SPEECH`."""
    limits = agent_settings().model_limits
    made = []
    for config in settings.SPEECH.get(way, ()):
        try:
            backend = import_string(config["BACKEND"])(**config.get("OPTIONS", {}))
        except (KeyError, ImportError, TypeError, ValueError) as error:
            raise ImproperlyConfigured(f"SPEECH[{way!r}]: {error}") from error
        if not isinstance(backend, INTERFACES[way]):
            raise ImproperlyConfigured(f"SPEECH[{way!r}]: {config['BACKEND']} cannot stand there")
        made.append(GuardedAudioCalls(backend, limits))
    return tuple(made)


def speech_calls_for(person: Person, way: SpeechService) -> GuardedAudioCalls | None:
    """Return what the person may use: what stays here, or anything with their consent; None where there is nothing."""
    found = speech_calls(way)
    return next((calls for calls in found if person.consent or not calls.backend.calls_outside), None)


def speech_offers_for(person: Person) -> dict[str, str]:
    """Return for a page whether the server `hears` and `speaks` for the person: `here`, `outside`, or empty."""
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
    """Yield on whose behalf it is asked. Raise Rejection 429 for more than that many in a minute, 0 for any number."""
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
    # Bounded above too: what was asked while a clock was fast must not count until that day comes.
    if (
        per_minute
        and calls.filter(started_at__gt=now - timedelta(minutes=1), started_at__lte=now).count() >= per_minute
    ):
        raise _too_many()
    return CallContext(person_id=person.pk, accounts=accounts_of(person), consents=person.consent, ledger=ledger)


def _too_many() -> rejections.Rejection:
    return rejections.rate_limited(_("That was a lot of speech in a minute. Wait a little, or type."), retry_after_s=30)


async def close_speech() -> None:
    """Give back what this loop and this process hold for speech."""
    await asyncio.gather(*(calls.backend.aclose() for way in INTERFACES for calls in speech_calls(way)))


@receiver(setting_changed)
def _forget(*, setting: str, **kwargs: object) -> None:
    if setting in {"AGENTS", "SPEECH"}:
        speech_calls.cache_clear()
