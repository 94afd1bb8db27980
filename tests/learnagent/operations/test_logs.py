"""Each line of the log is one event, whoever writes it, as text or as JSON."""

import json
import logging
import os
from io import StringIO

import pytest
from structlog.contextvars import bind_contextvars

from agents.event_log import get_logger
from learnagent.operations.logs import console_formatter, line_formatter


@pytest.fixture
def written():
    """Return a function that returns the lines written so far in a format."""
    loggers = [logging.getLogger(name) for name in ("agents.sample", "some.library")]
    handlers = {layout: logging.StreamHandler(StringIO()) for layout in ("text", "json")}
    for layout, handler in handlers.items():
        handler.setFormatter(line_formatter(layout))
        for each in loggers:
            each.addHandler(handler)
    yield lambda layout: handlers[layout].stream.getvalue()
    for handler in handlers.values():
        for each in loggers:
            each.removeHandler(handler)


def test_event_of_ours(written):
    bind_contextvars(turn_id="0d3")
    get_logger("agents.sample").warning("model_call_retried", attempt=2, error="LLMTimeout")
    [line] = written("json").splitlines()
    event = json.loads(line)
    assert event.pop("timestamp").endswith("+00:00")
    assert event == {
        "level": "warning", "logger": "agents.sample", "event": "model_call_retried", "turn_id": "0d3",
        "attempt": 2, "error": "LLMTimeout",
    }  # fmt: skip
    [line] = written("text").splitlines()
    assert line.partition(" ")[2] == (
        "[warning] model_call_retried [agents.sample] turn_id=0d3 attempt=2 error=LLMTimeout"
    )


def test_line_of_a_library_has_the_same_form(written):
    bind_contextvars(ref="a1")
    logging.getLogger("some.library").error("%d of %d failed", 1, 2)
    event = json.loads(written("json"))
    assert (event["event"], event["level"], event["logger"], event["ref"]) == (
        "1 of 2 failed", "error", "some.library", "a1",
    )  # fmt: skip


@pytest.mark.parametrize("logger", [get_logger("agents.sample"), logging.getLogger("some.library")])
def test_exception_and_stack_are_in_the_same_line(written, logger):
    try:
        raise ValueError("no")
    except ValueError:
        logger.exception("failed", stack_info=True)
    event = json.loads(written("json"))
    assert event["exception"].splitlines()[-1] == "ValueError: no"
    assert "test_exception_and_stack" in event["stack"]
    assert written("text").splitlines()[-1] == "ValueError: no"


def test_values_stand_on_their_line_whatever_they_contain(written):
    get_logger("agents.sample").warning("mail_not_sent", error="a\n2026-01-01 [error] forged", letters="é„")
    assert len(written("text").splitlines()) == len(written("json").splitlines()) == 1
    assert json.loads(written("json"))["letters"] == "é„"
    # Names are struck out of log files as they are written.
    assert "é„" in written("json")


def test_lines_for_the_journal_begin_with_their_priority(monkeypatch):
    found = os.fstat(2)
    monkeypatch.setenv("JOURNAL_STREAM", f"{found.st_dev}:{found.st_ino}")
    handler = logging.StreamHandler(StringIO())
    handler.setFormatter(console_formatter("text"))
    logger = logging.getLogger("some.library")
    logger.addHandler(handler)
    try:
        logger.warning("slow")
        try:
            raise ValueError
        except ValueError:
            logger.exception("failed")
    finally:
        logger.removeHandler(handler)
    slow, *failed = handler.stream.getvalue().splitlines()
    assert slow.startswith("<4>")
    assert slow.endswith("slow [some.library]")
    # The journal takes each line for a message of its own.
    assert len(failed) > 2
    assert all(line.startswith("<3>") for line in failed)


@pytest.mark.parametrize("stream", [None, "", "8:1"])
def test_other_lines_have_no_priority(monkeypatch, stream):
    monkeypatch.delenv("JOURNAL_STREAM", raising=False)
    if stream is not None:
        monkeypatch.setenv("JOURNAL_STREAM", stream)
    record = logging.LogRecord("some.library", logging.ERROR, "", 0, "failed", None, None)
    assert not console_formatter("text").format(record).startswith("<")
