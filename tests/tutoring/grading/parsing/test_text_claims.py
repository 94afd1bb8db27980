"""Calculations and equations are taken out of running text, and questions that hold one are worked out."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tutoring.grading import StepsKey, grade
from tutoring.grading.judges.steps import judged_lines
from tutoring.grading.keyless_questions import solves_question
from tutoring.grading.parsing.text_claims import claims_in, holds


def told(text: str) -> list[str]:
    return [claim.text.replace(" ", "") for claim in claims_in(text)]


@pytest.mark.parametrize(
    ("said", "claims"),
    [
        ("Anna has 3*4 = 12 apples.", ["3*4=12"]),
        ("8 hours x 5 days = 40 hours", ["8*5=40hours"]),
        ("3 tickets cost 3*$7 = $21", ["3", "3*7=21"]),
        ("20% of 50 is 10", ["20%*50=10"]),
        ("1/2 is the same as 3/6 and 1/3 = 2/6", ["1/2=3/6", "1/3=2/6"]),
        ("subtract 5 so x = 3", ["5", "x=3"]),
        ("6 fifths minus 4 fifths is 2 fifths", ["6fifths-4fifths=2fifths"]),
        ("x + 110 = 180 because 50 + 60 = 110", ["x+110=180", "50+60=110"]),
        ("2 apples are 5 euros", ["2", "5euros"]),
        ("nothing to see here", []),
    ],
)
def test_what_a_sentence_says_in_figures_is_found(said: str, claims: list[str]) -> None:
    assert told(said) == claims


@pytest.mark.parametrize(
    ("said", "true"),
    [("3/5*2 = 6/10", False), ("-3 - 5 = -8", True), ("0.3 + 0.25 = 0.28", False), ("2+2 = 4 = 8/2", True), ("1/3 ≈ 0.33", True),
     ("1/3 ≈ 0.4", False), ("1/8 > 1/4", False), ("2 ≤ 2", True), ("x = 3", None), ("1/0 = 2", False)],
)  # fmt: skip
def test_a_claim_with_numbers_is_true_or_not(said: str, true: bool | None) -> None:
    (claim,) = claims_in(said)
    assert holds(claim.node) is true


@pytest.mark.parametrize(
    ("question", "answer", "right"),
    [
        ("3/5*2=", "6/10", False),
        ("3/5*2=", "6/5", True),
        ("Work out 1/2 + 1/3 + 1/6", "1/2", False),
        ("Add 2/7 and 3/7.", "5/7", True),
        ("What is -3 - 5?", "-8", True),
        ("0.3 + 0.25 = ?", "0.28", False),
        ("Solve for x: 2x+3=11", "x = 4", True),
        ("Solve for x: 2x+3=11", "5", False),
        ("Solve x^2 = 9", "3", None),
        ("Simplify 6/8.", "3/4", True),
        ("3/4 of a pizza is gone. How much is left?", "1/4", None),
        ("Tom had 5 + 3 apples and gave away 2. How many are left?", "6", None),
        ("Work out 1/4 + 2/4.", "1/4+2/4", None),
        ("Is it fair?", "No", None),
    ],
)
def test_a_question_that_says_what_to_work_out_is_worked_out(question: str, answer: str, right: bool | None) -> None:
    assert solves_question(question, answer) is right


def test_a_line_with_words_stands_as_its_equations_do() -> None:
    key = StepsKey(start="", value="18")
    lines = "Anna has 3*4 = 12 apples.\nLet x be all.\nShe gets 6 more: 12 + 6 = {}\nA: {}"
    assert [line.standing for line in judged_lines(key, lines.format(18, 18))] == [
        "aside",
        "unread",
        "follows",
        "follows",
    ]
    assert grade(key, lines.format(18, 18)).verdict == "correct"
    assert grade(key, lines.format(16, 18)).verdict == "partial"
    assert grade(key, lines.format(18, 16)).verdict != "correct"


@settings(max_examples=40, deadline=None)
@given(text=st.text("0123456789 x=+-*/%().,:?\nabdefhilnorstuw<>≈", max_size=200))
def test_any_text_is_searched_for_claims(text: str) -> None:
    for claim in claims_in(text):
        holds(claim.node)
    solves_question(text, text)
    grade(StepsKey(start="", value="7"), text)
