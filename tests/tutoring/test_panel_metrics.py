"""What the metrics say of an answer of the panel is what its events say."""

import json
from collections.abc import Iterator
from statistics import fmean
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from conversations.metrics import collect_conversation_metrics
from conversations.models import Event
from conversations.turns.supervisor import supervisor
from tests.tutoring.roles.explanation.test_lookup_answers import put_in

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _closing() -> Iterator[None]:
    yield
    supervisor.closing = False


def samples(name: str) -> dict[str, float]:
    (metric,) = [each for each in collect_conversation_metrics() if each.name == f"learnagent_{name}"]
    return {" ".join(each.labels.values()): each.value for each in metric.samples}


async def test_quality_is_the_share_of_passed_checks_in_the_synthesis_results(ben: Any) -> None:
    await sync_to_async(put_in)(ben)
    client, accepted = AsyncClient(), supervisor.accepted
    await client.aforce_login(ben)
    for text in ("How do dictionaries differ from lists?", "What is a quasar made of?"):
        response = await client.post("/v2/conversation", json.dumps({"text": text}), content_type="application/json")
        assert response.json()["classification"] == "complex_query"
    ended = Event.objects.filter(type="agent_finished", body__agent="synthesis")
    checks = [each["result"]["checks"] async for each in ended.values_list("body", flat=True)]
    shares = [fmean(each.values()) for each in checks]
    assert len(shares) == 2
    found = await sync_to_async(samples)("synthesis_quality_score")
    assert found[""] == pytest.approx(fmean(shares), abs=0.001)
    assert "synthesis 0.95" in await sync_to_async(samples)("synthesis_latency_ms")
    assert supervisor.accepted == accepted + 2
