"""Days in words: "tomorrow", "next Tuesday", "the weekend", "two weeks from Friday", "the day before Christmas"."""

from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Final

from django.utils.translation import gettext as _

from tutoring.planner.times.date_figures import DATED
from tutoring.planner.times.date_phrases import read_date
from tutoring.planner.times.day_values import AnyDay, Day, ReadDay, Today, UnclearDay, coming_month_day
from tutoring.planner.times.durations import Duration, read_duration
from tutoring.planner.times.named_days import NAMED, read_few, read_holiday, read_named_day, read_week_or_month
from tutoring.planner.times.weekday_phrases import (
    WHICH,
    in_week,
    moved,
    read_counted_weekday,
    read_next_one,
    read_ordinal_weekday,
)
from tutoring.planner.times.words import (
    DURATION_UNITS,
    MONTHS,
    POSSESSIVE_WEEKDAYS,
    WEEKDAYS,
    WORDS_OF_THEIR_OWN,
    Words,
)

_ROUGHLY: Final = frozenset({"about", "around", "roughly", "approximately", "exactly", "circa"})
_VAGUE: Final = frozenset({"sometime", "someday", "soon"})


def read_day(words: Words, index: int, today: Today, role: str) -> ReadDay | None:
    """Read a day or a range of days that starts at this token, after its prepositions."""
    for read in (
        _vague,
        read_named_day,
        read_counted_weekday,
        read_next_one,
        read_ordinal_weekday,
        _edge,
        _from_anchor,
        _weekday,
        read_week_or_month,
        read_holiday,
    ):
        if found := read(words, index, today, role):
            return found
    return read_date(words, index, today, role)


def read_instant(words: Words, index: int, now: datetime) -> tuple[datetime | UnclearDay, int] | None:
    """Read "in two hours", "an hour from now", "30 minutes ago" (without "in", which stands before the index)."""
    if same := _same_time(words, index, now):
        return same
    if words.at(index) == "now" and (
        words.at(index + 1) in ("to", "until", "-", "through")
        or (words.at(index + 1) == "and" and words.at(index - 1) == "between")
        or (words.at(index + 1) == "for" and read_duration(words, words.skip(index + 2, "about")))
    ):
        return now.replace(second=0, microsecond=0), index + 1
    if words.at(index - 1) in ("for", "over", "during") and words.are(index, "the", "next"):
        # The length of "for the next two hours" is read on its own.
        length = read_duration(words, index + 2)
        return (now.replace(second=0, microsecond=0), index + 2) if length and not length[0].is_of_days else None
    start = words.skip(words.skip(index, "the"), "next") if words.at(index - 1) in ("in", "within") else index
    found = read_duration(words, start)
    if found is None and start > index and words.at(start) == "hour":
        found = Duration(minutes=60), start + 1
    if found is None or found[0].is_of_days:
        return None
    duration, after = found
    if words.at(after) == "or" and (more := words.number(after + 1)) and words.at(index - 1) in ("in", "within"):
        return UnclearDay("time", _("At what time?")), more[1] + (words.at(more[1]) in DURATION_UNITS)
    base = now.replace(second=0, microsecond=0)
    if words.are(after, "from", "now") or words.are(after, "from", "right", "now"):
        return duration.after_time(base), after + (2 if words.at(after + 1) == "now" else 3)
    if words.at(after) == "ago":
        return duration.after_time(base, sign=-1), after + 1
    if _is_ahead(words, index, after) and words.at(after) not in ("of", "a", "per"):
        return duration.after_time(base), words.skip(words.skip(after, "'"), "time")
    return None


def _is_ahead(words: Words, index: int, after: int) -> bool:
    """Whether a length counts from now: "in two hours"; "after two hours", where a sentence consists of it."""
    while words.at(index - 1) in _ROUGHLY:
        index -= 1
    if words.at(index - 1) == "after" and words.at(index - 2) in ("", ".", "!", "?", "me"):
        return words.ends(after)
    return words.at(index - 1) in ("in", "within")


def _same_time(words: Words, index: int, now: datetime) -> tuple[datetime, int] | None:
    """Read "this time tomorrow", "the same time next week"."""
    start = words.skip(index, "the")
    if words.at(start) not in ("this", "same") or words.at(start + 1) != "time":
        return None
    today = Today(now.date())
    found = read_day(words, words.skip(start + 2, "on"), today, "on")
    if found is None or isinstance(found[0], UnclearDay):
        return None
    day = found[0].first
    if found[0].is_range:
        # Next week at this time is seven days on, next month at this time the same day of the month.
        is_week = (found[0].last - found[0].first).days < 7
        ahead = 7 if found[0].first > today.day else -7
        day = (
            today.day + timedelta(days=ahead)
            if is_week
            else day + timedelta(days=min(today.day.day, found[0].last.day) - 1)
        )
    return datetime.combine(day, now.time().replace(second=0, microsecond=0), now.tzinfo), found[1]


