"""Reminders that a teacher sends to those who are not done: on their home, and by mail if they want mails."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db.models import F, Q
from django.tasks import task
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from agents.event_log import get_logger
from agents.mail import send_to_person
from agents.people import Person, zone_named
from tutoring.assignments.audiences import given_to
from tutoring.assignments.due_days import due_words
from tutoring.assignments.progress_records import progress_of
from tutoring.models import Assignment, AssignmentWork, StudySettings
from tutoring.reminders.signed_links import stop_address

logger = get_logger(__name__)

REST: Final = timedelta(hours=12)
"""A pupil is reminded of the same assignment at most once in this time."""
PAUSE: Final = timedelta(hours=1)
"""Before a mail is tried again, in quiet hours or when the mail server refuses it."""
TRIES: Final = 24


def remind(assignment: Assignment, people: Iterable[int], *, at: datetime | None = None) -> int:
    """Remind these pupils, except those reminded lately; return how many were reminded now."""
    now, reminded = at or timezone.now(), 0
    for person in people:
        work, _made = AssignmentWork.objects.get_or_create(assignment=assignment, learner_id=person)
        # The condition is part of the update: two teachers who press the button at once send one reminder.
        lately = Q(reminded_at=None) | Q(reminded_at__lte=now - REST)
        if AssignmentWork.objects.filter(lately, pk=work.pk).update(reminded_at=now):
            reminded += 1
            if StudySettings.objects.filter(learner_id=person, mails=True).exists():
                mail_assignment.enqueue(work.pk)
    return reminded


def open_reminders(person: Person) -> set[int]:
    """Return the assignments of which the person was reminded and has not closed the notice; one query."""
    unseen = Q(reminder_seen_at=None) | Q(reminder_seen_at__lt=F("reminded_at"))
    rows = AssignmentWork.objects.filter(unseen, learner_id=person.pk, reminded_at__isnull=False)
    return set(rows.values_list("assignment_id", flat=True))


def close_reminder(assignment: Assignment, person: Person) -> None:
    AssignmentWork.objects.filter(assignment=assignment, learner_id=person.pk).update(reminder_seen_at=timezone.now())


@task
def mail_assignment(work: int, tries: int = 1) -> None:
    """Mail a reminder once the pupil's quiet hours are over, unless it is done, withdrawn or not wanted any more."""
    now = timezone.now()
    found = AssignmentWork.objects.select_related("learner").filter(pk=work).first()
    wanted = StudySettings.objects.filter(learner_id=found.learner_id, mails=True).first() if found else None
    if found is None or wanted is None or not found.learner.is_active or not found.learner.email:
        return
    assignment = given_to(found.learner).filter(pk=found.assignment_id).first()
    if (
        assignment is None
        or progress_of({assignment: [found.learner_id]}, now=now)[assignment][found.learner_id].is_over
    ):
        return
    wanted.learner = found.learner
    is_quiet = wanted.is_quiet(now.astimezone(zone_named(found.learner.zone)))
    if (is_quiet or not _sent(assignment, wanted, now)) and tries < TRIES:
        mail_assignment.using(run_after=now + PAUSE).enqueue(work, tries + 1)


def _sent(assignment: Assignment, wanted: StudySettings, now: datetime) -> bool:
    person = wanted.learner
    try:
        with translation.override(person.language), timezone.override(zone_named(person.zone)):
            title = " ".join(assignment.title.split())
            due = due_words(assignment.due_at, now=now)
            subject = _("%(title)s: %(due)s") % {"title": title, "due": due}
            send_to_person(person, subject=subject[:120], text=_text(assignment, wanted, due=due))
    except OSError as error:  # A mail server's own words contain the address.
        logger.warning("mail_not_sent", error=type(error).__name__)
        return False
    return True


def _text(assignment: Assignment, wanted: StudySettings, *, due: str) -> str:
    return _(
        "Your teacher reminds you of an assignment:\n\n%(title)s (%(due)s)\n\nOpen it here:\n\n%(url)s\n\n"
        "To stop these emails, open this link:\n\n%(stop)s\n"
    ) % {
        "title": assignment.title,
        "due": due,
        "url": f"{settings.PUBLIC_URL}{assignment.get_absolute_url()}",
        "stop": stop_address(wanted),
    }
