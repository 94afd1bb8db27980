"""The monthly mail with the link to a guardian's page."""

from datetime import date, datetime, timedelta

from django.http import Http404
from django.tasks import task
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from agents.event_log import get_logger
from agents.mail import send_to_person
from agents.people import zone_named
from tutoring.models import GuardianAccess
from tutoring.reports.guardian_pages import last_month, place_of_access
from tutoring.reports.periods import month_of
from tutoring.reports.signed_links import guardian_address, guardian_stop_address

logger = get_logger(__name__)

TRIES, PAUSE = 3, timedelta(minutes=10)


def order_guardian_mails(*, at: datetime | None = None) -> None:
    """Order the mail about the month that is over for each guardian with an address; once a month."""
    at = at or timezone.now()
    for access in GuardianAccess.objects.exclude(email="").select_related("learner").order_by("pk").iterator():
        month = last_month(at.astimezone(zone_named(access.learner.zone)).date())
        if (access.mailed_month is None or access.mailed_month < month) and _is_agreed(access, month):
            rows = GuardianAccess.objects.filter(pk=access.pk, mailed_month=access.mailed_month)
            if rows.update(mailed_month=month):
                mail_guardian.enqueue(access.pk, month.isoformat())


@task
def mail_guardian(pk: int, month: str, tries: int = 1) -> None:
    """Write to the guardian, unless the mails were stopped or access was revoked; what is not accepted is tried again."""
    access = GuardianAccess.objects.select_related("learner", "classroom__policy").filter(pk=pk).first()
    if access is None or not access.email or not _is_agreed(access, date.fromisoformat(month)):
        return
    with translation.override(access.learner.language):
        subject = _("What %(name)s learned last month") % {"name": access.learner}
        try:
            send_to_person(
                access.learner, subject=subject, text=_text(access, date.fromisoformat(month)), to=access.email
            )
        except OSError as error:  # A mail server's own words contain the address.
            logger.warning("mail_not_sent", error=type(error).__name__)
            if tries < TRIES:
                mail_guardian.using(run_after=timezone.now() + PAUSE).enqueue(pk, month, tries + 1)


def _is_agreed(access: GuardianAccess, month: date) -> bool:
    """Return whether the guardian may see the page, and the pupil was in the class in this month."""
    try:
        place = place_of_access(access)
    except Http404:
        return False
    return place.joined_at < month_of(month).end


def _text(access: GuardianAccess, month: date) -> str:
    return _(
        "You are named as a parent or guardian of %(name)s in the class “%(classroom)s”.\n\nThis page shows what "
        "%(name)s learned in %(month)s. It works for 60 days, and you don’t need an account:\n\n%(address)s\n\n"
        "%(name)s can see when the page is opened. To stop these emails, open this link:\n\n%(stop)s\n"
    ) % {
        "name": access.learner,
        "classroom": access.classroom.name,
        "month": date_format(month, "YEAR_MONTH_FORMAT"),
        "address": guardian_address(access, month),
        "stop": guardian_stop_address(access),
    }
