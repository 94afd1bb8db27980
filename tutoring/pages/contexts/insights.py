"""The context of the page of insights: this week as it is now, and what is stored of earlier times."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from django.db.models import Exists, OuterRef
from django.utils import timezone

from agents.people import Person, zone_named
from conversations.web.markup import inline_to_html
from tutoring.insights.calendar_periods import period_at
from tutoring.insights.counted_answers import AnswerInsight
from tutoring.insights.patterns import LEAST_ANSWERS
from tutoring.insights.period_insights import insights_of_period
from tutoring.insights.records import stored_insights
from tutoring.models import Attempt, Concept, InsightPeriod, LearningInsight
from tutoring.pages.cards.question_context import Context

SHOWN: Final[Mapping[str, int]] = {"session": 5, "week": 8, "month": 6}
"""How many conversations, weeks and months with insights are shown, the latest ones."""


def insights_context(person: Person, *, at: datetime | None = None) -> Context:
    """Return the insights of this week, and of the latest conversations, weeks and months; six queries."""
    week = period_at(at or timezone.now(), timeframe="week", zone=zone_named(person.zone))
    running = insights_of_period(person.pk, week)
    latest = {timeframe: _latest_periods(person, timeframe) for timeframe in SHOWN}
    stored = stored_insights(person.pk, [period for periods in latest.values() for period in periods])
    told = {
        timeframe: [{"period": each, "insights": _insights(stored[each.pk])} for each in periods if stored[each.pk]]
        for timeframe, periods in latest.items()
    }
    return {
        "least": LEAST_ANSWERS,
        "this_week": {"since": week.first_day, "answers": running.answers, "insights": _insights(running.insights)},
        "sessions": told["session"],
        "weeks": told["week"],
        "months": told["month"],
    }


LATEST_FIRST: Final[Mapping[str, Sequence[str]]] = {
    "session": ("-computed_at", "-pk"),  # A conversation may have begun long before its latest answer.
    "week": ("-starts_on",),
    "month": ("-starts_on",),
}


def _latest_periods(person: Person, timeframe: str) -> list[InsightPeriod]:
    """Return the latest periods that have insights, without deleted conversations; one query."""
    rows = InsightPeriod.objects.filter(learner_id=person.pk, timeframe=timeframe, session__deleted_at=None)
    with_insights = rows.filter(Exists(LearningInsight.objects.filter(period=OuterRef("pk"))))
    return list(with_insights.select_related("session").order_by(*LATEST_FIRST[timeframe])[: SHOWN[timeframe]])


def _insights(found: Sequence[AnswerInsight]) -> list[Context]:
    return [
        {
            "type": each.type,
            "html": inline_to_html(each.description),
            "count": len(each.answers),
            "topics": _by_topic(each.answers),
        }
        for each in found
    ]


def _by_topic(answers: Sequence[Attempt]) -> list[Context]:
    """Return links to the answers, by topic."""
    topics: dict[Concept, list[Context]] = defaultdict(list)
    for each in answers:
        concept = each.question.concept
        url = concept.evidence_url(answer=each.pk)
        topics[concept].append({"url": url, "when": each.created_at, "correct": each.correct})
    return [{"title": concept.title, "answers": links} for concept, links in topics.items()]
