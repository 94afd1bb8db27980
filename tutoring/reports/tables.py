"""A class's report as tables for a spreadsheet, and in a few lines of text."""

from collections.abc import Callable, Iterator, Sequence

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from tutoring.reports.class_report import ClassReport, ReportLine

type Row = Sequence[object]


def class_table(report: ClassReport) -> Iterator[Row]:
    """Yield a header, and a row for each figure of the class."""
    yield [_("Figure"), _("From"), _("To"), _("Value"), _("Value in the period before"), _("Change")]
    for line in report.lines:
        yield [
            f"{line.label} ({line.unit})" if line.unit else line.label,
            report.period.first.isoformat(),
            report.period.last.isoformat(),
            *("" if value is None else value for value in (line.now, line.before, line.change)),
        ]


def pupil_table(report: ClassReport) -> Iterator[Row]:
    """Yield a header, and a row for each pupil."""
    shows_ideas = report.classroom.policy.shows_answers
    head = [
        _("Pupil"), _("Username"), _("Days"), _("Minutes"), _("Minutes in the period before"), _("Answers"),
        _("Right on the first try (%)"), _("Topics newly mastered"), _("Topics due for review today"),
    ]  # fmt: skip
    yield [*head, _("Misconceptions first seen"), _("Misconceptions resolved")] if shows_ideas else head
    for line in report.pupils:
        found = line.figures
        row = [
            str(line.place.person), line.place.person.get_username(), found.days, found.minutes, line.minutes_before,
            found.answers, "" if found.success is None else found.success, found.mastered, line.fading,
        ]  # fmt: skip
        yield [*row, found.new_ideas, found.resolved_ideas] if shows_ideas else row


TABLES: dict[str, Callable[[ClassReport], Iterator[Row]]] = {"class": class_table, "pupils": pupil_table}
"""By the name in the address."""


def summary_text(report: ClassReport) -> str:
    """Return the class's figures in lines of text, without names."""
    days = {
        "name": report.classroom.name,
        "first": date_format(report.period.first, "MONTH_DAY_FORMAT"),
        "last": date_format(report.period.last, "DATE_FORMAT"),
    }
    lines = [_("%(name)s, from %(first)s to %(last)s") % days, ""]
    lines += [_summary_line(line) for line in report.lines]
    return "\n".join(lines) + "\n"


def _summary_line(line: ReportLine) -> str:
    """Return a figure, and what it was in the period before."""
    now = "–" if line.now is None else f"{line.now}{line.unit}"
    if line.before is None:
        return f"{line.label}: {now}"
    before = {"label": line.label, "now": now, "before": f"{line.before}{line.unit}"}
    return _("%(label)s: %(now)s (before: %(before)s)") % before
