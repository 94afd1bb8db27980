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
from agents.audio.sound import MOST_BYTES, Sound
from agents.conf import agent_settings
from agents.errors import LLMError
from agents.runtime.speech_access import speech_call_context, speech_calls_for
from agents.wire import rejections
from agents.wire.rejections import Rejection
from conversations.web import error_responses, transcription
from conversations.web.request_lookup import own_session

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
    text = await transcription.transcribe(request.user, _sound(request.FILES.get("file")))
    return JsonResponse({"text": text})


@login_required
@require_POST
@rejections_as_json
async def read_aloud(request: HttpRequest, key: str) -> HttpResponse:
    """Return a `text` as sound, at a `speed`."""
    await sync_to_async(own_session)(request, key)
    text, speed = _text(request.POST.get("text", "")), _speed(request.POST.get("speed", "1"))
    person: Any = request.user
    calls = speech_calls_for(person, "speech")
    if calls is None:
        raise transcription.speech_not_enabled()
    per_minute = agent_settings().cards_per_minute
    async with speech_call_context(
        person, "speech", ledger=transcription.LEDGER, per_minute=per_minute
    ) as call_context:
        try:
            sound = await calls.speak(text, call_context, speed=speed)
        except LLMError as error:
            words = _("This could not be read aloud. You can read it on the page.")
            raise transcription.speech_rejection(error, words) from None
    response = HttpResponse(sound.data, content_type=sound.media_type)
    # The response has our own media type, whatever the server called it.
    response["Content-Security-Policy"] = "sandbox; default-src 'none'"
    return response


def _sound(file: "File[Any] | None") -> Sound:
    if file is None:
        raise rejections.invalid("file", _("This request contains no recording."))
    if (file.size or 0) > MOST_BYTES:
        raise transcription.too_long()
    return transcription.sound_from(file.read())


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
