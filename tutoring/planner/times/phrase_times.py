"""Times from the groups of a text: dates and times of day combined, first occurrences, ends, impossible hours."""

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from itertools import takewhile
from typing import Final

from dateutil.rrule import rrulestr
from django.utils.translation import gettext as _

from tutoring.planner.times.clock_phrases import Clock
from tutoring.planner.times.day_values import AnyDay, Day, Today, UnclearDay
from tutoring.planner.times.durations import Duration
from tutoring.planner.times.phrase_groups import Group
from tutoring.planner.times.phrase_items import Count
from tutoring.planner.times.recurrence_phrases import Every
from tutoring.planner.times.values import Asks, Span, TimePhrase, UnclearTime
from tutoring.planner.times.words import PERIODS

MOST_COUNTED: Final = 1_000
"""Occurrences in "for ten years" and the like."""
LONGEST_TURN_OF_YEAR: Final = 183
"""Days of a range that ends in the year after: "20 December to 5 January", but not "5 to 1 December"."""
LONGEST_OVER_MIDNIGHT: Final = 14 * 60
"""Minutes of an event that goes on after midnight; "from 5pm to 3pm" is rather a slip."""
LONGEST_BARE_OVER_MIDNIGHT: Final = 10 * 60
"""The same for hours without am or pm, which have another reading: "from 5 to 4"."""
HOURS_A_DAY: Final = 24
_MINUTES_A_DAY: Final = HOURS_A_DAY * 60


class _Unclear(Exception):
    """The phrase names no single possible time; `unclear_time` makes a value of it."""

    def __init__(self, asks: Asks, why: str, choices: tuple[TimePhrase, ...] = ()) -> None:
        super().__init__(why)
        self.asks, self.why, self.choices = asks, why, choices


@dataclass(frozen=True, slots=True)
class Place:
    """Where a phrase stands in its text."""

    quote: str
    span: Span
    pieces: tuple[Span, ...]


def resolve(group: Group, now: datetime, place: Place, *, is_past: bool) -> TimePhrase | UnclearTime:
    """Return what a group says, at a time that exists, or what has to be asked."""
    try:
        return _Resolver(group, now, place, is_past).time()
    except _Unclear as unclear:
        return UnclearTime(
            asks=unclear.asks,
            choices=unclear.choices,
            why=unclear.why,
            quote=place.quote,
            span=place.span,
            pieces=place.pieces,
        )
    except (OverflowError, ValueError):
        # Arithmetic beyond the years 1 to 9999.
        return UnclearTime(
            asks="date",
            why=_("That day is outside of the calendar."),
            quote=place.quote,
            span=place.span,
            pieces=place.pieces,
        )


def which_of(times: list[TimePhrase | UnclearTime], place: Place) -> UnclearTime:
    """Return the question which of these is meant: "on Tuesday or Wednesday"."""
    return UnclearTime(
        asks="which",
        choices=tuple(each for each in times if isinstance(each, TimePhrase)),
        why=_("More than one time is possible."),
        quote=place.quote,
        span=place.span,
        pieces=place.pieces,
    )


