"""`manage.py analyse misconception`: a line in, a line out, whatever the line."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.tutoring.small_course import describe, make_course
from tutoring.rules.nearest import WrongAnswer

FIELDS = {
    "misconception_detected", "misconception_type", "confidence", "evidence", "intervention_suggestion",
    "corrective_concept", "top3", "ms",
}  # fmt: skip
LIBRARY = [
    {"id": "added", "topic": "Sums", "description": "adds tops and bottoms",
     "examples": [{"question": "1/3 + 2/5", "answer": "3/8"}, {"question": "3/4 + 1/6", "answer": "4/10"}]},
    {"id": "multiplied", "topic": "Sums", "description": "multiplies instead of adding",
     "examples": [{"question": "1/3 + 2/5", "answer": "2/15"}, {"question": "3/4 + 1/6", "answer": "3/24"}]},
]  # fmt: skip


@pytest.fixture
def library(tmp_path: Path) -> Path:
    path = tmp_path / "library.jsonl"
    path.write_text("\n".join(map(json.dumps, LIBRARY)), encoding="utf-8")
    return path


def analysed(lines: list[object], monkeypatch: pytest.MonkeyPatch, *arguments: str) -> list[dict[str, Any]]:
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8"))
    out = io.StringIO()
    try:
        call_command("analyse", "misconception", *arguments, stdout=out)
    finally:
        rows = [json.loads(line) for line in out.getvalue().splitlines()]
    return rows


def test_answer_is_diagnosed_by_the_librarys_examples(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    line = {"topic": "Sums", "question": "3/5 + 4/7", "answer": "7/12"}
    (row,) = analysed([line], monkeypatch, "--library", str(library))
    assert set(row) == FIELDS
    assert (row["misconception_detected"], row["misconception_type"]) == (True, "added")
    assert [name for name, _confidence in row["top3"]] == ["added", "multiplied"]
    assert row["confidence"] == row["top3"][0][1]
    assert "7/12" in row["evidence"]


def test_unlike_answer_detects_nothing_and_claims_nothing(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (row,) = analysed([{"question": "Who?", "answer": "a queen"}], monkeypatch, "--library", str(library))
    assert (row["misconception_detected"], row["misconception_type"], row["evidence"]) == (False, None, None)


def test_words_are_held_against_the_descriptions(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said, asked = analysed(
        [{"utterance": "you multiply instead of adding"}, {"utterance": "do you multiply instead of adding?"}],
        monkeypatch, "--library", str(library),
    )  # fmt: skip
    assert said["misconception_type"] == "multiplied"
    assert asked["misconception_type"] is None


def test_unreadable_lines_are_told_and_the_others_answered(
    library: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = io.StringIO()
    lines = [
        "nonsense",
        "[1]",
        '{"question": "1"}',
        '{"utterance": true}',
        "",
        '{"question": "1/2 + 1/3", "answer": 5}',
    ]
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO("\n".join(lines).encode()), encoding="utf-8"))
    with pytest.raises(CommandError, match="4 lines"):
        call_command("analyse", "misconception", "--library", str(library), stdout=out)
    assert ["error" in json.loads(row) for row in out.getvalue().splitlines()] == [True] * 4 + [False]


@pytest.mark.parametrize("kind", ["concepts"])
def test_kind_that_is_not_there_yet_is_said(kind: str) -> None:
    with pytest.raises(CommandError, match=f"no analysis of kind {kind} yet"):
        call_command("analyse", kind)


@pytest.mark.parametrize(
    "line", ["{", "[]", '{"id": "a"}', '{"id": "a", "examples": [1]}', '{"id": "a", "examples": [{"question": "1"}]}']
)
def test_fault_in_a_library_is_told_with_its_line(line: str, tmp_path: Path) -> None:
    path = tmp_path / "library.jsonl"
    path.write_text(json.dumps(LIBRARY[0]) + "\n" + line, encoding="utf-8")
    with pytest.raises(CommandError, match="line 2"):
        call_command("analyse", "misconception", "--library", str(path))


@pytest.mark.django_db
def test_without_a_library_the_loaded_courses_speak(monkeypatch: pytest.MonkeyPatch) -> None:
    course = make_course()
    counted = WrongAnswer(question="What part of 2 of 4 is shaded?", answer="2")
    describe(course, "counts_shaded", examples=(counted,), concepts=("one_half",))
    describe(course, "two_pieces", utterances=("two .*halves",), concepts=("one_half",), base_rate=0.1)
    answered, said, elsewhere = analysed(
        [
            {"topic": "one half", "question": "What part of 3 of 6 is shaded?", "answer": 3},
            {"topic": "one_half", "utterance": "two pieces, so they are halves"},
            {"topic": "equal_parts", "utterance": "two pieces, so they are halves"},
        ],
        monkeypatch,
    )
    assert answered["misconception_type"] == "counts_shaded"
    assert (said["misconception_type"], said["corrective_concept"]) == ("two_pieces", "Equal parts.")
    assert "Is this half?" in said["intervention_suggestion"]
    assert not elsewhere["misconception_detected"]
