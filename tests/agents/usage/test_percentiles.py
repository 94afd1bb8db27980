"""Percentiles by nearest rank, of values and of rows."""

import pytest

from agents.models import AgentCall, Run
from agents.usage.percentiles import percentiles_by_agent, percentiles_of

pytestmark = [pytest.mark.db, pytest.mark.django_db]


def stored(agent, values):
    run = Run.objects.create(graph="stage")
    calls = [AgentCall(run=run, number=n, agent=agent, ending="answered", ms=ms) for n, ms in enumerate(values, 1)]
    AgentCall.objects.bulk_create(calls)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([7.0], {50: 7.0, 95: 7.0, 99: 7.0}),
        ([2.0, 1.0], {50: 1.0, 95: 2.0, 99: 2.0}),
        ([float(n) for n in range(1, 21)], {50: 10.0, 95: 19.0, 99: 20.0}),
        ([float(n) for n in range(1, 22)], {50: 11.0, 95: 20.0, 99: 21.0}),
        ([float(n) for n in range(100, 0, -1)], {50: 50.0, 95: 95.0, 99: 99.0}),
        ([5.0] * 30, {50: 5.0, 95: 5.0, 99: 5.0}),
    ],
)
def test_each_is_the_smallest_value_with_that_share_up_to_it(values, expected):
    stored("tutor", values)
    assert percentiles_of(values) == expected
    assert percentiles_by_agent(AgentCall.objects.all()) == {"tutor": expected}


def test_agents_are_ranked_apart_and_filtered_rows_do_not_count():
    stored("tutor", [1.0, 3.0])
    stored("quiz", [10.0, 30.0])
    stored("care", [9.0])
    calls = AgentCall.objects.exclude(agent="care")
    assert percentiles_by_agent(calls, percents=(95,)) == {"tutor": {95: 3.0}, "quiz": {95: 30.0}}


def test_without_values_there_are_none():
    assert percentiles_of([]) == percentiles_by_agent(AgentCall.objects.all()) == {}
