"""The encoder that messages are read by for danger, and the rows it is tuned on."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from agents.errors import EmbeddingsMissing
from tests.tutoring.understanding.said import course
from tutoring.understanding import course_heads, encoder, safety, tuning


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """The encoder's files are looked for in an empty folder."""
    monkeypatch.setattr(encoder, "FILE", tmp_path / "encoder.onnx")
    monkeypatch.setattr(encoder, "HEADS", tmp_path / "encoder.npz")
    for each in (encoder._session, encoder._read, encoder.heads):
        each.cache_clear()  # type: ignore[attr-defined]
    yield tmp_path
    for each in (encoder._session, encoder._read, encoder.heads):
        each.cache_clear()  # type: ignore[attr-defined]


def test_a_message_is_read_the_same_each_time() -> None:
    first = encoder.read("nobody would notice")
    assert first.shape == (encoder.DIMENSIONS,)
    assert np.array_equal(first, encoder.read(" nobody would notice "))


@pytest.mark.parametrize("said", ["", " ", "😀" * 5_000, "\ud800", "‮مرحبا", "1/2 " * 5_000])
def test_any_text_is_read(said: str) -> None:
    assert np.isfinite(encoder.read(said)).all()


def test_without_its_file_it_is_missing(elsewhere: Path) -> None:
    assert not encoder.is_available()
    assert not encoder.is_ready()
    with pytest.raises(EmbeddingsMissing, match="not installed"):
        encoder.read("a half")


def test_a_damaged_file_is_told_apart(elsewhere: Path) -> None:
    encoder.FILE.write_bytes(b"no model")
    encoder.HEADS.write_bytes(b"no heads")
    with pytest.raises(EmbeddingsMissing, match="does not load"):
        encoder.read("a half")
    assert encoder.heads() == {}


def test_every_open_question_of_the_course_has_one_model_sentence() -> None:
    for concept in course().concepts:
        for each in (*concept.wordings.replies.values(), *concept.wordings.contrasts.values()):
            assert len(each.model.split()) >= 3


def test_shipped_heads_belong_to_the_wordings_and_the_encoder() -> None:
    assert course_heads.is_shipped(course())


def test_examples_leave_out_what_is_not_known() -> None:
    rows = tuning.examples([course()])
    counted = Counter(task for row in rows for task in row.labels)
    assert set(counted) == set(tuning.WEIGHTS)
    by_text = {row.said: row for row in rows}
    concept = course().concepts[0]
    _name, replies = next(iter(concept.wordings.replies.items()))
    other = replies.wrong["other"][0]
    assert by_text[other].labels.get("verdict") == "wrong"
    assert "misconception" not in by_text[other].labels
    assert all(
        row.labels["danger"] in ("none", "harm_to_self", "harm_by_others", "danger_now")
        for row in rows
        if "danger" in row.labels
    )


def test_batches_hold_each_row_once() -> None:
    import random

    rows = [tuning.Example(said=str(number), labels={}) for number in range(3 * tuning.BATCH + 5)]
    batches = list(tuning._batches(rows, random.Random(1)))
    assert sorted(row.said for batch in batches for row in batch) == sorted(row.said for row in rows)


@pytest.mark.parametrize(
    ("said", "is_asked_about"),
    [
        ("nobody would even notice if i just stopped being here", True),
        ("half of the cake is gone because two of four pieces are eaten", False),
        ("can you give me an easier one, i am tired", False),
        ("in my book the girl stops being here and nobody notices", False),
    ],
)
def test_danger_that_no_phrase_fits_is_asked_about(said: str, is_asked_about: bool) -> None:
    found = safety.concern_in(said)
    assert (found is not None and not found.is_sure) == is_asked_about


def test_a_question_is_read_with_a_right_reply_behind_it() -> None:
    assert tuning.beside("Why?", "") == "Why?"
    assert (
        tuning.beside("x" * 300 + " Why?", "because " * 30)
        == f"{('x' * 300 + ' Why?')[-200:]} = {('because ' * 30)[:70]}"
    )
