"""`GET /v2/insights`: what the caller's own answers show."""

import pytest
from django.utils import timezone

from conversations.history import actions
from conversations.models import Session
from tests.api_schemas import schema_errors
from tests.tutoring.insights.answer_histories import LAST_WEDNESDAY, answer
from tests.tutoring.review_helpers import load_tiny
from tutoring.insights.records import store_session
from tutoring.models import InsightPeriod

pytestmark = [pytest.mark.db, pytest.mark.django_db]


@pytest.fixture
def ask(client, ada):
    """Return a function that asks for Ada's insights."""
    load_tiny()
    client.force_login(ada)
    return lambda **query: client.get("/v2/insights", query)


def test_week_and_month_have_the_answers_up_to_now_and_store_nothing(ask, ada):
    answer(ada, "rrrrr", at=timezone.now())
    for timeframe in ("week", "month"):
        told = ask(timeframe=timeframe).json()
        assert (told.keys(), told["timeframe"]) == ({"timeframe", "insights"}, timeframe)
        (insight,) = told["insights"]
        assert insight.keys() == {"type", "description", "evidence", "importance"}
        assert insight["description"].endswith("you got 5 of 5 answers right without help.")
        assert len(insight["evidence"]) == 5
        assert schema_errors(told, "InsightList") == []
    assert not InsightPeriod.objects.exists()


def test_answers_of_an_earlier_month_are_not_in_this_one(ask, ada):
    answer(ada, "rrrrr", at=LAST_WEDNESDAY)
    assert ask(timeframe="month").json() == {"timeframe": "month", "insights": []}


@pytest.mark.parametrize("is_stored", [True, False])
def test_conversation_is_the_default_and_has_its_insights(ask, ada, is_stored):
    answer(ada, "rrrrr", at=LAST_WEDNESDAY)
    if is_stored:
        store_session(Session.objects.get())
    told = ask(session_id="lesson").json()
    assert (told["timeframe"], len(told["insights"])) == ("session", 1)
    assert told == ask(timeframe="session", session_id="lesson").json()


def test_conversation_has_to_be_named(ask):
    response = ask(timeframe="session")
    assert response.status_code == 422
    assert response.json()["error"]["fields"].keys() == {"session_id"}


@pytest.mark.parametrize("timeframe", ["session", "week", "month"])
def test_impossible_conversation_is_refused_also_where_it_is_not_used(ask, timeframe):
    response = ask(timeframe=timeframe, session_id="a/../b")
    assert response.status_code == 422
    assert response.json()["error"]["fields"].keys() == {"session_id"}


def test_unknown_deleted_and_foreign_conversations_are_404(ask, ada, ben):
    answer(ben, "rrrrr")
    assert ask(session_id="lesson").status_code == 404
    answer(ada, "rrrrr")
    assert ask(session_id="lesson").status_code == 200
    actions.delete(Session.objects.get(owner=ada))
    assert ask(session_id="lesson").status_code == 404
    assert ask(session_id="never").status_code == 404


@pytest.mark.parametrize("query", [{"timeframe": "year"}, {"timeframe": "week", "since": "2026"}])
def test_what_there_is_not_is_refused(ask, query):
    assert ask(**query).status_code == 422