def _vague(words: Words, index: int, today: Today, role: str) -> ReadDay | None:
    """Read "sometime next week", "one day next week", "soon", "later this week": the day has to be asked."""
    if words.at(index) in _VAGUE:
        after = index + 1
        if words.at(index) == "soon" and (
            words.at(index - 1) in ("as", "too", "how", "so") or words.at(after) not in ("", ".", "!", "?")
        ):
            return None
    elif words.at(index) in ("some", "any", "one") and words.at(index + 1) in WEEKDAYS:
        return UnclearDay("date", _("Which day is that?"), is_vague=True), index + 2, False
    elif words.are(index, "one", "of", "these", "days") or words.are(index, "one", "of", "the", "days"):
        return UnclearDay("date", _("Which day is that?"), is_vague=True), index + 4, False
    elif words.at(index) in ("some", "one", "any") and words.at(index + 1) in ("time", "day", "point"):
        after = index + 2
        if words.at(index) == "one" and words.at(after) not in ("next", "this"):
            return None
        if words.at(index) == "any" and words.at(after) in ("but", "except"):
            return UnclearDay("date", _("Which day is that?")), after + 1, False
    elif words.at(index) == "later":
        return _later(words, index, today, role)
    elif found := read_few(words, index):
        return found
    elif words.at(index - 1) == "in" and words.at(index) == "a" and words.at(index + 1) in ("while", "bit", "moment"):
        return UnclearDay("time", _("At what time?")), index + 2, False
    elif words.at(index) in ("early", "late", "mid"):
        after = words.skip(index + 1, "-")
        is_range = words.at(after) in ("this", "next") and words.at(after + 1) in ("week", "month", "year")
        if not is_range and (words.at(after) not in MONTHS or words.at(after + 1).isdigit()):
            return None
    else:
        return None
    found = read_day(words, words.skip(after, "in", "on", "of", "during"), today, "in")
    if found is None:
        if words.at(index) in ("one", "any") or words.at(after) in ("between", "from", "before", "after", "at"):
            return None
        return UnclearDay("date", _("Which day is that?"), is_vague=True), after, False
    day, end, _weak = found
    if isinstance(day, Day) and not day.is_range:
        return UnclearDay("time", _("At what time?"), (day.first,)), end, False
    return UnclearDay("date", _("Which day is that?")), end, False


def _later(words: Words, index: int, today: Today, role: str) -> ReadDay | None:
    """Read "later today", "later on", "later this week"; "two days later" and "no later than" are something else."""
    after = words.skip(index + 1, "on")
    if words.at(index - 1) in ("no", "not", "see", "or") or words.at(index - 1) in DURATION_UNITS:
        return None
    if words.at(after) in ("today", "tonight", "tomorrow"):
        return UnclearDay("time", _("At what time?")), after + 1, False
    if words.at(after) == "this" and words.at(after + 1) in ("morning", "afternoon", "evening"):
        return UnclearDay("time", _("At what time?")), after + 2, False
    if words.at(after) in ("this", "next") and (found := read_day(words, after, today, "on")):
        return UnclearDay("date", _("Which day is that?")), found[1], False
    if words.at(after) in ("", ".", "!", "?", ","):
        return UnclearDay("time", _("At what time?")), after, False
    return None


