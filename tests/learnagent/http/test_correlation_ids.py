"""The reference in an error finds the log lines of its request."""

import logging

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


def test_error_and_log_have_the_same_reference(client, log, monkeypatch):
    monkeypatch.setattr("learnagent.api.bearer_tokens.accepts_tokens", lambda path: 1 / 0)
    response = Client(raise_request_exception=False, headers={"Authorization": "Bearer x"}).get("/v2/sessions")
    assert response.status_code == 500
    assert [event["ref"] for event in log.events] == [response.wsgi_request.ref]


def test_every_request_has_its_own(client):
    first, second = (client.get("/v2/sessions").json()["error"]["ref"] for _ in range(2))
    assert first != second


def test_card_refused_as_json_has_one_too(client):
    """The rooms that answer it know nothing of who gives it."""
    answer = Client().post("/learn/answers/x", {}, content_type="application/json")
    assert len(answer.json()["error"]["ref"]) == 16


def test_line_outside_any_request_has_none(log):
    logging.getLogger("some.library").warning("hello")
    [event] = log.events
    assert "ref" not in event
