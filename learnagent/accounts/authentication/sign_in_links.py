"""Links that sign a person in, once."""

import secrets
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from learnagent.accounts.authentication.digests import digest_of
from learnagent.accounts.models import Person, SignInLink

LIFETIME = timedelta(hours=24)


def make_link(person: Person) -> str:
    """Store a link's hash and return the secret part of its address. Old ones are cleared away on the way."""
    now = timezone.now()
    SignInLink.objects.filter(expires_at__lte=now).delete()
    raw = secrets.token_urlsafe(32)
    SignInLink.objects.create(person=person, digest=digest_of(raw), expires_at=now + LIFETIME)
    return raw


def sign_in_address(person: Person) -> str:
    """Return a fresh whole address that signs this person in once, within LIFE."""
    return f"{settings.PUBLIC_URL}{reverse('accounts:link', args=[make_link(person)])}"


def person_for_link(raw: str) -> Person | None:
    """Return whom the link would sign in, without using it up."""
    link = SignInLink.objects.select_related("person").filter(digest=digest_of(raw), is_card=False).first()
    return link.person if link and _is_valid(link) else None


@transaction.atomic
def use_link(raw: str) -> Person | None:
    """Use the link up, and the person's others with it; return whom it signs in, None if it is not valid."""
    link = SignInLink.objects.select_for_update().filter(digest=digest_of(raw), is_card=False).first()
    if link is None or not _is_valid(link):
        return None
    link.used_at = timezone.now()
    link.save(update_fields=["used_at"])
    withdraw_links(link.person)
    return link.person


def withdraw_links(person: Person) -> None:
    """Delete the person's links that were not used yet."""
    SignInLink.objects.filter(person=person, is_card=False, used_at=None).delete()


def _is_valid(link: SignInLink) -> bool:
    return link.used_at is None and link.expires_at > timezone.now() and link.person.is_active
