"""The two addresses that Twilio calls: a new call, and what the caller said."""

import uuid
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, Final
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from agents.storage.availability import UNAVAILABLE_ERRORS, database
from agents.storage.threads import in_orm_thread
from agents.wire import rejections
from agents.wire.rejections import Rejection
from conversations.models import PhoneCall, Turn
from conversations.phone import calls, numbers, phone_turns, twiml
from conversations.phone.signature import is_signed
from conversations.speech.heard_text import asks_again, normalize_heard, spoken_digits
from conversations.web.error_responses import rejection_response

SILENCES_AT_MOST: Final = 2
"""How often a caller may say nothing before the call is ended."""
STEPS_AT_MOST: Final = 10_000

type View = Callable[[HttpRequest], Coroutine[Any, Any, HttpResponse]]


def for_twilio(view: Callable[[HttpRequest], Coroutine[Any, Any, bytes]]) -> View:
    """Decorate a view that returns TwiML: only Twilio's own requests reach it."""

    @csrf_exempt
    @require_POST
    @wraps(view)
    async def guarded(request: HttpRequest) -> HttpResponse:
        try:
            _require_signature(request)
            return _twiml(await view(request))
        except Rejection as rejection:
            return rejection_response(request, rejection)
        except UNAVAILABLE_ERRORS as error:
            # Twilio would end the call at a server error. The same step again is the same turn.
            database.failed(error)
            words = _("Something is not working right now. Please say that again in a moment.")
            return _twiml(twiml.ask(words, action=request.get_full_path()))

    return guarded


def _twiml(document: bytes) -> HttpResponse:
    return HttpResponse(document, content_type="text/xml; charset=utf-8")


@for_twilio
async def voice(request: HttpRequest) -> bytes:
    """Greet the caller; or note, when Twilio reports it here, that a call is over."""
    sid = calls.sid_of(request.POST)
    if request.POST.get("CallStatus") in calls.ENDED:
        await in_orm_thread(calls.end_call)(sid)
        return twiml.nothing()
    try:
        call = await in_orm_thread(calls.open_call)(sid, number=calls.number_of(request.POST))
    except calls.TooManyCalls:
        return twiml.hang_up(_("You have called too many times in the last hour. Please try again later."))
    if calls.is_over(call):
        return twiml.hang_up("")
    return twiml.ask(_greeting(call), action=_address(step=1))


@for_twilio
async def process_speech(request: HttpRequest) -> bytes:
    """Answer what the caller said or typed, or fetch the answer that took longer."""
    sid = calls.sid_of(request.POST)
    if request.POST.get("CallStatus") in calls.ENDED:
        await in_orm_thread(calls.end_call)(sid)
        return twiml.nothing()
    step, silences = _number(request, "step", default=1), _number(request, "silences", default=0)
    call = await in_orm_thread(calls.find_call)(sid)
    if call is None:
        # Twilio was told to begin here, or the call began more than a day ago.
        return twiml.redirect("", to=reverse("phone-voice"))
    if calls.is_over(call):
        return twiml.hang_up("")
    if "turn" in request.GET:
        return await _fetched(call, await phone_turns.find_turn(call, request.GET["turn"]), step=step)
    typed = request.POST.get("Digits", "")
    said = typed.replace("*", "/") if typed else normalize_heard(request.POST.get("SpeechResult", ""))
    if not said.strip():
        return _silence(step=step, silences=silences)
    if code := _code_in(said, call=call, is_typed=bool(typed)):
        return await _code(call, code, number=calls.number_of(request.POST), step=step)
    if asks_again(said):
        return await _again(call, step=step)
    return await _turn(call, said, step=step)


async def _turn(call: PhoneCall, said: str, *, step: int) -> bytes:
    try:
        turn_id = await phone_turns.begin_turn(call, said, step=step)
    except Rejection as rejection:
        return twiml.ask(calls.spoken_rejection(rejection), action=_address(step=step))
    if await phone_turns.wait_for_end(turn_id):
        return await _answer(call, turn_id, step=step)
    return twiml.redirect(_("One moment."), to=_address(step=step, turn=turn_id))


