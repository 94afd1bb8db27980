"""A drill's client and its look at the database find what is wrong, else their silence would say nothing."""

import sqlite3

import pytest

from drills import storage_checks
from drills.client import ClientTranscript


def read(*events):
    reading = ClientTranscript(text="hello", client_id="c")
    for seq, type_, fields in events:
        reading.take({"seq": seq, "type": type_, "turn_id": "t", **fields})
    return reading


STARTED = (1, "turn_started", {})
ONE = (2, "reply_text", {"text": "One "})


def test_pieces_are_joined():
    reading = read(STARTED, ONE, (3, "reply_text", {"text": "half."}), (4, "turn_finished", {"reply": "One half."}))
    assert (reading.reply, reading.faults) == ("One half.", [])


@pytest.mark.parametrize("seq", [2, 4])
def test_gap_and_repetition_are_faults(seq):
    assert read(STARTED, ONE, (seq, "reply_text", {"text": "half."})).faults


def test_what_was_said_before_a_resumption_is_void():
    reading = read(STARTED, ONE, (2, "turn_resumed", {}), (3, "reply_text", {"text": "Half."}))
    assert (reading.reply, reading.resumptions, reading.faults) == ("Half.", 1, [])


def test_reply_that_is_not_its_pieces_is_a_fault():
    assert read(STARTED, ONE, (3, "turn_finished", {"reply": "Two "})).faults


def test_event_after_the_end_is_a_fault():
    assert read(STARTED, (2, "turn_finished", {"reply": ""}), (3, "turn_finished", {"reply": ""})).faults


def test_database_that_is_not_whole_is_a_fault(tmp_path):
    with sqlite3.connect(tmp_path / "learnagent.sqlite3") as connection:
        connection.execute("CREATE TABLE a (id INTEGER PRIMARY KEY, b INTEGER REFERENCES a)")
        connection.execute("INSERT INTO a VALUES (1, 7)")
    assert list(storage_checks.integrity(tmp_path))
