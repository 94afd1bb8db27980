"""The report of a class for its teachers: a period compared with the one before."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from math import ceil
from typing import Final

from django.urls import reverse
from django.utils.translation import gettext as _

from tutoring.assignments.audiences import all_assignments
from tutoring.assignments.summaries import summaries_of
from tutoring.models import Classroom, Membership
from tutoring.pages.cards.question_context import Context
from tutoring.pages.contexts.progress_plot import bar_plot, day_labels
from tutoring.reports.class_figures import ClassFigures, PupilFigures, class_figures, fading_now, places_of
from tutoring.reports.periods import ReportPeriod

MOST_BARS: Final = 31
"""Days that a plot shows one by one; a longer period is shown by weeks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportLine:
    """A figure of the class in the period and in the one before."""

    label: str
    now: int | None
    """None where there is nothing to count."""
    before: int | None
    unit: str = ""

    @property
    def change(self) -> int | None:
        return self.now - self.before if self.now is not None and self.before is not None else None

    @property
    def change_words(self) -> str:
        """The change with its sign."""
        if self.change is None:
            return "–"
        return f"{self.change:+d}".replace("-", "−") if self.change else "0"


@dataclass(frozen=True, slots=True, kw_only=True)
class PupilLine:
    """One pupil's figures in the period."""

    place: Membership
    figures: PupilFigures
    minutes_before: int
    fading: int

    @property
    def url(self) -> str:
        return reverse("class-learner", args=[self.place.classroom.code, self.place.person_id])


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassReport:
    """A class's report. A class that shows no progress has none."""

    classroom: Classroom
    period: ReportPeriod
    before: ReportPeriod
    lines: Sequence[ReportLine]
    pupils: Sequence[PupilLine]
    figures: ClassFigures

    @property
    def learners(self) -> list[int]:
        return [each.place.person_id for each in self.pupils]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlottedDays:
    """The figures of a day, or of the week from that day on."""

    day: date
    minutes: int
    mastered: int


def class_report(classroom: Classroom, period: ReportPeriod) -> ClassReport | None:
    """Return the report; None where the class does not show progress. The number of queries does not grow with it."""
    if not classroom.policy.shows_levels:
        return None
    places, before = places_of(classroom), period.previous()
    now, then = class_figures(places, period, by_day=True), class_figures(places, before)
    fading = fading_now([place.person_id for place in places])
    pupils = [
        PupilLine(
            place=place,
            figures=now.pupils[place.person_id],
            minutes_before=then.pupils[place.person_id].minutes,
            fading=fading[place.person_id],
        )
        for place in places
    ]
    lines = list(_lines(now, then, fading=fading.total(), shows_answers=classroom.policy.shows_answers))
    lines.append(_assignments(classroom, period, before))
    return ClassReport(classroom=classroom, period=period, before=before, lines=lines, pupils=pupils, figures=now)


def _lines(now: ClassFigures, then: ClassFigures, *, fading: int, shows_answers: bool) -> Iterator[ReportLine]:
    total, past = now.total, then.total
    yield ReportLine(label=_("Pupils who practiced"), now=now.active, before=then.active)
    yield ReportLine(label=_("Minutes of practice"), now=total.minutes, before=past.minutes)
    yield ReportLine(label=_("Answers"), now=total.answers, before=past.answers)
    yield ReportLine(label=_("Right on the first try"), now=total.success, before=past.success, unit="%")
    yield ReportLine(label=_("Topics newly mastered"), now=total.mastered, before=past.mastered)
    yield ReportLine(label=_("Topics due for review today"), now=fading, before=None)
    if shows_answers:
        yield ReportLine(label=_("Misconceptions first seen"), now=total.new_ideas, before=past.new_ideas)
        yield ReportLine(label=_("Misconceptions resolved"), now=total.resolved_ideas, before=past.resolved_ideas)


def _assignments(classroom: Classroom, period: ReportPeriod, before: ReportPeriod) -> ReportLine:
    """Return how much is done of what was due in the two periods, where teachers see who is done."""
    now, then = (_done_share(classroom, each) for each in (period, before))
    return ReportLine(label=_("Assignments done, of those due"), now=now, before=then, unit="%")


def _done_share(classroom: Classroom, period: ReportPeriod) -> int | None:
    """Return the percentage over all pupils and assignments; None if nothing was due."""
    rows = all_assignments().filter(withdrawn_at=None, due_at__gte=period.start, due_at__lt=period.end)
    shown = [each for each in summaries_of(classroom, rows) if each.sight != "nothing"]
    total = sum(each.total for each in shown)
    return round(100 * sum(each.done for each in shown) / total) if total else None


def report_plots(report: ClassReport) -> Context:
    """Return the plots of minutes and of mastered topics, and their figures as rows."""
    step = timedelta(days=1 if report.period.days <= MOST_BARS else 7)
    first_days = [report.period.first + number * step for number in range(ceil(report.period.days / step.days))]
    rows = [_plotted(first, step, report.figures.by_day) for first in first_days]
    return {
        "is_weekly": step.days > 1,
        "rows": rows,
        "labels": day_labels(first_days),
        "minutes": bar_plot([row.minutes for row in rows]),
        "mastered": bar_plot([row.mastered for row in rows]),
    }


def _plotted(first: date, step: timedelta, by_day: Mapping[date, PupilFigures]) -> PlottedDays:
    inside = [each for day, each in by_day.items() if first <= day < first + step]
    seconds = sum(each.seconds for each in inside)
    return PlottedDays(day=first, minutes=ceil(seconds / 60), mastered=sum(each.mastered for each in inside))
