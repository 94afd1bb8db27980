"""Phone numbers that are linked to people, and the codes that link them."""

import secrets
from datetime import timedelta
from typing import Final, Literal

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import Sum
from django.db.models.functions import Now
from django.http import Http404
from django.utils import timezone
from django.utils.crypto import salted_hmac

from conversations.models import PhoneCall, PhoneCode, PhoneLink
from conversations.owners import Owner, lock_owner

CODE_DIGITS: Final = 8
CODE_LIFE: Final = timedelta(minutes=15)
NUMBERS_AT_MOST: Final = 5
"""Linked numbers of one person."""
WRONG_CODES_AT_MOST: Final = 5
"""Wrong codes from one number in an hour. With eight digits that finds one of a hundred open codes in 20 years."""
WRONG_CODES_OF_ALL: Final = 100
"""Wrong codes from all numbers in an hour: whoever guesses can pretend to call from any number."""
WINDOW: Final = timedelta(hours=1)

type CodeResult = Literal["linked", "this_call", "wrong", "refused"]


class TooManyNumbers(Exception):
    """The person has linked as many numbers as anybody may."""


def number_digest(number: str) -> str:
    """Return a keyed hash of a number, under which its calls are counted; withheld numbers are all empty."""
    return _digest("number", number)


def make_code(person: Owner) -> str:
    """Store and return a new code of the person, in place of the last one. Raises TooManyNumbers."""
    with transaction.atomic():
        lock_owner(person)
        if PhoneLink.objects.filter(owner=person).count() >= NUMBERS_AT_MOST:
            raise TooManyNumbers
        PhoneCode.objects.filter(owner=person).delete()
        code = _free_code()
        PhoneCode.objects.create(owner=person, digest=_digest("code", code), expires_at=timezone.now() + CODE_LIFE)
    return code


def use_code(call: PhoneCall, code: str, *, number: str) -> CodeResult:
    """Link the number to the code's owner, whose call it is from now on; with a withheld number only this call is theirs.

    A code works once. Wrong ones are counted, and after too many no code is looked at.
    """
    with transaction.atomic():
        # Serializes what one call tries, so that parallel requests do not get past the count.
        call = PhoneCall.objects.select_for_update().get(pk=call.pk)
        if _has_guessed_enough(call):
            return "refused"
        found = PhoneCode.objects.filter(digest=_digest("code", code), expires_at__gt=timezone.now()).first()
        # Only one of two calls that say the code at once deletes it.
        if found is None or not PhoneCode.objects.filter(pk=found.pk).delete()[0]:
            PhoneCall.objects.filter(pk=call.pk).update(wrong_codes=call.wrong_codes + 1)
            return "wrong"
        if number:
            PhoneLink.objects.update_or_create(number=number, defaults={"owner_id": found.owner_id})
        PhoneCall.objects.filter(pk=call.pk).update(owner=found.owner_id, is_linked=True)
    return "linked" if number else "this_call"


def owner_of(number: str) -> Owner | None:
    """Return the person to whom the number is linked; None for a withheld number, or if the account is closed."""
    linked = get_user_model()._base_manager.filter(phone_links__number=number, is_active=True)
    return linked.first() if number else None


def unlink(person: Owner, pk: int) -> None:
    """Remove the person's own link, and end the calls from that number. Raises Http404 for any other."""
    link = PhoneLink.objects.filter(owner=person, pk=pk).first()
    if link is None:
        raise Http404
    calls = PhoneCall.objects.filter(owner=person, number_digest=number_digest(link.number), ended_at=None)
    calls.update(ended_at=Now())
    link.delete()


def _has_guessed_enough(call: PhoneCall) -> bool:
    recent = PhoneCall.objects.filter(started_at__gt=Now() - WINDOW)
    wrong = {
        "number": recent.filter(number_digest=call.number_digest).aggregate(wrong=Sum("wrong_codes"))["wrong"] or 0,
        "all": recent.aggregate(wrong=Sum("wrong_codes"))["wrong"] or 0,
    }
    return wrong["number"] >= WRONG_CODES_AT_MOST or wrong["all"] >= WRONG_CODES_OF_ALL


def _free_code() -> str:
    while True:
        code = f"{secrets.randbelow(10**CODE_DIGITS):0{CODE_DIGITS}}"
        if not PhoneCode.objects.filter(digest=_digest("code", code)).exists():
            return code


def _digest(what: str, value: str) -> str:
    # Keyed: all eight-digit codes and all numbers could be hashed and compared in minutes.
    return salted_hmac(f"conversations.phone.{what}", value, algorithm="sha256").hexdigest()
