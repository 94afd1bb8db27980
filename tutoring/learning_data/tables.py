"""Rows of learning data, sorted and limited, as a table with a chart."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from conversations.charts.figures import Cell, ChartCard, ChartPoint, ChartShape
from tutoring.learning_data.queries import LearningQuery, Order
from tutoring.learning_data.subjects import Subjects
from tutoring.models import Concept

LONG_AGO: Final = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureRow:
    """A row of the table, and what it is sorted and drawn by."""

    name: str
    cells: tuple[Cell, ...]
    value: float | None = None
    """The figure that the chart shows; None while it is unknown."""
    latest: datetime | None = None
    remark: str = ""
    """What a sentence says of it."""
    is_low: bool = False
    """Whether it is a low score, which a sentence names first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureRows:
    """All rows that answer a query, before they are sorted and limited."""

    title: str
    columns: tuple[str, ...]
    rows: Sequence[FigureRow]
    unit: str = ""
    shape: ChartShape | None = "bar"
    order: Order = "name"
    """The usual order."""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """A query with the rows it names."""

    query: LearningQuery
    subjects: Subjects
    concepts: Mapping[int, Concept] = field(default_factory=dict)
    """The concepts that are asked about, by their keys: one, or all of the courses."""
    since: datetime | None = None
    now: datetime

    @property
    def concept(self) -> Concept | None:
        """The one concept that the query names."""
        return next(iter(self.concepts.values())) if self.query.concept else None

    def titled(self, words: str) -> str:
        """Return a title: the words, and in parentheses the concept, the class, and since when."""
        since = [] if self.since is None else [_("since %(day)s") % {"day": day_words(self.since)}]
        about = [*([str(self.concept)] if self.concept else []), *filter(None, [self.subjects.title]), *since]
        return f"{words} ({', '.join(about)})" if about else words


def shown_rows(found: FigureRows, scope: Scope) -> Sequence[FigureRow]:
    """Return the rows in the order asked for, up to the limit."""
    if scope.query.sort or not _is_by_week(found, scope):
        return sorted(found.rows, key=_KEYS[scope.query.sort or found.order])[: scope.query.limit]
    # The last weeks are the ones that matter.
    return found.rows[-scope.query.limit :]


def _is_by_week(found: FigureRows, scope: Scope) -> bool:
    return scope.query.by == "week" or found.shape == "line"


def as_chart(found: FigureRows, scope: Scope) -> ChartCard:
    """Return the rows that are shown as a table with a chart, and what they leave out."""
    shown = shown_rows(found, scope)
    points = [ChartPoint(label=row.name, value=row.value) for row in shown if row.value is not None]
    # A single figure has nothing to be compared with.
    is_drawn = found.shape is not None and len(points) > 1
    return ChartCard(
        title=found.title,
        columns=list(found.columns),
        rows=[list(row.cells) for row in shown],
        notes=[*found.notes, *_left_out(len(found.rows), len(shown)), *scope.subjects.notes],
        shape=found.shape if is_drawn else None,
        unit=found.unit,
        points=points if is_drawn else [],
    )


def day_words(at: datetime) -> str:
    """Return a day as tables show it: `3 Nov 2026`, in the current time zone."""
    return date_format(timezone.localtime(at), "SHORT_DATE_FORMAT")


def week_words(monday: datetime) -> str:
    """Return a week by its first day: `2 Nov`."""
    return date_format(timezone.localtime(monday), "j M")


def percent(share: float) -> int:
    return round(100 * share)


def mean(values: Iterable[float]) -> float | None:
    """Return the mean; None of no values."""
    listed = list(values)
    return sum(listed) / len(listed) if listed else None


def _left_out(total: int, shown: int) -> list[str]:
    if total <= shown:
        return []
    return [_("These are %(shown)d of %(total)d rows.") % {"shown": shown, "total": total}]


def _by_name(row: FigureRow) -> tuple[str, ...]:
    return (row.name.casefold(),)


def _lowest(row: FigureRow) -> tuple[bool, float, str]:
    return row.value is None, row.value or 0.0, row.name.casefold()


def _highest(row: FigureRow) -> tuple[bool, float, str]:
    return row.value is None, -(row.value or 0.0), row.name.casefold()


def _latest(row: FigureRow) -> tuple[float, str]:
    return -(row.latest or LONG_AGO).timestamp(), row.name.casefold()


_KEYS: Mapping[str, Callable[[FigureRow], tuple[object, ...]]] = {
    "name": _by_name,
    "lowest": _lowest,
    "highest": _highest,
    "latest": _latest,
}
