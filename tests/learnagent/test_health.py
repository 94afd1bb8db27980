"""`GET /health`: for a machine that asks."""

import pytest
from django.db import OperationalError, connection

from tests.conversations.stage import begun, orphaned

pytestmark = [pytest.mark.db, pytest.mark.django_db, pytest.mark.usefixtures("host")]


def test_healthy_place_says_so_without_a_sign_in(client):
    answer = client.get("/health")
    assert (answer.status_code, answer.json()["status"], answer.json()["llm_provider"]) == (200, "healthy", "offline")
    assert answer.json().keys() == {"status", "timestamp", "llm_provider", "checks"}


def test_turn_that_nobody_serves_degrades_it(client, ada):
    orphaned(begun(ada))
    answer = client.get("/health")
    assert (answer.status_code, answer.json()["status"]) == (200, "degraded")
    assert answer.json()["checks"]["stuck_turns"] == 1


def test_place_without_its_database_is_not_there(client):
    def gone(execute, sql, params, many, context):
        raise OperationalError("secret path")

    with connection.execute_wrapper(gone):
        answer = client.get("/health")
    assert (answer.status_code, answer.json()["status"]) == (503, "degraded")
    assert "secret" not in answer.text


def test_is_asked_anew_each_time(client):
    assert "no-store" in client.get("/health")["Cache-Control"]


@pytest.mark.parametrize("method", ["post", "put", "delete"])
def test_only_tells(client, method):
    assert getattr(client, method)("/health").status_code == 405
