"""Insights are stored once a period, and shown as long as their answers are there."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from conversations.history import actions
from conversations.models import Session
from tests.tutoring.insights.answer_histories import LAST_WEDNESDAY, WEDNESDAY, answer
from tests.tutoring.review_helpers import load_tiny
from tutoring.insights import records
from tutoring.insights.calendar_periods import period_at
from tutoring.insights.jobs import compute_session_insights, store_ended_periods
from tutoring.insights.period_insights import insights_of_period
from tutoring.insights.records import session_insights, store_session, stored_insights
from tutoring.models import Attempt, InsightPeriod, LearningInsight, MasteryChange

pytestmark = pytest.mark.django_db
MONDAY = datetime(2026, 3, 9, 0, 10, tzinfo=UTC)
"""Ten minutes after the end of that week."""
WEEK = period_at(WEDNESDAY, timeframe="week", zone=UTC)


@pytest.fixture(autouse=True)
def _course(db):
    load_tiny()


@pytest.fixture
def session(ada):
    answer(ada, "rrrrr")
    return Session.objects.get()


def periods(**fields):
    rows = InsightPeriod.objects.filter(**fields).order_by("timeframe", "starts_on")
    return [(row.timeframe, row.starts_on.isoformat(), row.answers) for row in rows]


def shown(person):
    found = stored_insights(person.pk, list(InsightPeriod.objects.all()))
    return [each for insights in found.values() for each in insights]


class TestWeeksAndMonths:
    def test_are_stored_once_they_are_over(self, ada):
        answer(ada, "rrrrr")
        store_ended_periods(at=MONDAY - timedelta(minutes=1))
        assert periods() == []
        store_ended_periods(at=MONDAY)
        assert periods() == [("week", "2026-03-02", 5)]
        store_ended_periods(at=datetime(2026, 4, 1, 1, tzinfo=UTC))
        assert periods() == [("month", "2026-03-01", 5), ("week", "2026-03-02", 5)]
        assert {each.description for each in LearningInsight.objects.all()} == {
            "*Halves* went well: you got 5 of 5 answers right without help."
        }

    def test_are_over_by_the_learners_own_clock(self, ada, ben):
        ben.zone = "Pacific/Auckland"
        ben.save()
        for person in (ada, ben):
            answer(person, "rrrrr")
        store_ended_periods(at=MONDAY - timedelta(hours=12))
        assert periods(learner=ben) == [("week", "2026-03-02", 5)]
        assert periods(learner=ada) == []

    def test_are_computed_once_even_without_an_insight(self, ada, monkeypatch):
        computed = []

        def counted(learner_id, period):
            computed.append(period)
            return insights_of_period(learner_id, period)

        monkeypatch.setattr(records, "insights_of_period", counted)
        answer(ada, "r")
        for hours in range(3):
            store_ended_periods(at=MONDAY + timedelta(hours=hours))
        assert (len(computed), periods()) == (1, [("week", "2026-03-02", 1)])

    def test_stored_twice_at_once_are_there_once(self, ada):
        answer(ada, "rrrrr")
        store_ended_periods(at=MONDAY)
        records.store_period(ada, WEEK)
        assert (InsightPeriod.objects.count(), LearningInsight.objects.count()) == (1, 1)

    def test_ended_while_the_site_was_down_are_made_up_for(self, ada):
        answer(ada, "rrrrr", at=LAST_WEDNESDAY)
        answer(ada, "wwwww")
        store_ended_periods(at=MONDAY + timedelta(days=9))
        assert [each[:2] for each in periods(timeframe="week")] == [("week", "2026-02-23"), ("week", "2026-03-02")]
        assert LearningInsight.objects.filter(type="trend", period__starts_on="2026-03-02").count() == 1

    def test_of_somebody_without_answers_are_not_stored(self, ada, ben):
        answer(ada, "rrrrr")
        store_ended_periods(at=MONDAY)
        assert not InsightPeriod.objects.filter(learner=ben).exists()

    def test_take_as_many_queries_for_many_answers_as_for_few(self, ada, ben):
        answer(ada, "rrrrr")
        answer(ben, "rrrrr" * 4)
        taken = []
        for person in (ada, ben):
            with CaptureQueriesContext(connection) as queries:
                records.store_period(person, WEEK)
            taken.append(len(queries))
        assert taken[0] == taken[1]


class TestConversations:
    def test_has_its_insights_stored_and_replaced_by_later_ones(self, ada, session):
        compute_session_insights.func(session.pk)
        answer(ada, "rrrrr")
        compute_session_insights.func(session.pk)
        assert [(row.timeframe, row.session, row.answers) for row in InsightPeriod.objects.all()] == [
            ("session", session, 10)
        ]
        assert [each.description for each in LearningInsight.objects.all()] == [
            "*Halves* went well: you got 10 of 10 answers right without help."
        ]

    def test_without_a_counted_answer_is_not_stored(self, ada):
        store_session(Session.objects.create(owner=ada, key="talk"))
        assert not InsightPeriod.objects.exists()

    def test_is_computed_anew_where_there_were_answers_since(self, ada, session):
        store_session(session)
        assert session_insights(session)[0].description.endswith("5 of 5 answers right without help.")
        answer(ada, "wwwwwww")
        hard = "*Halves* was hard: you got 5 of 12 answers right without help."
        assert hard in [each.description for each in session_insights(session)]

    def test_that_is_deleted_meanwhile_is_not_stored(self, ada, session):
        actions.delete(session)
        compute_session_insights.func(session.pk)
        assert not InsightPeriod.objects.exists()

    def test_deleted_for_good_loses_its_insights_and_weeks_keep_theirs(self, ada, session):
        store_session(session)
        store_ended_periods(at=MONDAY)
        Session.with_deleted.update(deleted_at=timezone.now() - actions.TRASH_RETENTION - timedelta(hours=1))
        actions.purge()
        store_ended_periods(at=MONDAY)
        assert periods() == [("week", "2026-03-02", 5)]
        assert len(shown(ada)) == 1


class TestEvidence:
    @pytest.fixture(autouse=True)
    def _stored(self, session):
        store_session(session)

    def test_is_read_with_the_insight_in_the_order_given(self, ada):
        (insight,) = shown(ada)
        assert [each.pk for each in insight.answers] == list(
            Attempt.objects.order_by("pk").values_list("pk", flat=True)
        )
        assert (insight.type, insight.importance) == ("pattern", 1.0)

    def test_that_is_gone_hides_the_insight(self, ada):
        Attempt.objects.latest("pk").delete()
        assert shown(ada) == []

    def test_that_was_left_out_hides_the_insight(self, ada):
        MasteryChange.objects.filter(attempt=Attempt.objects.latest("pk")).update(left_out=True)
        assert shown(ada) == []

    def test_of_somebody_else_is_never_read(self, ada, eve):
        assert shown(eve) == []

    def test_takes_two_queries(self, ada, django_assert_num_queries):
        rows = list(InsightPeriod.objects.all())
        with django_assert_num_queries(2):
            stored_insights(ada.pk, rows)
