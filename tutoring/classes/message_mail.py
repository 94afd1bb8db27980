"""The mail that a teacher wrote: at most one a day, outside of quiet hours, only to pupils who want it, without the words."""

from datetime import datetime, timedelta
from functools import partial

from django.conf import settings
from django.db import transaction
from django.tasks import task
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from agents.event_log import get_logger
from agents.mail import send_to_person
from agents.people import zone_named
from tutoring.models import ClassMessage, Membership, StudySettings
from tutoring.reminders.signed_links import message_stop_address

logger = get_logger(__name__)

TRIES, PAUSE = 3, timedelta(minutes=10)


def order_mail(place: Membership, *, at: datetime | None = None) -> None:
    """Order the mail about a message, after the caller's transaction, if the pupil wants one and had none today.

    In quiet hours, it is sent when they are over.
    """
    at = at or timezone.now()
    wanted = StudySettings.objects.filter(learner_id=place.person_id, message_mails=True).select_related("learner")
    row = wanted.first()
    if row is None or not row.learner.email or _mailed_today(row, at):
        return
    if StudySettings.objects.filter(pk=row.pk, message_mailed_at=row.message_mailed_at).update(message_mailed_at=at):
        local = at.astimezone(zone_named(row.learner.zone))
        quiet_s = next(hours for hours in range(25) if not row.is_quiet(local + timedelta(hours=hours))) * 3600
        due = mail_message.using(run_after=at + timedelta(seconds=quiet_s)) if quiet_s else mail_message
        transaction.on_commit(partial(due.enqueue, row.learner_id), robust=True)


@task
def mail_message(learner: int, tries: int = 1) -> None:
    """Write to a pupil that there are messages, unless they have read them; what is not accepted is tried again."""
    row = StudySettings.objects.select_related("learner").filter(learner_id=learner, message_mails=True).first()
    unread = ClassMessage.objects.filter(learner_id=learner, by_learner=False, read_at=None)
    if row is None or not row.learner.is_active or not unread.exists():
        return
    try:
        with translation.override(row.learner.language):
            send_to_person(row.learner, subject=_("Your teacher wrote to you"), text=_text(row))
    except OSError as error:  # A mail server's own words contain the address.
        logger.warning("mail_not_sent", error=type(error).__name__)
        if tries < TRIES:
            mail_message.using(run_after=timezone.now() + PAUSE).enqueue(learner, tries + 1)


def _mailed_today(row: StudySettings, at: datetime) -> bool:
    zone = zone_named(row.learner.zone)
    mailed = row.message_mailed_at
    return mailed is not None and mailed.astimezone(zone).date() == at.astimezone(zone).date()


def _text(row: StudySettings) -> str:
    return _(
        "Your teacher wrote to you. Read the message here:\n\n%(messages)s\n\nYou get at most one such email a day, "
        "because you asked for it. To stop these emails, open this link:\n\n%(stop)s\n"
    ) % {"messages": f"{settings.PUBLIC_URL}{reverse('messages')}", "stop": message_stop_address(row)}
