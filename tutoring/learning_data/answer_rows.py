"""Rows about what learners did: how many answers they gave, how many were right, and how long they practiced."""

from datetime import datetime
from math import ceil
from typing import Any

from django.db.models import Count, F, Max, Q, QuerySet, Sum
from django.db.models.functions import Coalesce, Least, TruncWeek
from django.utils.translation import gettext as _

from conversations.charts.figures import value_words
from tutoring.learning_data.queries import Grouping
from tutoring.learning_data.tables import FigureRow, FigureRows, Scope, day_words, percent, week_words
from tutoring.mastery.records.practice import LONGEST_S, UNKNOWN_S
from tutoring.models import Attempt


def answer_rows(scope: Scope) -> FigureRows:
    """Return the answers given and how many of them were right; every try counts, with and without help."""
    by: Grouping = scope.query.by or ("learner" if scope.subjects.is_class else "concept")
    counted = _grouped(scope, by).annotate(
        answers=Count("pk"),
        right=Count("pk", filter=Q(correct=True)),
        helped=Count("pk", filter=Q(assisted=True)),
        last=Max("created_at"),
    )
    rows = []
    for group, answers, right, helped, last in counted.values_list("group", "answers", "right", "helped", "last"):
        share, name = percent(right / answers), _name(scope, by, group)
        cells = (name, answers, right, answers - right, share, helped, day_words(last))
        remark = _("%(right)d of %(answers)d answers right") % {"right": right, "answers": answers}
        rows.append(FigureRow(name=name, cells=cells, value=share, latest=last, remark=remark))
    columns = (_("Answers"), _("Right"), _("Wrong"), _("Right (%)"), _("With help"), _("Last answer"))
    return FigureRows(
        title=scope.titled(_("Right answers")), columns=(_column(by), *columns), rows=rows, unit="%",
        shape="line" if by == "week" else "bar", order="lowest",
    )  # fmt: skip


def time_rows(scope: Scope) -> FigureRows:
    """Return the minutes of practice, counted as on the progress page."""
    by: Grouping = scope.query.by or ("learner" if scope.subjects.is_class else "week")
    spent = Sum(Least(Coalesce("time_taken_s", UNKNOWN_S), LONGEST_S))
    counted = _grouped(scope, by).annotate(seconds=spent, answers=Count("pk"), last=Max("created_at"))
    rows = []
    for group, seconds, answers, last in counted.values_list("group", "seconds", "answers", "last"):
        name, minutes = _name(scope, by, group), ceil(seconds / 60)
        rows.append(
            FigureRow(
                name=name,
                cells=(name, minutes, answers, day_words(last)),
                value=minutes,
                latest=last,
                remark=value_words(minutes, _("minutes")),
            )
        )
    return FigureRows(
        title=scope.titled(_("Minutes of practice")),
        columns=(_column(by), _("Minutes"), _("Answers"), _("Last answer")),
        rows=rows,
        unit=_("minutes"),
        shape="line" if by == "week" else "bar",
        order="highest",
    )


def _grouped(scope: Scope, by: Grouping) -> QuerySet[Attempt, Any]:
    """Return the answers that were asked about, grouped, in the order of the groups."""
    answers = Attempt.objects.filter(
        learner_id__in=scope.subjects.people, question__concept_id__in=scope.concepts
    ).order_by()
    if scope.since is not None:
        answers = answers.filter(created_at__gte=scope.since)
    if by == "week":
        return answers.annotate(group=TruncWeek("created_at")).values("group").order_by("group")
    return answers.values(group=F("learner_id" if by == "learner" else "question__concept_id")).order_by("group")


def _name(scope: Scope, by: Grouping, group: int | datetime) -> str:
    if isinstance(group, datetime):
        return week_words(group)
    return scope.subjects.names[group] if by == "learner" else str(scope.concepts[group])


def _column(by: Grouping) -> str:
    return {"learner": _("Learner"), "concept": _("Concept"), "week": _("Week from")}[by]
