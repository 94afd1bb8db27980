"""Reminders of tasks and events: each shown once on the pages, and mailed once to those who want it."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.db import models, transaction
from django.db.models import F, Q
from django.tasks import task
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from agents.event_log import get_logger
from agents.mail import send_to_person
from agents.people import Person, zone_named
from tutoring.models import CalendarEvent, PlannerSettings, Reminder, StudySettings, Task
from tutoring.planner.records.events import series_of
from tutoring.planner.signed_links import stop_address
from tutoring.planner.times.recurrence import occurrences
from tutoring.planner.webhooks import order_webhook

logger = get_logger(__name__)

LATE: Final = timedelta(hours=1)
"""After downtime, an event is still announced if it began at most this long ago."""
SHOWN_FOR, MAILED_FOR = timedelta(days=2), timedelta(hours=24)
"""How long after it came due a reminder is shown, or mailed once the quiet hours are over."""
LONGEST_BEFORE: Final = timedelta(days=28)
SHOWN_AT_ONCE: Final = 5
TRIES, PAUSE = 3, timedelta(minutes=10)


def remind(*, at: datetime | None = None) -> None:
    """Store the reminders that came due, and order the mails that may be sent now."""
    at = at or timezone.now()
    for due in (*_due_tasks(at), *_due_occurrences(at)):
        _store(due, at)
    _order_mails(at)


def open_reminders(person: Person, *, at: datetime | None = None) -> list[Reminder]:
    """Return the reminders to show, the newest first; one query."""
    at = at or timezone.now()
    rows = Reminder.objects.filter(owner_id=person.pk, seen_at=None, made_at__gt=at - SHOWN_FOR)
    return list(_still_wanted(rows).order_by("-at", "-pk")[:SHOWN_AT_ONCE])


def close_reminders(person: Person, pks: list[int]) -> None:
    """Note that the person has seen these reminders; those of others stay as they are."""
    Reminder.objects.filter(owner_id=person.pk, pk__in=pks, seen_at=None).update(seen_at=timezone.now())


def reminder_words(reminder: Reminder) -> str:
    """Return what a reminder says, by the clock and in the language in force."""
    if reminder.task is not None:
        return reminder.task.title
    local = timezone.localtime(reminder.at)
    day = "" if local.date() == timezone.localdate() else f"{date_format(local, 'l')} "
    place = f", {reminder.event.place}" if reminder.event and reminder.event.place else ""
    return f"{reminder.event}: {day}{date_format(local, 'H:i')}{place}"


# --- What is due ---


def _due_tasks(at: datetime) -> Iterator[Reminder]:
    rows = Task.objects.kept().filter(remind_at__lte=at, reminded_at=None, done_at=None)
    for each in rows.select_related("owner").iterator():
        yield Reminder(owner=each.owner, workspace_id=each.workspace_id, task=each, at=each.remind_at)


def _due_occurrences(at: datetime) -> Iterator[Reminder]:
    rows = CalendarEvent.objects.kept().filter(remind_before__isnull=False, starts_at__lte=at + LONGEST_BEFORE)
    rows = rows.filter(Q(last_ends_at=None) & ~Q(rule="") | Q(last_ends_at__gte=at - LATE) | Q(ends_at__gte=at - LATE))
    for event in rows.select_related("owner").iterator():
        before = min(timedelta(minutes=event.remind_before), LONGEST_BEFORE)
        soon = occurrences(series_of(event), after=at - LATE, before=at + before + timedelta(seconds=1), limit=20)
        for each in soon:
            # What was announced before stays so, even if the person has set the reminder to another time since.
            if each.start >= at - LATE and (event.reminded_for is None or each.start > event.reminded_for):
                yield Reminder(owner=event.owner, workspace_id=event.workspace_id, event=event, at=each.start)


def _store(due: Reminder, at: datetime) -> None:
    """Store a reminder unless another process has, and tell the workflow server of a task."""
    due.made_at = at
    with transaction.atomic():
        lookup = {"task": due.task} if due.task else {"event": due.event}
        defaults = {"owner_id": due.owner_id, "workspace_id": due.workspace_id, "made_at": at}
        _row, made = Reminder.objects.get_or_create(**lookup, at=due.at, defaults=defaults)
        if due.task is not None:
            Task.objects.filter(pk=due.task.pk, remind_at=due.at).update(reminded_at=at)
        elif due.event is not None:
            CalendarEvent.objects.filter(pk=due.event.pk).update(reminded_for=due.at)
        if made and due.task is not None:
            day = due.task.due_on.isoformat() if due.task.due_on else None
            order_webhook(due.owner, kind="task_due", body={"id": due.task.pk, "title": due.task.title, "due_on": day})


def _still_wanted(rows: models.QuerySet[Reminder]) -> models.QuerySet[Reminder]:
    """Leave out what is done, removed or, as a task, put off since."""
    of_task = Q(task__removed_at=None, task__done_at=None, task__remind_at=F("at"))
    of_event = Q(event__isnull=False, event__removed_at=None)
    return rows.filter(Q(Q(task__isnull=False), of_task) | of_event).select_related("task", "event", "workspace")


# --- Mails ---


def _order_mails(at: datetime) -> None:
    """Order one mail for each person with reminders not mailed yet, who wants mails and is not at rest."""
    waiting = _still_wanted(Reminder.objects.filter(mailed_at=None, seen_at=None, made_at__gt=at - MAILED_FOR))
    wanted = PlannerSettings.objects.filter(mails=True, owner__is_active=True).exclude(owner__email="")
    people = wanted.filter(owner_id__in=waiting.order_by().values("owner_id")).select_related("owner")
    for chosen in people.iterator():
        if is_quiet(chosen.owner, at):
            continue
        pks = list(waiting.filter(owner_id=chosen.owner_id).values_list("pk", flat=True))
        claimed = [pk for pk in pks if Reminder.objects.filter(pk=pk, mailed_at=None).update(mailed_at=at)]
        if claimed:
            mail_reminders.enqueue(chosen.owner_id, claimed)


def is_quiet(person: Any, at: datetime) -> bool:
    """Tell whether it is within the person's quiet hours, as chosen for reviews or by default."""
    kept = StudySettings.objects.filter(learner_id=person.pk).first() or StudySettings(learner_id=person.pk)
    return kept.is_quiet(at.astimezone(zone_named(person.zone)))


