"""The v2 API for insights: what the caller's answers show."""

from collections.abc import Sequence
from typing import Literal

from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from ninja import Query, Router
from pydantic import ConfigDict

from agents.people import Person, zone_named
from agents.wire import rejections
from conversations import access, validators
from conversations.panel.results import Insight
from conversations.web.answers import ResponseSchema
from conversations.web.api import READ_REFUSALS, QueryParameters, SessionKey
from tutoring.insights.calendar_periods import period_at
from tutoring.insights.counted_answers import AnswerInsight, to_insight
from tutoring.insights.period_insights import insights_of_period
from tutoring.insights.records import session_insights

router = Router(tags=["insights"])

type Timeframe = Literal["session", "week", "month"]


class InsightsQuery(QueryParameters):
    """Which answers to look at."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    timeframe: Timeframe = "session"
    """`session`: one conversation. `week`, `month`: the current calendar week, which begins on Monday, or month, in your
    time zone, up to now."""
    session_id: SessionKey | None = None
    """The conversation. Required for `session`; not used for `week` and `month`."""


class InsightList(ResponseSchema):
    timeframe: Timeframe
    insights: list[Insight]
    """The most important one first. Empty if there are too few answers without help, or if they show no pattern."""


@router.get(
    "/insights",
    response={200: InsightList, **READ_REFUSALS},
    operation_id="insights",
    summary="Get what your answers show: patterns, trends and connections",
)
def insights(request: HttpRequest, asked: Query[InsightsQuery]) -> InsightList:
    """The evidence of an insight is a list of links, as Markdown, to the answers that it is counted from."""
    person = request.auth  # type: ignore[attr-defined]  # Ninja's: the person, as `learnagent.api.ninja_api` found them.
    zone = zone_named(person.zone)
    found = [to_insight(each, zone=zone) for each in _found(person, asked)]
    return InsightList(timeframe=asked.timeframe, insights=found)


def _found(person: Person, asked: InsightsQuery) -> Sequence[AnswerInsight]:
    if asked.session_id is not None:
        validators.validate_session_key(asked.session_id)
    if asked.timeframe == "session":
        if asked.session_id is None:
            raise rejections.invalid(
                "session_id", _("Give the session_id of a conversation, or set timeframe to week or month.")
            )
        return session_insights(access.session_for(person, asked.session_id))
    period = period_at(timezone.now(), timeframe=asked.timeframe, zone=zone_named(person.zone))
    return insights_of_period(person.pk, period).insights
