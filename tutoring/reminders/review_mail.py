"""The mail that reviews are due: at most one a day, outside of quiet hours, and only when something became due."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.tasks import task
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from agents.event_log import get_logger
from agents.mail import send_to_person
from agents.people import zone_named
from tutoring.mastery.records.reviews import due_reviews
from tutoring.models import Review, StudySettings
from tutoring.reminders.signed_links import stop_address

logger = get_logger(__name__)

TRIES, PAUSE = 3, timedelta(minutes=10)
TITLES_SHOWN = 5


def order_reminders(*, at: datetime | None = None) -> None:
    """Order a mail for each learner who wants one, has reviews that became due since the last, and is not at rest."""
    at = at or timezone.now()
    for wanted in _candidates(at).iterator():
        if _is_time(wanted, at) and _claimed(wanted, at):
            mail_reminder.enqueue(wanted.learner_id)


@task
def mail_reminder(learner: int, tries: int = 1) -> None:
    """Write to a learner, unless they changed their mind or did their reviews; what is not accepted is tried again."""
    wanted = StudySettings.objects.select_related("learner").filter(learner_id=learner, mails=True).first()
    if wanted is None or not wanted.learner.is_active:
        return
    titles = [row.concept.title for row in due_reviews(wanted.learner)]
    if titles and not _sent(wanted, titles) and tries < TRIES:
        mail_reminder.using(run_after=timezone.now() + PAUSE).enqueue(learner, tries + 1)


def _candidates(at: datetime) -> QuerySet[StudySettings]:
    """Return the learners with a review that became due since their last mail, or ever if there was none."""
    due = Review.objects.filter(learner_id=OuterRef("learner_id"), due_at__lte=at)
    fresh = Q(Q(mailed_at=None), Exists(due)) | Q(Exists(due.filter(due_at__gt=OuterRef("mailed_at"))))
    rows = StudySettings.objects.filter(mails=True, learner__is_active=True).exclude(learner__email="")
    return rows.filter(fresh).select_related("learner").order_by("pk")


def _is_time(wanted: StudySettings, at: datetime) -> bool:
    zone = zone_named(wanted.learner.zone)
    local = at.astimezone(zone)
    mailed_today = wanted.mailed_at is not None and wanted.mailed_at.astimezone(zone).date() == local.date()
    return not mailed_today and not wanted.is_quiet(local)


def _claimed(wanted: StudySettings, at: datetime) -> bool:
    """Note that the mail is ordered; False if another process did so."""
    rows = StudySettings.objects.filter(pk=wanted.pk, mailed_at=wanted.mailed_at, mails=True)
    return rows.update(mailed_at=at) > 0


def _sent(wanted: StudySettings, titles: list[str]) -> bool:
    try:
        with translation.override(wanted.learner.language):
            send_to_person(wanted.learner, subject=_subject(len(titles)), text=_text(wanted, titles))
    except OSError as error:  # A mail server's own words contain the address.
        logger.warning("mail_not_sent", error=type(error).__name__)
        return False
    return True


def _subject(count: int) -> str:
    return ngettext("%(count)d topic to review", "%(count)d topics to review", count) % {"count": count}


def _text(wanted: StudySettings, titles: list[str]) -> str:
    shown = "\n".join(f"- {title}" for title in titles[:TITLES_SHOWN])
    if len(titles) > TITLES_SHOWN:
        shown += f"\n- {_('and more')}"
    return _(
        "A few questions will help you remember these topics:\n\n%(titles)s\n\nReview them here:\n\n%(review)s\n\n"
        "There is no hurry. You are getting this email because you asked to be reminded. To stop these emails, "
        "open this "
        "link:\n\n%(stop)s\n"
    ) % {"titles": shown, "review": f"{settings.PUBLIC_URL}{reverse('review')}", "stop": stop_address(wanted)}
