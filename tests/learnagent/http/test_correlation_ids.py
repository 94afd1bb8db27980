"""The reference in an error finds the log lines of its request."""

import logging

import pytest
from django.test import Client

from learnagent.http.correlation_ids import RefFilter

pytestmark = pytest.mark.django_db


def test_error_and_log_have_the_same_reference(client, caplog):
    caplog.handler.addFilter(RefFilter())
    ref = client.get("/v2/sessions").json()["error"]["ref"]
    assert {record.ref for record in caplog.records} == {ref}


def test_every_request_has_its_own(client):
    first, second = (client.get("/v2/sessions").json()["error"]["ref"] for _ in range(2))
    assert first != second


def test_card_refused_as_json_has_one_too(client):
    """The rooms that answer it know nothing of who gives it."""
    answer = Client().post("/learn/answers/x", {}, content_type="application/json")
    assert len(answer.json()["error"]["ref"]) == 16


def test_line_outside_any_request_has_none():
    record = logging.makeLogRecord({})
    assert RefFilter().filter(record)
    assert record.ref