async def _fetched(call: PhoneCall, turn: Turn, *, step: int) -> bytes:
    """Return the answer of a turn begun earlier in this call, or have it fetched again."""
    if await phone_turns.wait_for_end(turn.pk):
        return await _answer(call, turn.pk, step=step)
    if phone_turns.is_overdue(turn):
        words = _("This is taking too long. Your message is saved. What else can I help with?")
        return twiml.ask(words, action=_address(step=step + 1))
    return twiml.redirect(_("I am still working on it."), to=_address(step=step, turn=turn.pk))


async def _answer(call: PhoneCall, turn_id: uuid.UUID, *, step: int) -> bytes:
    words, is_goodbye = await phone_turns.answer_of(call, turn_id)
    if is_goodbye:
        await in_orm_thread(calls.end_call)(call.pk)
        return twiml.hang_up(words or _("Goodbye."))
    return twiml.ask(words or _("I don’t have an answer to that."), action=_address(step=step + 1))


async def _again(call: PhoneCall, *, step: int) -> bytes:
    turn = await phone_turns.latest_turn(call)
    if turn is None:
        return twiml.ask(_greeting(call), action=_address(step=step))
    words, _is_goodbye = await phone_turns.answer_of(call, turn.pk)
    return twiml.ask(words or _("I am still answering your last message."), action=_address(step=step))


async def _code(call: PhoneCall, code: str, *, number: str, step: int) -> bytes:
    if len(code) != numbers.CODE_DIGITS:
        words = _("A code has %(count)d digits. Please say or type it again.") % {"count": numbers.CODE_DIGITS}
        return twiml.ask(words, action=_address(step=step))
    match await in_orm_thread(numbers.use_code)(call, code, number=number):
        case "linked":
            words = _("Thank you. This number is now linked to your account. What would you like to learn?")
        case "this_call":
            words = _(
                "Thank you. Your number is withheld, so the code works for this call only. What would you like to learn?"
            )
        case "wrong":
            words = _(
                "That code is wrong, or it has expired. Say or type it again, or tell me what you would like to learn."
            )
        case "refused":
            words = _("There were too many wrong codes. Please try again in an hour. You can learn without a code.")
    return twiml.ask(words, action=_address(step=step))


def _silence(*, step: int, silences: int) -> bytes:
    if silences >= SILENCES_AT_MOST:
        return twiml.hang_up(_("I can’t hear you. Everything is saved. Goodbye."))
    words = _("I didn’t hear anything. You can say “repeat” to hear the last answer again.")
    return twiml.ask(words, action=_address(step=step, silences=silences + 1))


def _code_in(said: str, *, call: PhoneCall, is_typed: bool) -> str:
    """Return the code in what the caller said or typed; empty if it is something else.

    Other numbers are answers, unless they are called a code: always from a linked number, short ones from any.
    """
    digits = said if is_typed and said.isdigit() else spoken_digits(said)
    if not digits or "code" in said.casefold():
        return digits
    is_long = len(digits) > numbers.CODE_DIGITS // 2 if is_typed else len(digits) == numbers.CODE_DIGITS
    return digits if is_long and not call.is_linked else ""


def _greeting(call: PhoneCall) -> str:
    if call.is_linked:
        return _(
            "Welcome back to learnagent. Tell me what you would like to learn, or say “repeat” to hear the last question "
            "again. Say “goodbye” to end the call."
        )
    return _(
        "Hello, this is learnagent. Tell me what you would like to learn. Say “goodbye” to end the call. If you have an "
        "account, you can say or type the code that its phone page shows you."
    )


def _address(**query: object) -> str:
    return f"{reverse('phone-speech')}?{urlencode(query)}"


def _number(request: HttpRequest, name: str, *, default: int) -> int:
    """Return a number of our own in the address. Raises Rejection 422 for any other text."""
    given = request.GET.get(name, str(default))
    if not (given.isascii() and given.isdigit() and int(given[:6]) <= STEPS_AT_MOST and len(given) <= 6):
        raise rejections.invalid(name, _("This value is invalid."))
    return int(given)


def _require_signature(request: HttpRequest) -> None:
    """Raise Rejection 501 if phone calls are not set up, 403 if the request is not signed by Twilio."""
    if not settings.TWILIO_AUTH_TOKEN:
        raise rejections.not_enabled(_("Phone calls are not set up on this site."))
    if not is_signed(request):
        raise Rejection("forbidden", _("This request is not signed by Twilio."), status=403)
