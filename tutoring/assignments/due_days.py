"""When an assignment is due: the usual day, a local time that exists, and the day in words."""

from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Final

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

FRIDAY: Final = 4
WEEK: Final = timedelta(days=7)
END_OF_DAY: Final = time(23, 59)
"""The time of what is due on a day without a time of day."""


class NoSuchTime(ValueError):
    """The clocks skip this time on that day."""


def usual_due_day(today: date) -> date:
    """Return the next Friday after today."""
    return today + timedelta(days=(FRIDAY - today.weekday() - 1) % 7 + 1)


def local_moment(day: date, clock: time, zone: tzinfo) -> datetime:
    """Return a day's time in a zone; the first of two when clocks are set back. Raises NoSuchTime."""
    moment = datetime.combine(day, clock, zone)
    if moment.astimezone(UTC).astimezone(zone).replace(tzinfo=None) != moment.replace(tzinfo=None):
        raise NoSuchTime(f"{day} {clock}")
    return moment


def due_words(due_at: datetime, *, now: datetime) -> str:
    """Return until when something is to be done, in the time zone in force: "by Friday", "was due yesterday"."""
    due, today = timezone.localtime(due_at), timezone.localdate(now)
    clock = "" if due.time().replace(second=0, microsecond=0) == END_OF_DAY else date_format(due, "H:i")
    if due_at < now:
        return _("was due %(day)s") % {"day": _past_day(due.date(), today=today, clock=clock)}
    day = day_name(due.date(), today=today)
    return _("by %(day)s, %(time)s") % {"day": day, "time": clock} if clock else _("by %(day)s") % {"day": day}


def day_name(day: date, *, today: date) -> str:
    """Return a day as after "by": today, tomorrow, Friday, 4 December."""
    if day == today:
        return _("today")
    if day == today + timedelta(days=1):
        return _("tomorrow")
    if today < day < today + WEEK:
        return date_format(day, "l")
    return date_format(day, "MONTH_DAY_FORMAT" if day.year == today.year else "DATE_FORMAT")


def _past_day(day: date, *, today: date, clock: str) -> str:
    if day == today:
        return _("today at %(time)s") % {"time": clock} if clock else _("today")
    if day == today - timedelta(days=1):
        return _("yesterday")
    if day > today - WEEK:
        return _("on %(day)s") % {"day": date_format(day, "l")}
    return _("on %(day)s") % {"day": date_format(day, "MONTH_DAY_FORMAT" if day.year == today.year else "DATE_FORMAT")}
