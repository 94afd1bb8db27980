"""The encoder that messages are read by for danger, and the rows it is tuned on."""

import ast
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from agents.errors import EmbeddingModelMissing
from tests.tutoring.understanding.contexts import course
from tutoring.understanding.classifiers import course_heads, encoder
from tutoring.understanding.concerns import detector
from tutoring.understanding.context import Prompt
from tutoring.understanding.message import make_message
from tutoring.understanding.replies import verdict_chances
from tutoring.understanding.training import tuning_examples

TASKS = {"verdict", "misconception", "milestone", "intent", "mood", "danger"}


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """The encoder's files are looked for in an empty folder."""
    monkeypatch.setattr(encoder, "FILE", tmp_path / "encoder.onnx")
    monkeypatch.setattr(encoder, "HEADS", tmp_path / "encoder.npz")
    for each in (encoder._session, encoder._read, encoder.tuned_heads):
        each.cache_clear()  # type: ignore[attr-defined]
    yield tmp_path
    for each in (encoder._session, encoder._read, encoder.tuned_heads):
        each.cache_clear()  # type: ignore[attr-defined]


def test_a_message_is_read_the_same_each_time() -> None:
    first = encoder.encode("nobody would notice")
    assert first.shape == (encoder.DIMENSIONS,)
    assert np.array_equal(first, encoder.encode(" nobody would notice "))


@pytest.mark.parametrize("said", ["", " ", "😀" * 5_000, "\ud800", "‮مرحبا", "1/2 " * 5_000])
def test_any_text_is_read(said: str) -> None:
    assert np.isfinite(encoder.encode(said)).all()


def test_without_its_file_it_is_missing(elsewhere: Path) -> None:
    assert not encoder.is_available()
    assert not encoder.is_ready()
    with pytest.raises(EmbeddingModelMissing, match="not installed"):
        encoder.encode("a half")


def test_a_damaged_file_is_told_apart(elsewhere: Path) -> None:
    encoder.FILE.write_bytes(b"no model")
    encoder.HEADS.write_bytes(b"no heads")
    with pytest.raises(EmbeddingModelMissing, match="does not load"):
        encoder.encode("a half")
    assert encoder.tuned_heads() == {}


def test_every_open_question_of_the_course_has_one_model_sentence() -> None:
    for concept in course().concepts:
        for each in (*concept.wordings.replies.values(), *concept.wordings.contrasts.values()):
            assert len(each.model.split()) >= 3


def test_shipped_heads_belong_to_the_wordings_and_the_encoder() -> None:
    assert course_heads.is_shipped(course())


def test_examples_leave_out_what_is_not_known() -> None:
    rows = tuning_examples.all_examples([course()])
    counted = Counter(task for row in rows for task in row.labels)
    assert set(counted) == TASKS
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


def test_rows_are_written_cut_to_what_is_read(tmp_path: Path) -> None:
    row = tuning_examples.TuningExample(
        said="because " * 90, asked="x" * 300, good=["y" * 90] * 9, labels={"verdict": "right"}
    )
    tuning_examples.write_examples([row], tmp_path / "rows.jsonl")
    (line,) = map(json.loads, (tmp_path / "rows.jsonl").read_text(encoding="utf-8").splitlines())
    assert set(line) == {"said", "asked", "good", "labels"}
    assert len(line["said"]) <= encoder.MESSAGE_CHARACTERS
    assert len(line["asked"]) == encoder.QUESTION_CHARACTERS
    assert [len(each) for each in line["good"]] == [encoder.REPLY_CHARACTERS] * tuning_examples.GOOD


def test_the_script_that_tunes_knows_every_task() -> None:
    tree = ast.parse((Path(tuning_examples.__file__).parent / "tune_encoder.py").read_text(encoding="utf-8"))
    (weights,) = (
        each.value
        for each in tree.body
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name) and each.target.id == "WEIGHTS"
    )
    assert weights is not None
    assert set(ast.literal_eval(weights)) == TASKS


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
    found = detector.find_concern(said)
    assert (found is not None and not found.is_sure) == is_asked_about


def test_a_question_is_read_with_a_right_reply_behind_it() -> None:
    question, good = "x" * 300 + " Why?", "because " * 30
    assert encoder.question_with_reply(question, good) == f"{question[-200:]} = {good[:70]}"


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("they are the same size so its fair", "right"),
        ("there are two people and two pieces so it is fair", "wrong"),
    ],
)
def test_a_reply_is_read_beside_a_right_one(text: str, verdict: str) -> None:
    prompt = Prompt(id="ep-b-cheese", kind="piece", text="")
    found = verdict_chances.encoded_chances(make_message(text), prompt, course())
    assert found is not None
    assert abs(sum(found.values()) - 1) < 1e-4
    assert found["wrong"] > 0.5 if verdict == "wrong" else found["wrong"] <= 0.9
