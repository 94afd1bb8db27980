"""Transcription of a person's recording, for the page and for programs. The recording is not stored."""

import base64
import binascii

from django.utils.translation import gettext as _

from agents.audio.sound import MOST_BYTES, MOST_SECONDS, Sound, duration_of, media_type_of
from agents.conf import agent_settings
from agents.errors import LLMBudgetSpent, LLMError, LLMTimeout
from agents.runtime.speech_access import speech_call_context, speech_calls_for
from agents.usage.ledger import DatabaseLedger
from agents.wire import rejections
from agents.wire.rejections import Rejection
from conversations.owners import Owner
from conversations.processes.identity import PROCESS

LEDGER = DatabaseLedger(holder=PROCESS)
MOST_BASE64_CHARACTERS = (MOST_BYTES + 2) // 3 * 4
"""Length of the longest recording in base64."""


async def transcribe(person: Owner, sound: Sound) -> str:
    """Return the words of a recording; empty if nothing was said. Raises Rejection.

    501 if no transcriber may hear this person, 429 for too many recordings or a spent budget, 503 if it fails.
    """
    calls = speech_calls_for(person, "transcription")
    if calls is None:
        raise speech_not_enabled()
    per_minute = agent_settings().turns_per_minute
    async with speech_call_context(person, "transcription", ledger=LEDGER, per_minute=per_minute) as call_context:
        try:
            return await calls.transcribe(sound, call_context)
        except LLMError as error:
            raise speech_rejection(error, _("I couldn’t understand that. Say it again, or type it.")) from None


def sound_from(data: bytes) -> Sound:
    """Return uploaded bytes as a recording. Raises Rejection: 413 if it is too long, 415 for any other format."""
    if len(data) > MOST_BYTES:
        raise too_long()
    media_type = media_type_of(data)
    if media_type is None:
        words = _("This audio format is not supported. You can send WebM, Ogg, WAV or MP4.")
        raise Rejection("unsupported_type", words, status=415)
    sound = Sound(media_type=media_type, data=data)
    if (duration_of(sound) or 0) > MOST_SECONDS:
        raise too_long()
    return sound


def sound_from_base64(text: str, *, field: str) -> Sound:
    """Return a recording from base64, with or without `data:…;base64,`. Raises Rejection as above, and 422."""
    if text.startswith("data:"):
        text = text.partition(",")[2]
    if len(text) > MOST_BASE64_CHARACTERS:
        raise too_long()
    try:
        return sound_from(base64.b64decode(text, validate=True))
    except (binascii.Error, ValueError):
        raise rejections.invalid(field, _("This is not valid base64.")) from None


def too_long() -> Rejection:
    return rejections.too_large(_("A recording can be at most two minutes long. Record it in two parts."))


def speech_not_enabled() -> Rejection:
    return rejections.not_enabled(_("Speech is not set up on this site. You can type instead."))


def speech_rejection(error: LLMError, words: str) -> Rejection:
    """Return the rejection for a failed call; `words` are said if the error has none of its own."""
    match error:
        case LLMBudgetSpent():
            budget = _("Today’s budget for speech is used up. You can still type and read.")
            return Rejection("budget", budget, status=429, retry_after_s=3_600)
        case LLMTimeout():
            return rejections.unavailable(_("That took too long. Try again, or type."))
        case _:
            return rejections.unavailable(words)
