"""`manage.py analyse misconception`: a line in, a line out, whatever the line."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.tutoring.small_course import describe, make_course
from tutoring.courses.wrong_answers import WrongAnswer
from tutoring.side_agents.analyse_command import misconception
from tutoring.side_agents.analyse_command.answer_matching import is_right
from tutoring.side_agents.analyse_command.misconception import analysis, classifier_of
from tutoring.understanding.context import Context
from tutoring.understanding.message_analysis import Evidence, MessageAnalysis

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


def test_confidence_where_none_is_named_is_that_none_shows(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [{"question": "Who?", "answer": "a queen"}, {"question": "1/4 + 1/2", "answer": "3/4"}]
    for row in analysed(lines, monkeypatch, "--library", str(library)):
        assert not row["misconception_detected"]
        assert row["confidence"] > 0.5
        assert row["confidence"] == pytest.approx(1 - sum(sure for _name, sure in row["top3"]), abs=1e-3)
        assert {name for name, _sure in row["top3"]} == {"added", "multiplied"}


@pytest.mark.parametrize(
    ("question", "answer", "key"),
    [
        ("3/5 + 4/7", "47/35", "47/35"),
        ("3/5 + 4/7", "it is 47/35, since 21/35 + 20/35 = 41/35 is wrong", "47/35"),
        ("3/5 + 4/7", "1 12/35", "47/35"),
        ("3/5 + 4/7", 1.5, 1.5),
        ("How many cakes?", "I got 12 cakes.", "12"),
        ("Solve 2x = 8", "2x = 8\nx = 8/2\nx = 4", "x = 4"),
        ("What happens to the sum?", "the sum doubles", "The sum becomes double."),
    ],
)
def test_right_answer_raises_no_alarm(
    question: str, answer: object, key: object, library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = {"topic": "Sums", "question": question, "answer": answer, "answer_key": key}
    (row,) = analysed([line], monkeypatch, "--library", str(library))
    assert (row["misconception_detected"], row["misconception_type"], row["evidence"]) == (False, None, None)
    assert row["confidence"] >= 0.9
    assert len(row["top3"]) == 2


def test_wrong_answer_is_diagnosed_with_the_key_too(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    line = {"topic": "Sums", "question": "3/5 + 4/7", "answer": "7/12"}
    without, with_key = analysed([line, line | {"answer_key": "41/35"}], monkeypatch, "--library", str(library))
    assert with_key["misconception_type"] == "added"
    assert without | {"ms": 0} == with_key | {"ms": 0}


def test_key_is_a_text_or_a_number(library: Path) -> None:
    with pytest.raises(ValueError, match="answer_key must be text"):
        analysis({"question": "1", "answer": "1", "answer_key": {}}, classifier_of(library))


def test_answer_is_right_by_what_it_comes_to() -> None:
    assert is_right("0.312 < 0.45", key="0.312, 0.45")
    assert not is_right("0.45 < 0.312", key="0.312, 0.45")
    assert not is_right("4x + 5", key="4x + 20")
    assert not is_right("", key="4")
    assert not is_right("it is 7/12, not 41/35", key="41/35")
    assert not is_right("3/5 + 4/7 = 7/12", key="41/35")
    assert not is_right("it is 4% higher", key="It is 4% lower")
    assert is_right("lower by 4 percent", key="It is 4% lower")
    assert is_right("2", key="2 red marbles")
    assert is_right("b) 3/4", key="B")
    assert not is_right("(C) 3/4", key="B")
    assert is_right("a half", key="1/2")


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


@pytest.mark.parametrize(
    "line", ["{", "[]", '{"id": "a"}', '{"id": "a", "examples": [1]}', '{"id": "a", "examples": [{"question": "1"}]}']
)
def test_fault_in_a_library_is_told_with_its_line(line: str, tmp_path: Path) -> None:
    path = tmp_path / "library.jsonl"
    path.write_text(json.dumps(LIBRARY[0]) + "\n" + line, encoding="utf-8")
    with pytest.raises(CommandError, match="line 2"):
        call_command("analyse", "misconception", "--library", str(path))


def shows_two_pieces(text: str, context: Context) -> MessageAnalysis:
    """Stand for the analysis: it finds the misconception in its own concept."""
    assert context.concept is not None
    shown = (Evidence(id="two_pieces", probability=0.93, quote=text),) if context.concept.id == "one_half" else ()
    return MessageAnalysis(misconceptions=shown)


@pytest.mark.django_db
def test_without_a_library_the_loaded_courses_speak(monkeypatch: pytest.MonkeyPatch) -> None:
    course = make_course()
    counted = WrongAnswer(question="What part of 2 of 4 is shaded?", answer="2")
    describe(course, "counts_shaded", examples=(counted,), concepts=("one_half",))
    describe(course, "two_pieces", concepts=("one_half",), base_rate=0.1)
    monkeypatch.setattr(misconception, "analyse", shows_two_pieces)
    right, answered, said, elsewhere = analysed(
        [
            {
                "topic": "one half",
                "question": "What part of 3 of 6 is shaded?",
                "answer": "3 out of 6",
                "answer_key": "1/2",
            },
            {"topic": "one half", "question": "What part of 3 of 6 is shaded?", "answer": 3},
            {"topic": "one_half", "utterance": "two pieces, so they are halves"},
            {"topic": "equal_parts", "utterance": "two pieces, so they are halves"},
        ],
        monkeypatch,
    )
    assert not right["misconception_detected"]
    assert right["top3"][0][0] == "counts_shaded"
    assert right["confidence"] > 0.9
    assert answered["misconception_type"] == "counts_shaded"
    assert (said["misconception_type"], said["corrective_concept"]) == ("two_pieces", "Equal parts.")
    assert (said["confidence"], said["top3"]) == (0.93, [["two_pieces", 0.93]])
    assert said["evidence"] == "Said: “two pieces, so they are halves”"
    assert "Is this half?" in said["intervention_suggestion"]
    assert not elsewhere["misconception_detected"]
