"""What the program writes to its log are events with stable names, and the documentation lists them."""

import re

import pytest

from tests.log_events import documented_events, written_events

NAME = re.compile(r"[a-z]+(_[a-z0-9]+)*")


@pytest.fixture(scope="module")
def written():
    return [*written_events()]


def test_events_have_names_and_fields_instead_of_sentences(written):
    assert len(written) > 80
    assert [event.place for event in written if not NAME.fullmatch(event.name) or event.has_message] == []


def test_warnings_and_errors_are_documented(written):
    documented = documented_events()
    assert {event.name for event in written if event.level in ("warning", "error")} - {*documented} == set()


def test_documented_events_are_written(written):
    documented = documented_events()
    assert {*documented} - {event.name for event in written} == set()
    assert len(documented) == len({*documented})
