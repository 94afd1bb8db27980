"""Speech services of the server, for browsers without their own or whose own is not used."""

from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any

from asgiref.sync import sync_to_async
from django.contrib.auth.decorators import login_required
from django.core.files import File
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from agents.audio.base import MAX_SPOKEN_CHARACTERS, SPEEDS
from agents.audio.sound import MOST_BYTES, MOST_SECONDS, Sound, duration_of, media_type_of
from agents.conf import agent_settings
from agents.errors import LLMBudgetSpent, LLMError, LLMTimeout
from agents.runtime.speech_access import SpeechService, speech_call_context, speech_calls_for
from agents.usage.ledger import DatabaseLedger
from agents.wire import rejections
from agents.wire.rejections import Rejection
from conversations.processes.identity import PROCESS
from conversations.web import error_responses
from conversations.web.request_lookup import own_session

LEDGER = DatabaseLedger(holder=PROCESS)

type View = Callable[..., Coroutine[Any, Any, HttpResponse]]


def rejections_as_json(view: View) -> View:
    """Decorate a view: rejections become JSON for the page's script."""

    @wraps(view)
    async def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return await view(request, *args, **kwargs)
        except Rejection as rejection:
            return error_responses.rejection_response(request, rejection)

    return guarded


@login_required
@require_POST
@rejections_as_json
async def transcribe(request: HttpRequest, key: str) -> HttpResponse:
    """Return the words of a recording, sent as `file`. It is not stored."""
    await sync_to_async(own_session)(request, key)
    sound = _sound(request.FILES.get("file"))
    person, calls = _calls(request, "transcription")
    per_minute = agent_settings().turns_per_minute
    async with speech_call_context(person, "transcription", ledger=LEDGER, per_minute=per_minute) as behalf:
        try:
            text = await calls.transcribe(sound, behalf)
        except LLMError as error:
            raise _rejection_for(error, _("I couldn’t understand that. Say it again, or type it.")) from None
    return JsonResponse({"text": text})


@login_required
@require_POST
@rejections_as_json
async def read_aloud(request: HttpRequest, key: str) -> HttpResponse:
    """Return a `text` as sound, at a `speed`."""
    await sync_to_async(own_session)(request, key)
    text, speed = _text(request.POST.get("text", "")), _speed(request.POST.get("speed", "1"))
    person, calls = _calls(request, "speech")
    per_minute = agent_settings().cards_per_minute
    async with speech_call_context(person, "speech", ledger=LEDGER, per_minute=per_minute) as behalf:
        try:
            sound = await calls.speak(text, behalf, speed=speed)
        except LLMError as error:
            raise _rejection_for(error, _("This could not be read aloud. You can read it on the page.")) from None
    response = HttpResponse(sound.data, content_type=sound.media_type)
    # The response has our own media type, whatever the server called it.
    response["Content-Security-Policy"] = "sandbox; default-src 'none'"
    return response


def _calls(request: HttpRequest, way: SpeechService) -> Any:
    person: Any = request.user
    calls = speech_calls_for(person, way)
    if calls is None:
        raise rejections.not_enabled(_("Speech is not set up on this site. You can type instead."))
    return person, calls


def _sound(file: "File[Any] | None") -> Sound:
    if file is None:
        raise rejections.invalid("file", _("This request contains no recording."))
    if (file.size or 0) > MOST_BYTES:
        raise _too_long()
    data = file.read()
    media_type = media_type_of(data)
    if media_type is None:
        words = _("This audio format is not supported. You can send WebM, Ogg, WAV or MP4.")
        raise Rejection("unsupported_type", words, status=415)
    sound = Sound(media_type=media_type, data=data)
    if (duration_of(sound) or 0) > MOST_SECONDS:
        raise _too_long()
    return sound


def _too_long() -> Rejection:
    return rejections.too_large(_("A recording can be at most two minutes long. Record it in two parts."))


def _text(given: str) -> str:
    text = given.replace("\x00", "").strip()
    if not text:
        raise rejections.invalid("text", _("There is nothing to read aloud."))
    if len(text) > MAX_SPOKEN_CHARACTERS:
        raise rejections.too_large(_("This is too long to read aloud."))
    return text


def _speed(given: str) -> float:
    slowest, fastest = SPEEDS
    try:
        speed = float(given)
    except ValueError:
        speed = 0.0
    if not slowest <= speed <= fastest:
        raise rejections.invalid("speed", _("The speed must be a number from 0.5 to 2."))
    return speed


def _rejection_for(error: LLMError, words: str) -> Rejection:
    match error:
        case LLMBudgetSpent():
            budget = _("Today’s budget for speech is used up. You can still type and read.")
            return Rejection("budget", budget, status=429, retry_after_s=3_600)
        case LLMTimeout():
            return rejections.unavailable(_("That took too long. Try again, or type."))
        case _:
            return rejections.unavailable(words)
