"""Steps of OATutor: what cannot be graded is left out, with the file, the step and the reason."""

from typing import Any

import pytest

from tests.tutoring.course_imports.import_helpers import oatutor_file
from tutoring.course_imports.drafts import draft_course
from tutoring.course_imports.files import read_file


def left_out(**step: Any) -> list[tuple[str, str]]:
    """Return what a course leaves out of three good steps and this one."""
    draft = draft_course([("steps.jsonl", oatutor_file({}, {}, {}, {"step_id": "odd"} | step))])
    return [(each.name, each.reason) for each in draft.skipped]


@pytest.mark.parametrize("answer", [r"$$\frac{1}{}$$", "9**9**9**9", "1/0", "x = 1/0", "((", "10^400"])
def test_an_answer_that_cannot_be_read_or_calculated_is_left_out(answer: str) -> None:
    shown = answer.strip("$")[:80]

    assert left_out(answers=[answer]) == [("steps.jsonl, odd", f"The program cannot grade its answer “{shown}”.")]


@pytest.mark.parametrize(
    "answer", ["2x+1", "x = 3", r"$$(-\infty, 3]$$", "no solution", r"$$\sqrt{2}$$", "5 m", "{1, 2}", "n!", "1,000"]
)
def test_an_answer_in_the_usual_notation_is_taken(answer: str) -> None:
    assert left_out(answers=[answer]) == []


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        ({"answers": [float("nan")]}, "“NaN” is not a number."),
        ({"answers": ["\ud800"]}, "One of its texts has a damaged character: “�”."),
        ({"step_title": "What\0?"}, "One of its texts has a damaged character: “�”."),
        ({"choices": 24}, "It has 1 option; from 2 to 8 are possible."),
        ({"choices": ["1"] * 300}, "It has more than 200 answers and hints."),
        ({"step_title": ""}, "It has no question text."),
    ],
)
def test_what_is_left_out_names_the_file_the_step_and_the_reason(step: dict[str, Any], reason: str) -> None:
    assert left_out(**step) == [("steps.jsonl, odd", reason)]


def test_json_of_another_kind_is_named() -> None:
    (skipped,) = read_file("me.json", b'{"name": "Hugo", "age": 4}').skipped

    assert skipped.name == "me.json, step 1"
