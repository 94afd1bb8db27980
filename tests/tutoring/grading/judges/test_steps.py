"""Workings, judged line by line."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tutoring.grading import StepsKey, grade
from tutoring.grading.judges.steps import MAX_LINES, first_wrong_line, judged_lines, line_says
from tutoring.grading.keys import key_from_json, key_to_json

ADDED = StepsKey(start="1/2 + 1/3", value="5/6", form="simplified")
SHARED = StepsKey(start="30 × 2 ÷ 6", value="10", form="whole")
SOLVED = StepsKey(start="2x + 3 = 11", value="x = 4")
EXPANDED = StepsKey(start="3(x + 2) - x", value="2x + 6", form="expanded")


@pytest.mark.parametrize(
    ("key", "answer"),
    [
        (ADDED, "3/6 + 2/6\n5/6"),
        (ADDED, "= 3/6 + 2/6\n= 5/6"),
        (ADDED, "1/2 + 1/3 = 3/6 + 2/6 = 5/6"),
        (ADDED, "1/2 = 3/6, 1/3 = 2/6\n3/6 + 2/6 = 5/6"),
        (ADDED, "1/2 = 3/6 and 1/3 = 2/6\n3/6 + 2/6\n5/6"),
        (ADDED, "one bottom number: 6\n3/6 + 2/6\n5/6"),
        (ADDED, "1) 3/6 + 2/6\n2) 5/6"),
        (ADDED, "Step 1: 6/12 + 4/12\nStep 2: 10/12\nStep 3: 5/6"),
        (ADDED, "x = 3/6 + 2/6\nx = 5/6"),
        (ADDED, "1/2 = 3 x 1/6, 1/3 = 2x1/6\n5 x 1/6 = 5/6"),
        (SHARED, "30/6=5\n2x5=10"),
        (SHARED, "1/6 of 30 = 5\n2 X 5 = 10"),
        (ADDED, "\\frac{3}{6} + \\frac{2}{6}\n\\frac{5}{6}"),
        (SOLVED, "2x = 8\nx = 4"),
        (SOLVED, "2x + 3 - 3 = 11 - 3\n2x = 8\n4 = x"),
        (SOLVED, "8/2 = 4\nx = 4"),
        (SOLVED, "2x = 8\n4"),
        (EXPANDED, "3x + 6 - x\n2x + 6"),
    ],
)
def test_any_right_way_is_right(key: StepsKey, answer: str) -> None:
    assert grade(key, answer).verdict == "correct"


@pytest.mark.parametrize(
    ("key", "answer", "verdict", "broken"),
    [
        (ADDED, "1/2 + 1/3\n2/5\n0.4", "wrong", "2/5"),
        (ADDED, "3/6 + 2/6\n5/12", "partial", "5/12"),
        (ADDED, "1/2 = 2/6\n3/6 + 2/6\n5/6", "partial", "1/2 = 2/6"),
        (ADDED, "1/2 = 3/6, 1/3 = 3/6\n5/6", "partial", "1/2 = 3/6, 1/3 = 3/6"),
        (ADDED, "3/6 + 2/6\n10/12", "equivalent_not_in_form", None),
        (ADDED, "1/2 = 3/6\n1/3 = 2/6", "partial", None),
        (SOLVED, "2x = 14\nx = 7", "wrong", "2x = 14"),
        (SOLVED, "2x = 8\nx = 6", "partial", "x = 6"),
        (EXPANDED, "3x + 6 - x\n2(x + 3)", "equivalent_not_in_form", None),
    ],
)
def test_first_line_that_does_not_follow_is_found(key: StepsKey, answer: str, verdict: str, broken: str | None) -> None:
    line = first_wrong_line(key, answer)
    assert grade(key, answer).verdict == verdict
    assert (line.text if line else None) == broken


def test_lines_after_a_wrong_one_are_held_against_it() -> None:
    assert [line.standing for line in judged_lines(ADDED, "3/6 + 2/6\n5/12\n10/24\nso what")] == [
        "follows", "breaks", "follows", "unread",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("5/6", "bare_result"),
        ("2/5", "one_step"),
        ("1/2 + 1/3 = 5/6", "bare_result"),
        ("5/6\n5/6", "bare_result"),
        ("1/2 + 1/3 + 0\n5/6", "idle_step"),
        ("1*(1/2 + 1/3)\n5/6", "idle_step"),
        ("(1/2)/1 + 1/3\n5/6 + 0\n5/6", "idle_step"),
        ("", "empty"),
        ("hello\nthere", "words"),
        ("1/2\n" * (MAX_LINES + 1), "too_long"),
        ("1" * 10_000, "too_long"),
    ],
)
def test_no_working_is_a_free_retry_whether_right_or_wrong(answer: str, reason: str) -> None:
    judgement = grade(ADDED, answer)
    assert (judgement.verdict, judgement.reason) == ("unparsable", reason)


def test_where_the_question_shows_no_calculation_writing_it_is_a_step() -> None:
    worded = replace(ADDED, shows_start=False)
    assert grade(worded, "1/2 + 1/3\n5/6").verdict == "correct"
    assert grade(worded, "5/6").reason == "bare_result"
    assert key_from_json(key_to_json(worded)) == worded


def test_mistake_is_found_in_the_line_that_breaks() -> None:
    added, solved = first_wrong_line(ADDED, "3/6 + 2/6 = 5/12"), first_wrong_line(SOLVED, "2x = 14\nx = 7")
    assert added is not None
    assert solved is not None
    assert [line_says(added, wrong) for wrong in ("5/12", "10/24", "2/5", "?")] == [True, True, False, False]
    assert [line_says(solved, wrong) for wrong in ("2x = 14", "x = 7", "2x = 8")] == [True, True, False]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from(["3/6 + 2/6", "5/6", "2/5", "1/2 = 3/6", "= 10/12", "x", "1/0", "so", "2 < 3", "="]), max_size=6
    )
)
def test_a_working_is_right_only_where_every_line_is(lines: list[str]) -> None:
    answer = "\n".join(lines)
    judgement = grade(ADDED, answer)
    if judgement.is_correct:
        assert first_wrong_line(ADDED, answer) is None
        assert lines[-1] == "5/6" or "5/6" in lines


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=300))
def test_any_text_can_be_judged(answer: str) -> None:
    for key in (ADDED, SOLVED, EXPANDED):
        assert 0 <= grade(key, answer).score <= 1
