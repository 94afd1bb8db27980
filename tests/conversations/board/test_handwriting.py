"""What is written on a board by hand is read by a worker, and told apart from what is drawn."""

import json

import pytest

from conversations.board import handwriting, snapshots
from conversations.drawing.schema import Board
from conversations.models import Session
from tests.conversations.turn_helpers import begun

pytestmark = [pytest.mark.django_db]

SIDE = [[100, 100], [600, 100], [600, 400], [100, 400], [100, 102]]
LETTER = [[200, 200], [200, 250], [230, 250]]


def board(*strokes):
    return json.dumps({"items": [{"kind": "pen", "points": stroke} for stroke in strokes]}).encode()


@pytest.fixture
def installed(monkeypatch):
    monkeypatch.setattr(handwriting, "find_spec", lambda name: name == "rapidocr" or None)
    monkeypatch.setattr(
        handwriting, "text_on", lambda board: "1/2" if not handwriting.letter_strokes(board).is_empty else ""
    )


@pytest.fixture
def said(host, ada, django_capture_on_commit_callbacks):
    """Say something with a drawing of these strokes; return its snapshot, and the jobs that are asked for."""

    def say(*strokes):
        session = Session.objects.create(owner=ada, key="s")
        snapshot = snapshots.take(session, board(*strokes))
        with django_capture_on_commit_callbacks() as jobs:
            begun(ada, board=snapshot.pk)
        return snapshot, [job for job in jobs if getattr(job, "func", None) == handwriting.read_handwriting.enqueue]

    return say


@pytest.mark.parametrize(("strokes", "jobs"), [([SIDE], 0), ([SIDE, LETTER], 1), ([LETTER, [[5, 5]]], 1)])
def test_a_worker_is_asked_where_something_may_be_written(installed, said, strokes, jobs):
    assert len(said(*strokes)[1]) == jobs


def test_nobody_is_asked_where_reading_pictures_is_not_installed(monkeypatch, said):
    monkeypatch.setattr(handwriting, "find_spec", lambda name: None)
    assert said(SIDE, LETTER)[1] == []


def test_what_was_read_is_asked_about(installed, said):
    snapshot, _ = said(SIDE, LETTER)
    handwriting.read_handwriting.call(str(snapshot.pk))
    snapshot.refresh_from_db()
    assert snapshot.reading["text"] == "1/2"
    assert snapshot.reading["question"] == "I read “1/2”. Is that right?"
    assert snapshot.reading["description"] == "A rectangle. There is some writing."


def test_of_a_deleted_drawing_nothing_is_read(installed, said):
    snapshot, _ = said(SIDE, LETTER)
    snapshots.delete(snapshot)
    handwriting.read_handwriting.call(str(snapshot.pk))
    snapshot.refresh_from_db()
    assert snapshot.reading == {}


def test_letters_are_what_is_small():
    there = Board.model_validate_json(board(SIDE, LETTER, [[5, 5]]))
    assert [len(item.points) for item in handwriting.letter_strokes(there).items] == [3]
