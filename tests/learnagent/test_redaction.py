"""K1: keys, cookies, mail addresses and this place's own secrets never get into a log."""

import logging

import pytest
from django.conf import settings
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr

from learnagent import redaction
from learnagent.redaction import HIDDEN, RedactingFormatter, redacted

PLANTED = [
    "key sk-ant-CANARY0123 was refused",
    "Incorrect API key provided: sk-proj-CANARY_0123-abc.",
    "{'Authorization': 'Bearer CANARY.0123'}",
    "authorization: Basic CANARY0123",
    "headers={'x-api-key': 'CANARY0123', 'accept': '*/*'}",
    "(b'cookie', b'sessionid=CANARY0123; csrftoken=CANARY0123')",
    "GET /ws/s?token=CANARY0123&x=1",
    "could not reach postgresql://CANARY:CANARY@db.example/lessons",
    "mail to CANARY.child+school@example.org bounced",
]


@pytest.mark.parametrize("line", PLANTED)
def test_planted_secret_is_hidden(line):
    """K1"""
    assert "CANARY" not in redacted(line)
    assert HIDDEN in redacted(line)


def test_secrets_of_the_installation_are_hidden(monkeypatch):
    """K1, K3"""
    monkeypatch.setattr(redaction, "environment", {"SOME_TOKEN": SecretStr("CANARY-without-a-shape")})
    redaction._secrets.cache_clear()
    assert redacted(f"{settings.SECRET_KEY} and CANARY-without-a-shape") == f"{HIDDEN} and {HIDDEN}"
    redaction._secrets.cache_clear()


def test_exceptions_and_arguments_are_part_of_the_line():
    """K1: an exception's own text may carry the key that was refused."""
    try:
        raise ValueError("sk-ant-CANARY0123")
    except ValueError as error:
        record = logging.LogRecord("n", logging.ERROR, "p", 1, "key=%s", ("sk-CANARY0123",), (type(error), error, None))
    line = RedactingFormatter().format(record)
    assert "CANARY" not in line
    assert "ValueError" in line


def test_every_handler_writes_through_it():
    for handler in settings.LOGGING["handlers"].values():
        assert handler["formatter"] == "line"
    assert settings.LOGGING["formatters"]["line"]["class"] == "learnagent.redaction.RedactingFormatter"


@pytest.mark.parametrize("line", ["turn=0d3 agent=tutor after_ms=12", "Ask in 3/4 of a minute", "task-sk-1 skips"])
def test_other_lines_stay_as_they_are(line):
    assert redacted(line) == line


@given(st.text(max_size=300))
def test_any_text_can_be_redacted(text):
    redacted(text)