@dataclass(slots=True)
class _Resolver:
    group: Group
    now: datetime
    place: Place
    is_past: bool

    @property
    def today(self) -> Today:
        return Today(self.now.date(), self.is_past)

    def time(self) -> TimePhrase | UnclearTime:
        group = self.group
        for clock in (group.clock, group.until_clock):
            if clock and not clock.is_possible:
                raise _Unclear("time", _("There is no such time of day."))
        if group.instant:
            return self._instant(group.instant)
        if every := group.every or self._implied():
            return self._recurring(every)
        if group.day is None and not (group.part and (group.part.is_today or group.part.is_yesterday)):
            return self._next_time()
        return self._dated(self._day())

    def _phrase(self, start: datetime, end: datetime | None, **fields: object) -> TimePhrase:
        values: dict[str, object] = {
            "is_all_day": not self.group.has_time,
            "has_date": self.group.has_day,
            "is_deadline": self.group.is_deadline,
            "quote": self.place.quote,
            "span": self.place.span,
            "pieces": self.place.pieces,
        }
        return TimePhrase(start=start, end=end, **(values | fields))  # type: ignore[arg-type]

    def _instant(self, start: datetime) -> TimePhrase:
        end = self.group.length.after_time(start) if self.group.length else None
        if clock := self.group.until_clock:
            end = self._at(start.date(), *clock.resolved())
            end = end if end > start else self._at(start.date() + timedelta(days=1), *clock.resolved())
        elif until := self._until_day(start.date()):
            end = self._midnight(until + timedelta(days=1))
        return self._phrase(start, end, is_all_day=False, has_date=True)

    def _day(self) -> Day:
        part = self.group.part
        day: AnyDay = self.group.day or self.today.one(self.now.date())
        if self.group.day is None and part and part.is_yesterday:
            day = self.today.one(self.now.date() - timedelta(days=1))
        if isinstance(day, UnclearDay):
            choices = tuple(self._on(each) for each in day.days)
            raise _Unclear(day.asks, day.why, choices)
        if len(day.choices) > 1:
            raise _Unclear(
                "which", _("That date can be read in two ways."), tuple(self._on(each) for each in day.choices)
            )
        return day

    def _dated(self, day: Day) -> TimePhrase:
        until = self._until_day(day.first)
        if until and self.group.until_part and self.group.until_clock is None:
            self.group = replace(self.group, until_clock=Clock(PERIODS[self.group.until_part.name], half="24"))
        if self.group.has_time and day.is_range:
            if day.kind == "dates":
                days = (day.last - day.first).days + 1
                return replace(self._on(day.first), rule=f"FREQ=DAILY;COUNT={days}")
            if (day.last - day.first).days < 7 and self.group.clock:
                choices = tuple(
                    self._on(day.first + timedelta(days=each)) for each in range((day.last - day.first).days + 1)
                )
                raise _Unclear("date", _("On which of these days?"), choices)
            raise _Unclear("date", _("On which day?"))
        if self.group.has_time and until and (self.group.until_clock is None or self.group.is_each_day):
            phrase = self._on(day.first)
            if (
                day.kind == "weekday"
                and isinstance(self.group.until_day, Day)
                and self.group.until_day.kind == "weekday"
            ):
                # "Monday to Friday at seven" is a timetable.
                weekdays = tuple(sorted({(day.number + each) % 7 for each in range((until - day.first).days + 1)}))
                return self._recurring(Every(unit="week", weekdays=weekdays), is_bounded=False)
            days = (until - day.first).days + 1
            return replace(phrase, rule=f"FREQ=DAILY;COUNT={days}") if days > 1 else phrase
        if until and self.group.until_clock and not self.group.has_time and self.group.until_clock_is_shared:
            self.group = replace(self.group, clock=self.group.until_clock, until_clock=None)
            return self._dated(day)
        if until and self.group.until_clock and not self.group.has_time:
            last = self._at(until, *self.group.until_clock.resolved())
            return self._phrase(self._midnight(day.first), last)
        if self.group.has_time and until and self.group.until_clock:
            start = self._at(day.first, *self._start_clock())
            end = self._at(until, *self.group.until_clock.resolved())
            if end <= start:
                raise _Unclear("time", _("It would end before it begins."))
            return self._phrase(start, end)
        if self.group.has_time:
            return self._on(day.first)
        return self._whole_days(day, until)

    def _whole_days(self, day: Day, until: date | None) -> TimePhrase:
        last = until or day.last
        if until is None and self.group.lasting and not isinstance(self.group.lasting, Count):
            last = self.group.lasting.after(day.first) - timedelta(days=1)
        end = self._midnight(last + timedelta(days=1)) if last > day.first else None
        return self._phrase(self._midnight(day.first), end)

    def _on(self, day: date) -> TimePhrase:
        """Return the phrase on one day."""
        if not self.group.has_time:
            return self._phrase(self._midnight(day), None)
        start = self._at(day, *self._start_clock())
        return self._phrase(start, self._end(start, day))

    def _next_time(self) -> TimePhrase:
        """Return a bare time of day: the next to come."""
        phrase = self._on(self.now.date())
        if self.is_past == (phrase.start <= self.now):
            return phrase
        return self._on(self.now.date() + timedelta(days=-1 if self.is_past else 1))

    def _until_day(self, first: date) -> date | None:
        """Return the last day of a range, after its first."""
        until = self.group.until_day
        if until is None:
            return None
        if isinstance(until, UnclearDay):
            raise _Unclear(until.asks, until.why)
        if len(until.choices) > 1:
            raise _Unclear("which", _("That date can be read in two ways."))
        if until.kind == "weekday":
            # "Friday to Friday" is a week.
            return first + timedelta(days=(until.number - first.weekday() - 1) % 7 + 1)
        last = until.last
        is_bumped = last < first and until.kind != "month day"
        while last < first and not until.has_year:
            if until.kind == "month day":
                following = self.today.month(last.year, last.month + 1)
                last = following.first + timedelta(days=min(until.number, following.last.day) - 1)
            else:
                last = last.replace(year=last.year + 1)
        if last < first or (is_bumped and (last - first).days > LONGEST_TURN_OF_YEAR):
            raise _Unclear("date", _("It would end before it begins."))
        return last

    def _start_clock(self) -> tuple[int, int]:
        """Return hours and minutes after midnight at which it starts."""
        group = self.group
        period = self._period()
        if group.clock is None:
            return PERIODS[period], 0
        clock, end = group.clock, group.until_clock
        if end and end.half in ("am", "pm") and not clock.half and clock.hour <= 12:
            # "3 to 5pm" is an afternoon, "11 to 1pm" begins before noon.
            same = replace(clock, half=end.half)
            if _minutes(same.resolved()) < _minutes(end.resolved()):
                return same.resolved()
            return replace(clock, half="am" if end.half == "pm" else "pm").resolved()
        return clock.resolved(period)

    def _period(self) -> str:
        if self.group.part:
            return self.group.part.name
        return self.group.every.period if self.group.every else ""

    def _end(self, start: datetime, day: date) -> datetime | None:
        clock = self.group.until_clock
        if clock is None:
            return self.group.length.after_time(start) if self.group.length else None
        from_minutes = _minutes(self._start_clock())
        minutes = _minutes(clock.resolved(self._period()))
        longest = _MINUTES_A_DAY
        if minutes < from_minutes and not clock.half and clock.hour <= 12 and minutes + 720 > from_minutes:
            minutes += 720
            longest = LONGEST_BARE_OVER_MIDNIGHT if minutes > _MINUTES_A_DAY else longest
        elif minutes < from_minutes:
            minutes, longest = minutes + _MINUTES_A_DAY, LONGEST_OVER_MIDNIGHT
        if not 0 < minutes - from_minutes <= longest:
            raise _Unclear("time", _("It would end before it begins."))
        return self._at(day, *divmod(minutes, 60))

    def _implied(self) -> Every | None:
        """Return the recurrence of "at six for five days" and of "Tuesday at four for six weeks"."""
        group, lasting = self.group, self.group.lasting
        if not isinstance(lasting, Duration) or not (group.clock or group.part) or lasting.days == 1:
            return None
        if group.day is None:
            return Every(unit="day")
        is_weekday = isinstance(group.day, Day) and group.day.kind == "weekday"
        return Every(unit="week") if is_weekday and lasting.days % 7 == 0 else None

    def _recurring(self, every: Every, *, is_bounded: bool = True) -> TimePhrase:
        if every.problem:
            raise _Unclear("date" if every.asks_day else "time", every.problem)
        every, base, last = self._bounds(every) if is_bounded else (every, self.now.date(), None)
        start = self._first(every, base)
        if self._start_clock_of(every)[0] >= HOURS_A_DAY:
            # "every Tuesday at midnight" begins on Wednesdays.
            if every.unit not in ("day", "week"):
                raise _Unclear("time", _("Which midnight is meant?"))
            every = replace(every, weekdays=tuple(sorted((each + 1) % 7 for each in every.weekdays)))
            last = last and last + timedelta(days=1)
        rule = every.rule()
        if last is not None:
            if start.date() > last:
                raise _Unclear("date", _("It would end before it begins."))
            rule += f";UNTIL={last:%Y%m%d}"
        elif every.count:
            rule += f";COUNT={every.count * (1 if every.is_after_today else max(1, len(every.weekdays)))}"
        elif self.group.lasting:
            rule += f";COUNT={self._count(rule, start)}"
        is_all_day = not self.group.has_time and not every.period
        end = None if is_all_day else self._end(start, start.date())
        return self._phrase(start, end, is_all_day=is_all_day, rule=rule)

    def _bounds(self, every: Every) -> tuple[Every, date, date | None]:
        """Return the recurrence with what a date says of it, the first possible day, and the last."""
        group, today = self.group, self.now.date()
        day = every.day or group.day
        if isinstance(day, UnclearDay) or (day and day.choices):
            self._day()
        assert not isinstance(day, UnclearDay)
        until = group.until_day
        if (
            day
            and day.kind == "weekday"
            and isinstance(until, Day)
            and until.kind == "weekday"
            and group.until_link != "until"
            and every.unit in ("day", "week")
        ):
            span = range((until.number - day.number) % 7 + 1)
            days = tuple(sorted((day.number + each) % 7 for each in span))
            return replace(every, unit="week", weekdays=days), today, None
        base, last = today + timedelta(days=every.is_after_today), None
        if day and day.is_range:
            # "Starting next week" has no end, "from 1 to 20 December" has one.
            is_open = group.day_starts and day.kind != "dates"
            base, last = max(today, day.first), None if is_open else day.last
        elif day:
            base = day.first
            every = self._with_day(every, day)
        if until is not None:
            last = self._last_day(base)
        return every, base, last

    def _last_day(self, base: date) -> date | None:
        until = self.group.until_day
        # "every day until Friday", said on a Friday, goes on for a week.
        if isinstance(until, Day) and until.kind == "weekday" and until.first >= base:
            return until.first
        return self._until_day(base)

    def _with_day(self, every: Every, day: Day) -> Every:
        if self.group.day_starts or every.weekdays or every.month_days:
            return every
        if every.unit == "week":
            return replace(every, weekdays=(day.first.weekday(),))
        if every.unit == "month":
            return replace(every, month_days=(day.first.day,))
        return every

    def _first(self, every: Every, base: date) -> datetime:
        """Return the first occurrence from `base` on that is not over yet."""
        single = replace(every, interval=1).rule()
        begin = datetime(base.year, base.month, base.day)
        if every.unit == "year" and every.day is None and self.group.day is None:
            single = "FREQ=DAILY"
        # The first day may have passed already; a year on, there is none left to wait for.
        for number, day in enumerate(rrulestr(single, dtstart=begin)):
            # dateutil returns the first day in any case.
            if number == 0 and every.weekdays and not every.ordinals and day.weekday() not in every.weekdays:
                continue
            if not self.group.has_time and not every.period:
                return self._midnight(day.date())
            start = self._at(day.date(), *self._start_clock_of(every))
            if start >= self.now or number > 1:
                return start
        raise _Unclear("date", _("It never takes place."))

    def _start_clock_of(self, every: Every) -> tuple[int, int]:
        if self.group.clock is None and self.group.part is None:
            return PERIODS.get(every.period, 0), 0
        return self._start_clock()

    def _count(self, rule: str, start: datetime) -> int:
        lasting = self.group.lasting
        if isinstance(lasting, Count):
            number = lasting.number
        else:
            assert lasting is not None
            end = lasting.after(start.date())
            begin = datetime(start.year, start.month, start.day)
            days = takewhile(lambda each: each.date() < end, rrulestr(rule, dtstart=begin))
            number = sum(1 for _each in zip(range(MOST_COUNTED + 1), days, strict=False))
        if not 1 <= number <= MOST_COUNTED:
            raise _Unclear("date", _("That is too often."))
        return number

    def _midnight(self, day: date) -> datetime:
        """Return when a day begins; where the clock change skips midnight, the first moment after it."""
        start = datetime(day.year, day.month, day.day, tzinfo=self.now.tzinfo)
        return start.astimezone(UTC).astimezone(self.now.tzinfo)

    def _at(self, day: date, hours: int, minutes: int) -> datetime:
        """Return a time of a day; from 24 hours on, of the next. Of an hour that comes twice, the first is meant."""
        day += timedelta(days=hours // 24)
        time = datetime(day.year, day.month, day.day, hours % 24, minutes, tzinfo=self.now.tzinfo)
        if time.astimezone(UTC).astimezone(self.now.tzinfo).replace(fold=0) != time:
            raise _Unclear("time", _("The clock is put forward then, so that there is no such time on that day."))
        return time


def _minutes(clock: tuple[int, int]) -> int:
    return clock[0] * 60 + clock[1]