def _weekday(words: Words, index: int, today: Today, role: str) -> ReadDay | None:
    start = words.skip(index, "the")
    which = words.at(start)
    if words.at(start + 1) == "or" and which in WHICH and words.at(start + 2) in WHICH:
        second = _weekday(words, start + 2, today, role)
        number = WEEKDAYS.get(words.at(start + 3))
        if second and number is not None and isinstance(second[0], Day):
            days = in_week(today.week(WHICH[which]), number).first, second[0].first
            return UnclearDay("which", _("More than one day is possible."), days), second[1], False
    at = start + 1 if which in WHICH or which in ("coming", "upcoming") else start
    if at > start and words.at(at) in ("coming", "upcoming"):
        at, which = at + 1, "coming"
    number = WEEKDAYS.get(words.at(at), POSSESSIVE_WEEKDAYS.get(words.at(at)))
    if number is None:
        return None
    name, after = words.at(at), at + 1
    if name in WORDS_OF_THEIR_OWN and at == start and not (role or words.is_capital(at) or at == 0):
        return None
    if name == "sat" and at == start and words.is_exam(at):
        return None
    after = words.skip(after, ".") if len(name) <= 5 and words.is_glued(after) and words.at(after + 1) else after
    after = after + 1 if words.are(after, "-", "week") else after
    if words.at(after) == "week" and words.at(after + 1) not in ("day", "days"):
        return moved(today.weekday(number), 7), after + 1, False
    if words.at(after) == "fortnight":
        return moved(today.weekday(number), 14), after + 1, False
    if words.are(after, "after", "next"):
        return in_week(today.week(2), number), after + 2, False
    end = words.skip(words.skip(after + 1, "that", "this"), "one")
    if (
        (start > index or words.at(after + 1) == "this")
        and at == start
        and words.at(after) == "after"
        and words.ends(end)
    ):
        # "Not this Friday but the Friday after": one week after the one just named.
        is_next = "next" in words.before(start, 6)
        return in_week(today.week(2), number) if is_next else moved(today.weekday(number), 7), end, False
    if at == start and words.at(after) == "next" and words.at(after + 1) in ("", ",", ".", "at", "from", "!", "?"):
        return in_week(today.week(1), number), after + 1, False
    if at == start and (dated := _with_number(words, after, today, number)):
        return dated
    is_anchored = words.at(after) in ("after", "before") and (at == start or which == "last")
    anchor = read_day(words, after + 1, today, "on") if is_anchored else None
    if anchor and isinstance(anchor[0], Day) and not anchor[0].is_range and anchor[0].kind != "weekday":
        toward = Today(anchor[0].first, is_past=words.at(after) == "before")
        return today.one(toward.weekday(number).first), anchor[1], False
    # "Friday in two weeks", "Friday two weeks from now"
    later = read_duration(words, words.skip(after, "in"))
    is_far = later and (words.at(after) == "in" or words.are(later[1], "from", "now"))
    if later and is_far and _is_weeks(later[0]):
        end = later[1] + 2 * words.are(later[1], "from", "now")
        return in_week(today.week(later[0].days // 7), number), words.skip(end, "time"), False
    if at == start or which in ("coming", "upcoming"):
        return today.weekday(number), after, False
    if WHICH[which] == -1:
        return Day(*(replace(today, is_past=True).weekday(number).first,) * 2), after, False
    return in_week(today.week(WHICH[which]), number), after, False


def _with_number(words: Words, after: int, today: Today, weekday: int) -> ReadDay | None:
    """Read the number of "Friday 4" as a date, if the next 4th is a Friday or no hour is meant."""
    number = words.at(after)
    follows = words.at(after + 1)
    if (
        not number.isdigit()
        or len(number) > 2
        or follows in MONTHS
        or (words.is_glued(after + 1) and (follows not in (",", ".", "!", "?") or words.at(after + 2).isdigit()))
    ):
        return None
    if follows in (
        "am",
        "pm",
        "o'clock",
        "oclock",
        "o",
        "h",
        "ish",
        "to",
        "-",
        "of",
        "past",
        "hours",
        "minutes",
        "in",
        "a",
        "p",
    ):
        return None
    if follows.isalpha() and not words.ends(after + 1) and follows != "from":
        # "Friday 3 pages"
        return None
    day = coming_month_day(today, int(number))
    if isinstance(day, Day) and day.first.weekday() == weekday:
        return today.one(day.first), after + 1, False
    return None


def _is_weeks(duration: Duration) -> bool:
    return duration.days > 0 and duration.days % 7 == 0 and not duration.months


def _edge(words: Words, index: int, today: Today, role: str) -> ReadDay | None:
    """Read "the end of the month", "the beginning of next week"."""
    start = words.skip(index, "the")
    edge = words.at(start)
    if edge == "eod":
        at, unit = start, "day"
    elif edge in ("end", "start", "beginning", "middle") and words.at(start + 1) == "of":
        at = words.skip(start + 2, "the")
        unit = words.at(at)
    else:
        return None
    found: ReadDay | None
    if unit in ("week", "month", "year"):
        whole = {
            "week": today.week(),
            "month": today.month(today.day.year, today.day.month),
            "year": Day(date(today.day.year, 1, 1), date(today.day.year, 12, 31)),
        }[unit]
        found = whole, at + 1, False
    elif unit == "day":
        found = read_day(words, words.skip(at + 1, "on"), today, "on")
        if found and isinstance(found[0], Day) and not found[0].is_range:
            return found
        # "Friday by end of day" is the Friday.
        is_named = words.before(start, 3) & (WEEKDAYS.keys() | NAMED.keys())
        return None if is_named else (today.one(today.day), at + 1, False)
    else:
        found = read_day(words, at, today, "in")
    if found is None or isinstance(found[0], UnclearDay) or not found[0].is_range:
        return None
    if edge == "middle":
        return UnclearDay("date", _("Which day is that?")), found[1], False
    day = found[0].last if edge == "end" else found[0].first
    return today.one(day), found[1], False


def _from_anchor(words: Words, index: int, today: Today, role: str) -> ReadDay | None:
    """Read "in three days", "two weeks from Friday", "a week on Tuesday", "three days ago", "the day before Christmas"."""
    start = words.skip(index, "the")
    is_named = words.at(start) == "day" and words.at(start + 1) in ("before", "after")
    if is_named or (start > index and words.at(start) in ("day", "week")):
        duration, after = Duration(days=1 if words.at(start) == "day" else 7), start + 1
    elif found := read_duration(words, index):
        duration, after = found
    else:
        return None
    if not duration.is_of_days:
        return None
    if words.at(index - 1) in ("in", "within") and words.are(after, "or", "so"):
        return UnclearDay("date", _("Which day is that?")), after + 2, False
    if words.at(index - 1) in ("in", "within") and (words.at(after) == "or" and (more := words.number(after + 1))):
        end = more[1] + (words.at(more[1]) in DURATION_UNITS)
        return UnclearDay("date", _("Which day is that?")), end, False
    if start > index and (words.at(after) not in ("before", "after", "from") or words.at(after + 1) == "next"):
        # "in the week after next"
        return None
    try:
        return _counted(words, start, today, duration, after)
    except (OverflowError, ValueError):
        return UnclearDay("date", _("That day is outside of the calendar.")), after, False


def _counted(words: Words, index: int, today: Today, duration: Duration, after: int) -> ReadDay | None:
    if words.at(after) == "ago":
        return today.one(duration.after(today.day, sign=-1)), after + 1, False
    if words.are(after, "from", "now") or words.at(after) == "hence":
        return today.one(duration.after(today.day)), after + (2 if words.at(after) == "from" else 1), False
    if words.at(after) in ("today", "tomorrow") and _is_weeks(duration):
        return today.one(duration.after(today.day + timedelta(days=NAMED[words.at(after)]))), after + 1, False
    if _is_ahead(words, index, after):
        end = words.skip(words.skip(after, "'", "from"), "time")
        if (
            words.at(end) in ("on", "")
            and _is_weeks(duration)
            and (number := WEEKDAYS.get(words.at(end + 1))) is not None
        ):
            return in_week(today.week(duration.days // 7), number), end + 2, False
        return today.one(duration.after(today.day)), end, False
    sign = -1 if words.at(after) == "before" else 1
    # "a week on Friday", "a week this Friday", "a week Friday", but not "for a week Friday"
    is_bare = words.at(after) in {"this"} | WEEKDAYS.keys() and words.at(index - 1) not in (
        "for",
        "every",
        "last",
        "past",
    )
    if words.at(after) in ("from", "after", "before") or ((words.at(after) == "on" or is_bare) and _is_weeks(duration)):
        anchor = read_day(words, after + (not is_bare), today, "on")
        if not anchor and (something := read_day_of_something(words, after + 1, today)):
            anchor = *something, False
        if not anchor and words.at(after + 2) in DATED and words.at(after + 1) in ("the", "my", "our"):
            # "two days before the test"
            return UnclearDay("date", _("Which day is that?")), after + 3, False
        if anchor and isinstance(anchor[0], Day) and not (is_bare and anchor[0].is_range):
            return today.one(duration.after(anchor[0].first, sign=sign)), anchor[1], False
    return None


def read_day_of_something(words: Words, index: int, today: Today) -> tuple[AnyDay, int] | None:
    """Read "my exam on 12 December" after "until" or "the day before"."""
    if words.at(index) not in ("my", "the", "our", "his", "her", "their"):
        return None
    for at in range(index + 2, index + 5):
        start = words.skip(at, "on")
        if (found := read_day(words, start, today, "on")) and not found[2]:
            return found[0], found[1]
    return None