@task
def mail_reminders(person: int, pks: list[int], tries: int = 1) -> None:
    """Mail these reminders, unless the person changed their mind or did the tasks; what is not accepted is tried again."""
    wanted = PlannerSettings.objects.select_related("owner").filter(owner_id=person, mails=True).first()
    if wanted is None or not wanted.owner.is_active:
        return
    rows = list(_still_wanted(Reminder.objects.filter(owner_id=person, pk__in=pks, seen_at=None)).order_by("at", "pk"))
    if rows and not _sent(wanted, rows) and tries < TRIES:
        mail_reminders.using(run_after=timezone.now() + PAUSE).enqueue(person, pks, tries + 1)


def _sent(wanted: PlannerSettings, rows: list[Reminder]) -> bool:
    owner = wanted.owner
    try:
        with translation.override(owner.language), timezone.override(zone_named(owner.zone)):
            lines = [reminder_words(each) for each in rows]
            subject = lines[0] if len(lines) == 1 else _count_words(len(lines))
            # A title can hold any text, but a subject is one line.
            send_to_person(owner, subject=" ".join(subject.split())[:120], text=_text(wanted, lines))
    except OSError as error:  # A mail server's own words contain the address.
        logger.warning("mail_not_sent", error=type(error).__name__)
        return False
    return True


def _count_words(count: int) -> str:
    return ngettext("%(count)d reminder", "%(count)d reminders", count) % {"count": count}


def _text(wanted: PlannerSettings, lines: list[str]) -> str:
    return _(
        "You asked to be reminded:\n\n%(lines)s\n\nYour planner:\n\n%(planner)s\n\n"
        "To stop these emails, open this link:\n\n%(stop)s\n"
    ) % {
        "lines": "\n".join(f"- {line}" for line in lines),
        "planner": f"{settings.PUBLIC_URL}{reverse('planner')}",
        "stop": stop_address(wanted, "mails"),
    }
