"""What a phrase such as "every Tuesday at four" says: a time, or what has to be asked."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

type Span = tuple[int, int]
"""Where something starts and ends in a text, in characters: `text[start:end]`."""
type Asks = Literal["date", "time", "which"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TimePhrase:
    """A time that a text names.

    | phrase | is_all_day | has_date | start |
    |---|---|---|---|
    | "tomorrow" | yes | yes | midnight of tomorrow |
    | "at five" | no | no | the next 17:00 to come |
    | "tomorrow at five" | no | yes | 17:00 of tomorrow |
    """

    start: datetime
    """Aware, in the person's zone. If it recurs: its first occurrence."""
    end: datetime | None = None
    """Aware; `None` if the phrase names none. For whole days: midnight after the last day."""
    is_all_day: bool
    """Whether the phrase names no time of day; then `start` is the midnight at which the day begins."""
    has_date: bool
    """Whether the phrase names a date; if not, the time is the next to come."""
    is_deadline: bool = False
    """Whether the phrase says by when: "by Friday", "due tomorrow", "until Sunday"."""
    rule: str = ""
    """The RRULE of RFC 5545 without its name, such as `FREQ=WEEKLY;BYDAY=TU,TH`; empty for once. `UNTIL` is a day
    (`UNTIL=20261225`), and that day is included."""
    quote: str
    span: Span
    """The whole phrase, with its preposition, and with whatever stands between its pieces."""
    pieces: tuple[Span, ...]
    """The words of the time alone. In "tomorrow I have football at five" they are "tomorrow" and "at five"."""

    @property
    def has_time(self) -> bool:
        return not self.is_all_day

    @property
    def length(self) -> timedelta | None:
        return None if self.end is None else self.end - self.start


@dataclass(frozen=True, slots=True, kw_only=True)
class UnclearTime:
    """A phrase that names a time, but no single possible one."""

    asks: Asks
    """What to ask for: the date, the time of day, or which of `choices` is meant."""
    choices: tuple[TimePhrase, ...] = ()
    """The readings that are possible, the likeliest first; empty if there is none."""
    why: str
    """The reason, as a sentence for the person: "There is no 30 February."."""
    quote: str
    span: Span
    pieces: tuple[Span, ...]
