"""Periods of the live figures, cut into steps of equal length."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from django.db.models import Func, IntegerField
from django.utils import formats, timezone
from django.utils.translation import gettext as _

STEPS: Final = {1: timedelta(minutes=30), 7: timedelta(hours=3), 30: timedelta(days=1)}
"""Days of a period → length of its steps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """The last days up to now, today included."""

    days: int
    since: datetime
    """Midnight, in the reader's time zone."""
    now: datetime

    @property
    def step(self) -> timedelta:
        return STEPS[self.days]

    @property
    def count(self) -> int:
        """Steps so far; the last one has not ended."""
        return self.number_of(self.now) + 1

    def minutes(self, number: int) -> float:
        """Return how many minutes of a step have passed, at least 1."""
        passed = min(self.step, self.now.astimezone(UTC) - self.begin(number))
        return max(passed / timedelta(minutes=1), 1.0)

    def begin(self, number: int) -> datetime:
        # In UTC: local times on both sides of a clock change are an hour more or less apart.
        return self.since.astimezone(UTC) + number * self.step

    def number_of(self, at: datetime) -> int:
        """Return the step of a time; the first one for an earlier time."""
        return max((at.astimezone(UTC) - self.since.astimezone(UTC)) // self.step, 0)

    def label(self, number: int) -> str:
        """Return the beginning of a step in words, in the reader's time zone."""
        at = timezone.localtime(self.begin(number))
        if self.days == 1:
            return formats.date_format(at, "H:i")
        return formats.date_format(at, "j M" if self.step.days else "j M, H:i")

    def short_label(self, number: int) -> str:
        """Return the day, or the time of today, in words."""
        return formats.date_format(timezone.localtime(self.begin(number)), "H:i" if self.days == 1 else "j M")

    def step_of(self, column: str) -> "StepNumber":
        """Return the expression for the step of a row."""
        return StepNumber(column, since=int(self.since.timestamp()), seconds=int(self.step.total_seconds()))


def period_of(days: str | None) -> Period:
    """Return the period of 1, 7 or 30 days; today for anything else."""
    wanted = int(days) if days in {"7", "30"} else 1
    now = timezone.localtime()
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    return Period(days=wanted, since=midnight - timedelta(days=wanted - 1), now=now)


def period_names() -> list[tuple[int, str]]:
    """Return the periods with their names."""
    return [(1, _("Today")), (7, _("7 days")), (30, _("30 days"))]


class StepNumber(Func):
    """The number of steps between a time and a column with a later one."""

    output_field = IntegerField()

    def __init__(self, column: str, *, since: int, seconds: int) -> None:
        super().__init__(column, since=since, seconds=seconds)

    def as_sqlite(self, compiler: Any, connection: Any, **extra: Any) -> Any:
        template = "(CAST(strftime('%%%%s', %(expressions)s) AS INTEGER) - %(since)s) / %(seconds)s"
        return self.as_sql(compiler, connection, template=template, **extra)

    def as_postgresql(self, compiler: Any, connection: Any, **extra: Any) -> Any:
        template = "FLOOR((EXTRACT(EPOCH FROM %(expressions)s) - %(since)s) / %(seconds)s)::integer"
        return self.as_sql(compiler, connection, template=template, **extra)
