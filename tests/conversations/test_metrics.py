"""Metrics of requests and side agents, from the rows of turns and analyses, whichever process served them."""

from datetime import timedelta

import pytest
from django.db.models.functions import Now
from django.utils import timezone

from conversations.metrics import collect_conversation_metrics
from conversations.models import SELF_REPORT, Analysis
from tests.conversations.turn_helpers import begun, orphaned

pytestmark = [pytest.mark.db, pytest.mark.django_db, pytest.mark.usefixtures("host")]


@pytest.fixture(autouse=True)
def _many_at_once(settings):
    settings.AGENTS = settings.AGENTS | {"turns_at_once": 100}


def ended(person, number, *, took_s, ago_s=10.0, **answer):
    """Store a turn that another process has answered."""
    turn = begun(person, key=f"s{number}")
    at = Now() - timedelta(seconds=ago_s)
    orphaned(turn, status="done", answer=answer, created_at=at - timedelta(seconds=took_s), finished_at=at)


def analysed(person, **fields):
    session = person.conversations.first() or begun(person).session
    Analysis.objects.create(person=person, session=session, **{"agent": "emotion", "key": "k", "ms": 4.0, **fields})


def samples(name):
    """Return a metric's samples: the values of its labels, joined, and its value."""
    (metric,) = [each for each in collect_conversation_metrics() if each.name == f"learnagent_{name}"]
    return {" ".join(each.labels.values()): each.value for each in metric.samples}


def test_requests_of_the_last_minute_are_counted_in_whatever_state(ada):
    begun(ada, key="a")
    ended(ada, 1, took_s=1)
    ended(ada, 2, took_s=1, ago_s=70)
    assert samples("requests_per_second") == {"": 2 / 60}


def test_requests_that_have_not_ended_are_concurrent(ada):
    begun(ada, key="a")
    orphaned(begun(ada, key="b"))
    ended(ada, 1, took_s=1)
    assert samples("concurrent_requests") == {"": 2}


def test_latency_is_from_the_beginning_to_the_end_by_classification(ada):
    ended(ada, 1, took_s=2, classification="complex_query")
    ended(ada, 2, took_s=3, classification="complex_query")
    ended(ada, 3, took_s=0.5)
    begun(ada, key="open")
    found = {labels: round(ms) for labels, ms in samples("request_latency_ms").items()}
    assert found == {
        "complex_query 0.5": 2000, "complex_query 0.95": 3000, "complex_query 0.99": 3000,
        "none 0.5": 500, "none 0.95": 500, "none 0.99": 500,
    }  # fmt: skip


def test_long_turn_that_ended_lately_counts_and_a_turn_that_ended_before_does_not(ada):
    ended(ada, 1, took_s=290)
    ended(ada, 2, took_s=1, ago_s=301)
    assert round(samples("request_latency_ms")["none 0.5"]) == 290_000


def test_fallbacks_are_a_share_of_the_turns_that_tell(ada):
    for number, fallback in enumerate((True, False, False, False)):
        ended(ada, number, took_s=1, metadata={"fallback": fallback})
    ended(ada, 9, took_s=1)
    assert samples("fallback_rate") == {"": 0.25}


def test_quality_is_the_mean_of_the_answers_that_were_checked(ada):
    ended(ada, 1, took_s=1, confidence={"synthesis": 1.0})
    ended(ada, 2, took_s=1, confidence={"synthesis": 0.5})
    ended(ada, 3, took_s=1, confidence={"synthesis": None})
    ended(ada, 4, took_s=1)
    assert samples("synthesis_quality_score") == {"": 0.75}


def test_without_requests_shares_are_unknown():
    for name in ("request_latency_ms", "fallback_rate", "synthesis_quality_score", "side_agent_reuse_rate"):
        assert samples(name) == {}
    assert samples("requests_per_second") == samples("concurrent_requests") == {"": 0}


def test_side_agents_rejections_and_reuse_are_shares_and_reuse_takes_no_time(ada):
    analysed(ada)
    analysed(ada, status="rejected", ms=8.0)
    analysed(ada, reused=True, ms=0.0)
    analysed(ada, reused=True, ms=0.0)
    analysed(ada, agent=SELF_REPORT)
    assert samples("side_agent_rejection_rate") == {"emotion": 0.5}
    assert samples("side_agent_reuse_rate") == {"emotion": 0.5}
    assert samples("side_agent_latency_ms") == {"emotion 0.5": 4.0, "emotion 0.95": 8.0, "emotion 0.99": 8.0}


def test_older_analyses_do_not_count(ada):
    analysed(ada)
    Analysis.objects.update(created_at=timezone.now() - timedelta(minutes=6))
    assert samples("side_agent_latency_ms") == {}


def test_number_of_queries_stays_the_same(ada, django_assert_num_queries, monkeypatch):
    # Flags are read again after seconds; on a busy machine, between the two.
    monkeypatch.setattr("agents.rollout.flags._rules._seconds", 3600.0)
    list(collect_conversation_metrics())
    with django_assert_num_queries(11):
        list(collect_conversation_metrics())
    for number in range(3):
        ended(ada, number, took_s=1, classification="complex_query")
        analysed(ada)
    with django_assert_num_queries(11):
        list(collect_conversation_metrics())
