"""Addresses that work without signing in: to stop mails or first messages, and to read the calendar."""

import secrets
from typing import Literal

from django.conf import settings
from django.core.signing import Signer
from django.urls import reverse
from django.utils.crypto import constant_time_compare

from tutoring.models import PlannerSettings
from tutoring.reminders.signed_links import SEPARATOR, unsigned

type Stoppable = Literal["mails", "first_messages"]
STOPPABLE: tuple[Stoppable, ...] = ("mails", "first_messages")


def stop_address(wanted: PlannerSettings, what: Stoppable) -> str:
    """Return the whole address of the page that stops the mails or the first messages."""
    token = _stop_signer().sign(f"{what}{SEPARATOR}{wanted.owner_id}")
    return f"{settings.PUBLIC_URL}{reverse('planner-stop', args=[token])}"


def settings_to_stop(token: str) -> tuple[PlannerSettings, Stoppable] | None:
    """Return the settings and what the link stops; None for a made-up link or a deleted account."""
    named, _dot, owner = unsigned(_stop_signer(), token).partition(SEPARATOR)
    what = next((each for each in STOPPABLE if each == named), None)
    found = PlannerSettings.objects.filter(owner_id=int(owner)).first() if what and owner.isdecimal() else None
    return (found, what) if found and what else None


def new_feed_key() -> str:
    return secrets.token_hex(16)


def feed_address(wanted: PlannerSettings) -> str:
    """Return the whole address of the calendar feed; empty while there is none."""
    if not wanted.feed_key:
        return ""
    token = _feed_signer().sign(f"{wanted.owner_id}{SEPARATOR}{wanted.feed_key}")
    return f"{settings.PUBLIC_URL}{reverse('planner-feed', args=[token])}"


def settings_of_feed(token: str) -> PlannerSettings | None:
    """Return the settings of an active person with this feed; None if the address was renewed or is made up."""
    owner, _dot, key = unsigned(_feed_signer(), token).partition(SEPARATOR)
    if not (owner.isdecimal() and key):
        return None
    rows = PlannerSettings.objects.select_related("owner").filter(owner_id=int(owner), owner__is_active=True)
    found = rows.first()
    return found if found and constant_time_compare(found.feed_key, key) else None


def _stop_signer() -> Signer:
    return Signer(sep=SEPARATOR, salt="planner.stop")


def _feed_signer() -> Signer:
    return Signer(sep=SEPARATOR, salt="planner.feed")
