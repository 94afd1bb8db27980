"""Phone calls: who calls, whose conversation it is, and when it is over."""

import re
from collections.abc import Mapping
from datetime import timedelta
from typing import Final

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext as _

from agents.wire import rejections
from agents.wire.rejections import Rejection
from conversations.models import PhoneCall, PhoneCode, Turn
from conversations.owners import Owner
from conversations.phone.numbers import WINDOW, number_digest, owner_of

CALLS_AT_MOST: Final = 20
"""Calls from one number in an hour; withheld numbers count as one."""
KEPT_FOR: Final = timedelta(hours=24)
"""How long calls, and what callers without an account said, are kept."""
SESSION_KEY: Final = "phone"
"""The session of everybody's phone calls, each their own: whoever calls again continues where they stopped."""
ENDED: Final = frozenset({"completed", "busy", "failed", "no-answer", "canceled"})
"""Twilio's `CallStatus` of a call that is over."""
_SID: Final = re.compile(r"[A-Za-z0-9]{1,34}")
_NUMBER: Final = re.compile(r"\+[1-9]\d{6,14}")
# What Twilio sends for "anonymous", "restricted", "blocked", "unknown" and "unavailable", as spelled on a keypad.
_WITHHELD: Final = frozenset({"+266696687", "+7378742833", "+2562533", "+8656696", "+86282452253"})


class TooManyCalls(Exception):
    """The number has called too often in the last hour."""


def sid_of(fields: Mapping[str, str]) -> str:
    """Return Twilio's name for the call. Raises Rejection 422 if it is missing or none."""
    sid = fields.get("CallSid", "")
    if not _SID.fullmatch(sid):
        raise rejections.invalid("CallSid", _("This is not a valid call ID."))
    return sid


def number_of(fields: Mapping[str, str]) -> str:
    """Return the caller's number; empty if it is withheld, or if the caller's provider says that it is not theirs."""
    number = fields.get("From", "")
    is_false = fields.get("StirVerstat", "").startswith("TN-Validation-Failed")
    return number if _NUMBER.fullmatch(number) and number not in _WITHHELD and not is_false else ""


def open_call(sid: str, *, number: str) -> PhoneCall:
    """Return the call of this name, stored if it is new. Raises TooManyCalls, unless it was opened before.

    A request that is sent again when its call is long forgotten opens one that is over.
    """
    with transaction.atomic():
        call = PhoneCall.objects.select_related("owner").filter(pk=sid).first()
        if call is not None:
            return call
        digest = number_digest(number)
        if PhoneCall.objects.filter(number_digest=digest, started_at__gt=Now() - WINDOW).count() >= CALLS_AT_MOST:
            raise TooManyCalls
        owner = owner_of(number)
        is_replay = (
            owner is not None and Turn.objects.filter(owner=owner, client_id__startswith=turn_name(sid)).exists()
        )
        call, _created = PhoneCall.objects.select_related("owner").get_or_create(
            pk=sid,
            defaults={
                "number_digest": digest,
                "owner": owner,
                "is_linked": owner is not None,
                "ended_at": timezone.now() if is_replay else None,
            },
        )
    return call


def turn_name(sid: str, step: int | str = "") -> str:
    """Return the client's name of the turn of this step of a call; without a step, the beginning of all their names."""
    return f"call:{sid}:{step}"


def find_call(sid: str) -> PhoneCall | None:
    """Return the call of this name with its owner; None if there was none in the last day."""
    return PhoneCall.objects.select_related("owner").filter(pk=sid).first()


def end_call(sid: str) -> None:
    """Note that the call is over: nothing more is said in it. A turn that runs is finished and stored."""
    PhoneCall.objects.filter(pk=sid, ended_at=None).update(ended_at=Now())


def is_over(call: PhoneCall) -> bool:
    """Return whether the call has ended, or its person's account is closed."""
    is_closed = call.is_linked and (call.owner is None or not call.owner.is_active)
    return call.ended_at is not None or is_closed


def speaker_of(call: PhoneCall) -> Owner:
    """Return whose conversation the call is; a caller without an account becomes a guest with the first message."""
    if call.owner is not None:
        return call.owner
    with transaction.atomic():
        # A second request of the same call would make a second guest.
        owner = PhoneCall.objects.select_for_update(of=("self",)).select_related("owner").get(pk=call.pk).owner
        if owner is None:
            owner = get_user_model().objects.create_guest()
            PhoneCall.objects.filter(pk=call.pk).update(owner=owner)
    call.owner = owner
    return owner


def forget_calls() -> None:
    """Delete the calls of a day ago, and codes that have expired."""
    PhoneCall.objects.filter(started_at__lt=Now() - KEPT_FOR).delete()
    PhoneCode.objects.filter(expires_at__lt=timezone.now()).delete()


def spoken_rejection(error: Rejection) -> str:
    """Return why something was not taken, for the caller's ear."""
    match error.code:
        case "too_large":
            return _("That was too long for me. Please say it in fewer words.")
        case "conflict":
            return _("I didn’t get that. Please say it again.")
        case _:
            return error.message
