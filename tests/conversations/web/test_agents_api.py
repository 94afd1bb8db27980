"""`GET /v2/agents`: every registered agent, with its figures of the last day."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.core.cache import cache
from django.utils import timezone

from agents.engine.registry import roles
from agents.models import AgentCall, Run
from agents.rollout.flags import change_flag
from conversations.models import Analysis
from tests.api_schemas import schema_errors
from tests.conversations.turn_helpers import begun

pytestmark = [pytest.mark.db, pytest.mark.django_db]

FIELDS = {
    "name", "purpose", "tools", "timeout_s", "enabled", "status", "invocations", "avg_latency_ms", "p95_ms", "errors",
    "error_rate", "last_update",
}  # fmt: skip
NOTHING = {
    "invocations": 0, "avg_latency_ms": None, "p95_ms": None, "errors": 0, "error_rate": None, "last_update": None,
}  # fmt: skip


@pytest.fixture
def listed(client, ada):
    """Return a function that returns what Ada is told: agents by name and purpose."""
    client.force_login(ada)

    def ask():
        cache.clear()
        response = client.get("/v2/agents")
        assert response.status_code == 200
        return {(each["name"], each["purpose"]): each for each in response.json()}

    return ask


def entry(told, role):
    return told[roles[role].public_name, str(roles[role].purpose)]


def recorded(agent, ms, *, ending="answered", ago=timedelta(0)):
    run = Run.objects.create(graph="stage")
    AgentCall.objects.create(run=run, number=1, agent=agent, ending=ending, ms=ms)
    Run.objects.filter(pk=run.pk).update(created_at=timezone.now() - ago)


def analysed(person, agent, ms, **fields):
    session = person.conversations.first() or begun(person).session
    Analysis.objects.create(person=person, session=session, agent=agent, key="k", ms=ms, **fields)


def test_every_registered_agent_is_listed_with_every_field(listed):
    told = listed()
    assert len(told) == len(roles)
    assert {name for name, _purpose in told} == {role.public_name for role in roles.values()}
    for each in told.values():
        assert (each.keys(), schema_errors(each, "AgentDescription")) == (FIELDS, [])


def test_agent_without_calls_has_no_figures(listed):
    assert entry(listed(), "research").items() >= (NOTHING | {"status": "idle", "enabled": True}).items()


def test_definition_is_that_of_the_registry(listed):
    told = entry(listed(), "research")
    assert (told["tools"], told["timeout_s"]) == (list(roles["research"].tools), roles["research"].timeout_s)


def test_figures_are_those_of_everybodys_calls_of_the_last_day(listed):
    for ms in (10.0, 20.0, 60.0):
        recorded("research", ms)
    recorded("research", 30.0, ending="timed_out")
    recorded("research", 999.0, ago=timedelta(hours=25))
    told = entry(listed(), "research")
    assert told["last_update"] is not None
    figures = {"invocations": 4, "avg_latency_ms": 30.0, "p95_ms": 60.0, "errors": 1, "error_rate": 0.25}
    assert told.items() >= figures.items()


def test_side_agents_figures_are_those_of_its_analyses(listed, ada, host):
    analysed(ada, "emotion", 4.0)
    analysed(ada, "emotion", 8.0, status="failed")
    analysed(ada, "emotion", 0.0, reused=True)
    figures = {"invocations": 2, "avg_latency_ms": 6.0, "p95_ms": 8.0, "errors": 1, "error_rate": 0.5}
    assert entry(listed(), "emotion").items() >= figures.items()


def test_agents_that_share_a_name_keep_their_figures_apart(listed, ada, host):
    recorded("vision", 10.0)
    analysed(ada, "vision", 4.0)
    told = listed()
    assert entry(told, "panel_vision")["avg_latency_ms"] == 10.0
    assert entry(told, "vision")["avg_latency_ms"] == 4.0


def test_agent_that_a_flag_turns_off_is_not_enabled_and_the_others_are(listed):
    assert entry(listed(), "emotion")["enabled"]
    change_flag("affect", percent=Decimal(0))
    told = listed()
    assert [name for (name, _purpose), each in told.items() if not each["enabled"]] == ["emotion"]


def test_figures_are_kept_for_some_seconds_and_the_number_of_queries_does_not_grow(
    client, ada, django_assert_max_num_queries
):
    client.force_login(ada)
    client.get("/v2/agents")
    recorded("research", 10.0)
    with django_assert_max_num_queries(6) as queries:
        told = client.get("/v2/agents").json()
    assert sum(each["invocations"] for each in told) == 0
    assert not [each for each in queries.captured_queries if "agents_agentcall" in each["sql"]]
