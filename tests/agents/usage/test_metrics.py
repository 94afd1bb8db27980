"""Metrics of the engine, from the rows of runs and model calls."""

from datetime import timedelta

import pytest
from django.utils import timezone

from agents.models import AgentCall, ModelCall, Run
from agents.usage.metrics import collect_engine_metrics

pytestmark = [pytest.mark.db, pytest.mark.django_db]


def recorded(*agents, ago_s=10.0, **fields):
    """Store a run whose agents took 10 ms, 20 ms and so on."""
    run = Run.objects.create(graph="stage")
    Run.objects.filter(pk=run.pk).update(created_at=timezone.now() - timedelta(seconds=ago_s))
    for number, agent in enumerate(agents, 1):
        call = {"ending": "answered", "ms": 10.0 * number, **fields}
        AgentCall.objects.create(run=run, number=number, agent=agent, **call)


def samples(name):
    """Return a metric's samples: the values of its labels, joined, and its value."""
    (metric,) = [each for each in collect_engine_metrics() if each.name == f"learnagent_{name}"]
    return {" ".join(each.labels.values()): each.value for each in metric.samples}


def test_latency_is_told_for_each_agent():
    recorded("tutor", "quiz")
    recorded("quiz")
    assert samples("agent_latency_ms_by_agent") == {
        "tutor 0.5": 10.0, "tutor 0.95": 10.0, "tutor 0.99": 10.0,
        "quiz 0.5": 10.0, "quiz 0.95": 20.0, "quiz 0.99": 20.0,
    }  # fmt: skip


def test_every_ending_without_an_answer_is_an_error_and_only_some_are_timeouts():
    for ending in ("answered", "timed_out", "failed", "refused"):
        recorded("tutor", ending=ending)
    recorded("quiz")
    assert samples("error_rate_by_agent") == {"tutor": 0.75, "quiz": 0.0}
    assert samples("timeout_rate_by_agent") == {"tutor": 0.25, "quiz": 0.0}


def test_runs_with_more_than_one_agent_are_told_in_percent():
    recorded("tutor")
    recorded("conversation", "analysis", "research", "synthesis")
    recorded("tutor")
    recorded("tutor", "quiz")
    assert samples("multi_agent_percentage") == {"": 50.0}
    assert samples("average_agents_per_request") == {"": 2.0}


def test_rates_are_those_of_the_last_minute():
    recorded("tutor", "quiz", "feedback")
    recorded("tutor", ago_s=90)
    ModelCall.objects.create(agent="tutor", backend="b", model="m")
    ModelCall.objects.create(agent="tutor", backend="b", model="m", started_at=timezone.now() - timedelta(seconds=90))
    assert samples("agents_invoked_per_second") == {"": 3 / 60}
    assert samples("api_calls_per_second") == {"": 1 / 60}


def test_older_rows_do_not_count():
    recorded("tutor", "quiz", ending="failed", ago_s=301)
    assert samples("agent_latency_ms_by_agent") == samples("error_rate_by_agent") == {}
    assert samples("multi_agent_percentage") == samples("average_agents_per_request") == {}


def test_counters_rise_with_each_row_and_do_not_fall_when_rows_are_deleted():
    recorded("tutor")
    ModelCall.objects.create(agent="tutor", backend="b", model="m")
    before = samples("agents_invoked"), samples("api_calls")
    recorded("tutor", "quiz")
    ModelCall.objects.create(agent="tutor", backend="b", model="m")
    AgentCall.objects.all().delete()
    ModelCall.objects.all().delete()
    assert samples("agents_invoked")[""] == before[0][""] + 2
    assert samples("api_calls")[""] == before[1][""] + 1


def test_number_of_queries_stays_the_same(django_assert_num_queries):
    with django_assert_num_queries(8):
        list(collect_engine_metrics())
    for _ in range(3):
        recorded("tutor", "quiz")
    with django_assert_num_queries(8):
        list(collect_engine_metrics())
