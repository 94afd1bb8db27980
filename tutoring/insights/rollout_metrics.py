"""The figures of learning by which a flag's two sides are compared. Figures only: no words of anybody."""

from datetime import timedelta
from typing import Any, Final

from django.db.models import Case, Count, F, FloatField, OuterRef, QuerySet, Subquery, Value, When
from django.db.models.functions import Cast
from django.utils.translation import gettext_lazy as _

from agents.rollout.comparison import Metric, Window
from tutoring.models import Attempt, Mastery

KEPT_AFTER: Final = timedelta(days=7)
_ONE: Final = Value(1.0, output_field=FloatField())


def _mastered(window: Window, *, earlier: timedelta = timedelta()) -> QuerySet[Any]:
    """Return what was mastered in the window, or so much earlier; the side is that of the conversation it happened in."""
    between = (window.since - earlier, window.until - earlier)
    masteries = Mastery.objects.filter(mastered_at__gte=between[0], mastered_at__lt=between[1])
    last = _attempts().filter(created_at__lte=OuterRef("mastered_at"), question__session__isnull=False)
    side = last.order_by("-created_at").values(its_side=window.side("question__session__flags"))[:1]
    columns = {"person": F("learner_id"), "side": Subquery(side), "at": F("mastered_at"), "topics": _ONE}
    found: QuerySet[Any] = masteries.annotate(**columns)
    return found


def _attempts() -> QuerySet[Attempt]:
    """Return the answers of a mastery's learner on its concept, for a subquery."""
    return Attempt.objects.filter(learner=OuterRef("learner"), question__concept=OuterRef("concept"))


def answers_to_mastery(window: Window) -> QuerySet[Any]:
    before = _attempts().filter(created_at__lte=OuterRef("mastered_at")).order_by().values("learner")
    count = Subquery(before.annotate(count=Count("pk")).values("count"))
    found: QuerySet[Any] = (
        _mastered(window).annotate(answers_given=Cast(count, FloatField())).filter(answers_given__isnull=False)
    )
    return found


def kept_after_a_week(window: Window) -> QuerySet[Any]:
    """Whether the first answer given a week or more after mastery was right. Those not asked since do not count."""
    later = _attempts().filter(created_at__gte=OuterRef("mastered_at") + KEPT_AFTER, number=1)
    is_right = Case(When(correct=True, then=_ONE), default=Value(0.0), output_field=FloatField())
    first = later.order_by("created_at").values(is_right=is_right)[:1]
    masteries = _mastered(window, earlier=KEPT_AFTER).annotate(kept=Subquery(first, output_field=FloatField()))
    found: QuerySet[Any] = masteries.filter(kept__isnull=False)
    return found


METRICS: Final = (
    Metric(
        name="answers_to_mastery",
        title=_("Answers until mastery"),
        unit=_("answers until a topic is mastered"),
        better="less",
        observations=answers_to_mastery,
        value="answers_given",
        of="topics",
    ),
    Metric(
        name="kept_after_a_week",
        title=_("Remembered after 7 days"),
        unit=_("of 100 mastered topics, still answered correctly later"),
        better="more",
        observations=kept_after_a_week,
        value="kept",
        of="topics",
        scale=100,
        digits=0,
    ),
)
