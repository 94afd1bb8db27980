"""Addresses that work without signing in: a guardian's page of a month, and those that stop mails."""

import re
from datetime import date, timedelta
from typing import Final

from django.conf import settings
from django.core.signing import BadSignature, SignatureExpired, Signer, TimestampSigner
from django.urls import reverse

from tutoring.models import GuardianAccess, ReportSubscription
from tutoring.reminders.signed_links import SEPARATOR, unsigned

WORKS_FOR: Final = timedelta(days=60)
"""How long a link to a guardian's page works."""
_PAGE: Final = re.compile(r"([0-9]{1,18})-([0-9a-f]{16})-([0-9]{4})-([0-9]{2})")


class LinkExpired(Exception):
    """The link was real, and is too old."""


def guardian_address(access: GuardianAccess, month: date) -> str:
    """Return the whole address of the page of a month."""
    token = _page_signer().sign(f"{access.pk}-{access.key}-{month:%Y-%m}")
    return f"{settings.PUBLIC_URL}{reverse('guardian-page', args=[token])}"


def access_of_link(token: str) -> tuple[GuardianAccess, date] | None:
    """Return whose page it is, and the month; None for a made-up or a revoked link. Raises LinkExpired."""
    try:
        value = _page_signer().unsign(token, max_age=WORKS_FOR)
    except SignatureExpired:
        raise LinkExpired from None
    except BadSignature:
        return None
    found = _PAGE.fullmatch(value)
    if found is None:
        return None
    pk, key, year, month = found.groups()
    rows = GuardianAccess.objects.select_related("learner", "classroom__policy").filter(pk=int(pk), key=key)
    access = rows.first()
    return (access, date(int(year), int(month), 1)) if access is not None else None


def guardian_stop_address(access: GuardianAccess) -> str:
    """Return the whole address of the page that stops the monthly mails."""
    token = _guardian_stop_signer().sign(f"{access.pk}-{access.key}")
    return f"{settings.PUBLIC_URL}{reverse('guardian-stop', args=[token])}"


def access_to_stop(token: str) -> GuardianAccess | None:
    """Return whose mails the link stops; None for a made-up link, or after access was revoked."""
    pk, _dash, key = unsigned(_guardian_stop_signer(), token).partition("-")
    return GuardianAccess.objects.filter(pk=int(pk), key=key).first() if pk.isdecimal() else None


def report_stop_address(wanted: ReportSubscription) -> str:
    """Return the whole address of the page that stops a teacher's weekly mails about a class."""
    return f"{settings.PUBLIC_URL}{reverse('stop-report', args=[_report_signer().sign(str(wanted.pk))])}"


def subscription_to_stop(token: str) -> int | None:
    """Return the key of the subscription that the link is for, which may be stopped already; None for a made-up link."""
    pk = unsigned(_report_signer(), token)
    return int(pk) if pk.isdecimal() else None


def _page_signer() -> TimestampSigner:
    return TimestampSigner(sep=SEPARATOR, salt="reports.guardian")


def _guardian_stop_signer() -> Signer:
    return Signer(sep=SEPARATOR, salt="reports.guardian.stop")


def _report_signer() -> Signer:
    return Signer(sep=SEPARATOR, salt="reports.weekly.stop")
