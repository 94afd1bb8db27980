"""Printed sign-in cards: each has a code with which its owner chooses a password, once.

A code is short, because children type it. It is limited in time and in tries, and stored as a hash with the site's
secret key: whoever reads only the database cannot find it by trying.
"""

import re
import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import salted_hmac

from learnagent.accounts.authentication.rate_limits import Throttle
from learnagent.accounts.authentication.sessions import end_sessions
from learnagent.accounts.models import Person, SignInLink
from tutoring.classes.membership import CODE_ALPHABET
from tutoring.classes.pupils import is_managed
from tutoring.models import Membership

LIFETIME = timedelta(days=14)
CODE_LENGTH, BLOCK = 12, 4
"""Letters of a code (59 bits), and how many stand together."""
CODES_FROM = Throttle(name="card-from", limit=100, window_s=600)
"""Wrong codes from one address: a whole class may share it."""
CODES_OF_ALL = Throttle(name="card-of-all", limit=600, window_s=60)


def make_codes(people: Sequence[Person]) -> tuple[Mapping[int, str], datetime]:
    """Store a card for each person and return the codes by person, and when they expire.

    Cards that these people had before no longer work.
    """
    expires_at = timezone.now() + LIFETIME
    codes = {person.pk: _new_code() for person in people}
    with transaction.atomic():
        SignInLink.objects.filter(person__in=people, is_card=True).delete()
        SignInLink.objects.bulk_create(
            SignInLink(person_id=pk, digest=_digest(code), expires_at=expires_at, is_card=True)
            for pk, code in codes.items()
        )
    return codes, expires_at


def withdraw_cards(instance: Membership, **kwargs: object) -> None:
    """Delete unused cards when a place in a class ends: of the pupil, or of all pupils if a teacher may have kept some."""
    cards = SignInLink.objects.filter(is_card=True, used_at=None)
    if instance.role == Membership.Role.LEARNER:
        cards.filter(person_id=instance.person_id).delete()
    else:
        cards.filter(person__roster_account__classroom_id=instance.classroom_id).delete()


def card_path(code: str) -> str:
    """Return the path of the page that a card's QR code opens."""
    return reverse("card", args=[code])


def tidy_code(typed: str) -> str:
    """Return a code as it is printed, however it was typed; empty for what cannot be one."""
    letters = re.sub(r"[\s-]", "", typed.lower())
    if len(letters) != CODE_LENGTH or not set(letters) <= set(CODE_ALPHABET):
        return ""
    return "-".join(letters[start : start + BLOCK] for start in range(0, CODE_LENGTH, BLOCK))


def place_for_card(code: str) -> Membership | None:
    """Return the place in class of the card's owner, with the class and its policy; None if the card is not valid."""
    link = _links().filter(digest=_digest(tidy_code(code))).first()
    return _place(link) if link else None


def use_card(code: str, password: str) -> Person | None:
    """Set the password, sign the person out everywhere, and use the card up; None if it is not valid."""
    # Hashed before the transaction: nobody else could write while it takes its time.
    return _set_password(code, make_password(password))


@transaction.atomic
def _set_password(code: str, hashed: str) -> Person | None:
    link = _links().select_for_update().filter(digest=_digest(tidy_code(code))).first()
    place = _place(link) if link else None
    if link is None or place is None:
        return None
    person: Person = place.person
    person.password = hashed
    person.save(update_fields=["password"])
    end_sessions(person)
    link.delete()
    return person


def _links() -> QuerySet[SignInLink]:
    return SignInLink.objects.filter(is_card=True, used_at=None, expires_at__gt=timezone.now())


def _place(link: SignInLink) -> Membership | None:
    """Return the owner's place in the class whose teachers created the account: without it, cards are of no use."""
    places = Membership.objects.filter(person_id=link.person_id, role=Membership.Role.LEARNER, person__is_active=True)
    found = places.select_related("person__roster_account", "classroom__policy")
    return next((place for place in found if is_managed(place)), None)


def _new_code() -> str:
    return tidy_code("".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH)))


def _digest(code: str) -> str:
    return salted_hmac("learnagent.sign_in_cards", code, algorithm="sha256").hexdigest()
