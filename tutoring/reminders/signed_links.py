"""Addresses that work without signing in: to stop the mails, and to read the calendar."""

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.urls import reverse
from django.utils.crypto import constant_time_compare

from tutoring.models import StudySettings

SEPARATOR = "."
"""Between a token's parts, and before its signature."""


def stop_address(wanted: StudySettings) -> str:
    """Return the whole address of the page that stops the mails."""
    return f"{settings.PUBLIC_URL}{reverse('stop-reminders', args=[_stop_signer().sign(str(wanted.learner_id))])}"


def settings_to_stop(token: str) -> StudySettings | None:
    """Return the settings whose mails the link stops; None for a made-up link or a deleted account."""
    learner = unsigned(_stop_signer(), token)
    return StudySettings.objects.filter(learner_id=int(learner)).first() if learner.isdecimal() else None


def message_stop_address(wanted: StudySettings) -> str:
    """Return the whole address of the page that stops the mails about messages of teachers."""
    token = _message_stop_signer().sign(str(wanted.learner_id))
    return f"{settings.PUBLIC_URL}{reverse('stop-messages', args=[token])}"


def settings_to_stop_messages(token: str) -> StudySettings | None:
    """Return the settings whose mails about messages the link stops; None as above."""
    learner = unsigned(_message_stop_signer(), token)
    return StudySettings.objects.filter(learner_id=int(learner)).first() if learner.isdecimal() else None


def calendar_address(wanted: StudySettings) -> str:
    """Return the whole address of the calendar; empty while there is none."""
    if not wanted.calendar_key:
        return ""
    token = _calendar_signer().sign(f"{wanted.learner_id}{SEPARATOR}{wanted.calendar_key}")
    return f"{settings.PUBLIC_URL}{reverse('review-calendar', args=[token])}"


def settings_of_calendar(token: str) -> StudySettings | None:
    """Return the settings of an active learner with this calendar; None if the address was renewed or is made up."""
    learner, _dot, key = unsigned(_calendar_signer(), token).partition(SEPARATOR)
    if not (learner.isdecimal() and key):
        return None
    rows = StudySettings.objects.select_related("learner").filter(learner_id=int(learner), learner__is_active=True)
    found = rows.first()
    return found if found and constant_time_compare(found.calendar_key, key) else None


def unsigned(signer: Signer, token: str) -> str:
    """Return what a token signs; empty for a made-up one."""
    try:
        return signer.unsign(token)
    except BadSignature:
        return ""


def _stop_signer() -> Signer:
    return Signer(sep=SEPARATOR, salt="reminders.stop")


def _message_stop_signer() -> Signer:
    return Signer(sep=SEPARATOR, salt="messages.stop")


def _calendar_signer() -> Signer:
    return Signer(sep=SEPARATOR, salt="reminders.calendar")
