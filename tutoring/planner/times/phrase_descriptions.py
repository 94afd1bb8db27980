"""Times in words, to say them back: "Tuesday 1 December at 16:00", "every Tuesday at 17:00 until 25 December"."""

from datetime import date, datetime, timedelta

from django.utils.dates import MONTHS, WEEKDAYS
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tutoring.planner.times.recurrence_phrases import WORKDAYS
from tutoring.planner.times.recurrence_rules import CODES
from tutoring.planner.times.values import TimePhrase


def describe_time(phrase: TimePhrase, now: datetime) -> str:
    """Return the time in words: "Tuesday 1 December at 16:00", "every Tuesday at 17:00 until 25 December".

    The year is named only if it is not that of `now`.
    """
    if phrase.rule:
        return _recurring(phrase, now)
    if phrase.is_all_day:
        return _days(phrase, now)
    start = phrase.start
    words = {"day": _day(start.date(), now), "start": f"{start:%H:%M}"}
    if phrase.end is None:
        return _("%(day)s at %(start)s") % words
    if phrase.end.date() == start.date():
        return _("%(day)s from %(start)s to %(end)s") % {**words, "end": f"{phrase.end:%H:%M}"}
    return _("%(day)s at %(start)s to %(last)s at %(end)s") % {
        **words,
        "last": _day(phrase.end.date(), now),
        "end": f"{phrase.end:%H:%M}",
    }


def _recurring(phrase: TimePhrase, now: datetime) -> str:
    parts = dict(part.split("=", 1) for part in phrase.rule.split(";"))
    words = _frequency(parts, phrase.start)
    if not phrase.is_all_day:
        end = phrase.end
        if end is None:
            words = _("%(rule)s at %(start)s") % {"rule": words, "start": f"{phrase.start:%H:%M}"}
        else:
            hours = {"rule": words, "start": f"{phrase.start:%H:%M}", "end": f"{end:%H:%M}"}
            words = _("%(rule)s from %(start)s to %(end)s") % hours
    if phrase.start.date() > now.date() + timedelta(days=31) or (
        "INTERVAL" in parts and phrase.start.date() != now.date()
    ):
        words = _("%(rule)s, from %(date)s") % {"rule": words, "date": _date(phrase.start.date(), now)}
    if "UNTIL" in parts:
        last = datetime.strptime(parts["UNTIL"][:8], "%Y%m%d").date()
        return _("%(rule)s until %(date)s") % {"rule": words, "date": _date(last, now)}
    if "COUNT" in parts:
        count = int(parts["COUNT"])
        times = ngettext("%(count)d time", "%(count)d times", count) % {"count": count}
        return f"{words}, {times}"
    return words


def _frequency(parts: dict[str, str], start: datetime) -> str:
    interval = int(parts.get("INTERVAL", "1"))
    numbered = {"count": interval}
    match parts["FREQ"]:
        case "DAILY":
            return ngettext("every day", "every %(count)d days", interval) % numbered
        case "WEEKLY":
            days = tuple(CODES.index(code) for code in parts["BYDAY"].split(",")) if "BYDAY" in parts else ()
            if days == WORKDAYS and interval == 1:
                return _("every weekday")
            names = _listed([str(WEEKDAYS[each]) for each in days] or [str(WEEKDAYS[start.weekday()])])
            if interval == 1:
                return _("every %(days)s") % {"days": names}
            weeks = ngettext("every %(count)d week", "every %(count)d weeks", interval) % numbered
            return _("%(weeks)s on %(days)s") % {"weeks": weeks, "days": names}
        case "MONTHLY":
            months = ngettext("every month", "every %(count)d months", interval) % numbered
            return _("%(months)s on %(days)s") % {"months": months, "days": _month_days(parts, start)}
        case _:
            years = ngettext("every year", "every %(count)d years", interval) % numbered
            return _("%(years)s on %(date)s") % {"years": years, "date": f"{start.day} {MONTHS[start.month]}"}


def _month_days(parts: dict[str, str], start: datetime) -> str:
    names = []
    for code in parts.get("BYDAY", "").split(",") if "BYDAY" in parts else []:
        number, name = code[:-2], str(WEEKDAYS[CODES.index(code[-2:])])
        ordinals = {
            "1": _("first"),
            "2": _("second"),
            "3": _("third"),
            "4": _("fourth"),
            "5": _("fifth"),
            "-1": _("last"),
        }
        ordinal = ordinals.get(number.lstrip("+"), number)
        names.append(_("the %(ordinal)s %(day)s") % {"ordinal": ordinal, "day": name} if number else name)
    for day in parts["BYMONTHDAY"].split(",") if "BYMONTHDAY" in parts else []:
        names.append(_("the last day") if day == "-1" else _("day %(number)s") % {"number": day})
    return _listed(names or [_("day %(number)s") % {"number": start.day}])


def _listed(names: list[str]) -> str:
    if len(names) == 1:
        return names[0]
    return _("%(names)s and %(last)s") % {"names": ", ".join(names[:-1]), "last": names[-1]}


def _days(phrase: TimePhrase, now: datetime) -> str:
    first = phrase.start.date()
    last = phrase.end.date() - timedelta(days=1) if phrase.end else first
    if last <= first:
        return _day(first, now)
    return _("%(first)s to %(last)s") % {"first": _day(first, now), "last": _day(last, now)}


def _day(day: date, now: datetime) -> str:
    return f"{WEEKDAYS[day.weekday()]} {_date(day, now)}"


def _date(day: date, now: datetime) -> str:
    year = f" {day.year}" if day.year != now.year else ""
    return f"{day.day} {MONTHS[day.month]}{year}"
