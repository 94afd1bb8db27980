"""The weekly summary of a class by mail: on Monday morning, to teachers who asked for it, without names of pupils."""

from datetime import date, datetime, timedelta
from typing import Final

from django.conf import settings
from django.tasks import task
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from agents.event_log import get_logger
from agents.mail import send_to_person
from agents.people import Person, zone_named
from tutoring.models import Classroom, Membership, ReportSubscription
from tutoring.reports.class_report import class_report
from tutoring.reports.periods import week_of
from tutoring.reports.signed_links import report_stop_address
from tutoring.reports.tables import summary_text

logger = get_logger(__name__)

TRIES, PAUSE = 3, timedelta(minutes=10)
MORNING: Final = 7
"""The hour of Monday, by the teacher's clock, from which it is sent."""


def set_subscription(teacher: Person, classroom: Classroom, *, wanted: bool) -> None:
    """Store whether a teacher wants the mail; the first one is about the present week."""
    rows = ReportSubscription.objects.filter(classroom=classroom, teacher_id=teacher.pk)
    if not wanted:
        rows.delete()
    elif not rows.exists():
        last_week = week_of(timezone.localdate() - timedelta(days=7)).first
        ReportSubscription.objects.get_or_create(
            classroom=classroom, teacher_id=teacher.pk, defaults={"mailed_week": last_week}
        )


def order_summaries(*, at: datetime | None = None) -> None:
    """Order the mail about the week that is over for each teacher who wants it and still teaches the class; once."""
    at = at or timezone.now()
    rows = ReportSubscription.objects.filter(
        teacher__is_active=True, teacher__role="teacher", classroom__archived_at=None
    ).exclude(teacher__email="")
    for wanted in rows.select_related("teacher").order_by("pk").iterator():
        local = at.astimezone(zone_named(wanted.teacher.zone))
        monday = week_of(local.date()).first
        week = monday - timedelta(days=7)
        is_early = local.date() == monday and local.hour < MORNING
        if not is_early and (wanted.mailed_week is None or wanted.mailed_week < week) and _claimed(wanted, week):
            mail_summary.enqueue(wanted.pk, week.isoformat())


@task
def mail_summary(subscription: int, week: str, tries: int = 1) -> None:
    """Write to a teacher, unless they changed their mind or left the class; what is not accepted is tried again."""
    rows = ReportSubscription.objects.select_related("teacher", "classroom__policy")
    wanted = rows.filter(pk=subscription, teacher__is_active=True).first()
    if wanted is None or not _teaches(wanted):
        return
    with translation.override(wanted.teacher.language), timezone.override(zone_named(wanted.teacher.zone)):
        report = class_report(wanted.classroom, week_of(date.fromisoformat(week), name="last_week"))
        if report is None:
            return
        try:
            subject = _("Last week in %(name)s") % {"name": wanted.classroom.name}
            send_to_person(wanted.teacher, subject=subject, text=_text(wanted, summary_text(report)))
        except OSError as error:  # A mail server's own words contain the address.
            logger.warning("mail_not_sent", error=type(error).__name__)
            if tries < TRIES:
                mail_summary.using(run_after=timezone.now() + PAUSE).enqueue(subscription, week, tries + 1)


def _claimed(wanted: ReportSubscription, week: date) -> bool:
    """Note that the mail is ordered; False if another process did so."""
    rows = ReportSubscription.objects.filter(pk=wanted.pk, mailed_week=wanted.mailed_week)
    return rows.update(mailed_week=week) > 0


def _teaches(wanted: ReportSubscription) -> bool:
    return Membership.objects.filter(
        classroom=wanted.classroom, person=wanted.teacher, role=Membership.Role.TEACHER
    ).exists()


def _text(wanted: ReportSubscription, summary: str) -> str:
    address = f"{settings.PUBLIC_URL}{reverse('class-reports', args=[wanted.classroom.code])}?period=last_week"
    return _(
        "%(summary)s\nThe whole report:\n\n%(address)s\n\nYou get this email every Monday because you asked for it. To "
        "stop it, open this link:\n\n%(stop)s\n"
    ) % {"summary": summary, "address": address, "stop": report_stop_address(wanted)}
