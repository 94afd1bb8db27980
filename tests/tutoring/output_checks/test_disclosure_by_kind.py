"""The guard against giving away what is arranged, listed, worked out in lines or written in letters."""

import re
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tutoring.courses.exercises.exercise import Exercise
from tutoring.courses.exercises.generator import make_exercise
from tutoring.courses.files.loader import parse_course
from tutoring.grading import ConstructionKey, ExpressionKey, MatchKey, OrderKey, SetKey, StepsKey
from tutoring.grading.boards import CombineBoard, CutBoard, PlaceBoard
from tutoring.grading.keys import AnswerKey
from tutoring.output_checks.answer_disclosure import discloses_answer
from tutoring.roles.wording.renderer import render_without_answer

COURSE = parse_course(Path(__file__).parents[1] / "courses" / "data" / "kinds")


def asked(key: AnswerKey, stem: str = "Put it right.", solution: tuple[str, ...] = ()) -> Exercise:
    return Exercise(
        template="t", seed=1, concept="parts", kind="numeric", difficulty="easy", stem=stem, key=key, hints=("",) * 5,
        solution=solution,
    )  # fmt: skip


ORDER = asked(OrderKey(right=("C", "A", "B"), options=(("A", "1/3"), ("B", "1/2"), ("C", "1/4"))))
WORDS = asked(
    OrderKey(right=("B", "A", "C"), options=(("A", "boil the water"), ("B", "fill the pot"), ("C", "add the rice")))
)
MATCH = asked(
    MatchKey(
        right=(("A", "2"), ("B", "3"), ("C", "1")),
        rows=(("A", "1/2"), ("B", "1/3"), ("C", "3/4")),
        options=(("1", "6/8"), ("2", "2/4"), ("3", "2/6"), ("4", "3/8")),
    )
)
LISTED = asked(SetKey(values=("2/4", "3/6"), form="as_written"), "Which are one half? 2/4, 3/5, 3/6, 4/9")
DIVISORS = asked(SetKey(values=("1", "2", "3", "6")), "Which numbers divide 6?")
RIBBON = asked(ExpressionKey(value="3n/4"), "A ribbon of n metres is cut into 4 equal pieces. How long are 3 of them?")
BRACKETS = asked(ExpressionKey(value="3x+6", form="expanded"), "Multiply out 3(x+2).")
WORKING = asked(
    StepsKey(start="1/2 + 1/3", value="5/6", form="simplified"),
    "Work out 1/2 + 1/3.",
    ("1/2 = 3/6 and 1/3 = 2/6", "3/6 + 2/6 = 5/6"),
)
EQUATION = asked(StepsKey(start="2x + 3 = 11", value="x = 4"), "Solve 2x + 3 = 11.", ("2x = 8", "x = 4"))
SUM_OF_BARS = asked(
    ConstructionKey(board=CombineBoard(first=Fraction(1, 2), sign="+", second=Fraction(1, 3)), value="5/6"),
    "Work out 1/2 + 1/3 with the bars.",
)
THREE_PARTS = asked(ConstructionKey(board=CutBoard(shape="bar"), value="3"), "Cut the bar into 3 equal parts.")
POINT = asked(
    ConstructionKey(board=PlaceBoard(start=Fraction(0), end=Fraction(2), ticks=8), value="5/4"), "Put the point at 5/4."
)

TOLD = {
    "sum of bars": (SUM_OF_BARS, ("5/6", "3/6 + 2/6 = 5/6", "It is 10 of 12 parts, so 10/12.", "five sixths")),
    "cut": (THREE_PARTS, ("Cut at 1/3 and 2/3.", "One cut goes at one third, the other at two thirds.")),
    "order": (ORDER, (
        "C, A, B", "c then a then b", "It is CAB.", "1/4, 1/3, 1/2", "1/4 < 1/3 < 1/2", "**1/4**, then *1/3*, then 1/2",
        "a quarter, then a third, then a half", "C comes first, then A, and B is last", "0.25, then 1/3, then 0.5",
        "1/2 is more than 1/3, which is more than 1/4", "A=2 B=3 C=1", "1/3 is second and 1/4 is first",
        r"$\frac{1}{4} < \frac{1}{3} < \frac{1}{2}$", "A goes second, C goes first, B goes third",
    )),
    "words": (WORDS, ("Fill the pot, boil the water, add the rice.", "First fill the pot. Then boil the water. Last, ADD the rice.")),
    "match": (MATCH, (
        "A=2", "A → 2, B → 3", "1/2 is the same as 2/4.", "1/2 goes with 2/4 and 1/3 with 2/6", "a half is two quarters",
        "The partners of 1/2, 1/3 and 3/4 are 2/4, 2/6 and 6/8.", "A goes with number 2", "2 belongs to A.", "3/4 → 6/8",
    )),
    "listed": (LISTED, ("2/4 and 3/6", "2/4; 3/6.", "two quarters and three sixths", r"It is \frac{2}{4} and \frac{3}{6}")),
    "divisors": (DIVISORS, ("1, 2, 3 and 6", "Try 3.", "It is two and three")),
    "ribbon": (RIBBON, (
        "3n/4", "It is 3*n/4.", "n*3/4", "three n over four", "3 times n divided by 4", "three quarters of n",
        r"$\frac{3n}{4}$", "0.75n", "(3/4)n", "n/4 + n/4 + n/4", "N × 3 ÷ 4",
    )),
    "brackets": (BRACKETS, ("3x + 6", "6+3x", "3x+3*2", "three x plus six")),
    "working": (WORKING, ("5/6", "five sixths", "3/6 + 2/6", "10/12", "So 1/2 = 3/6 and 1/3 = 2/6.", "0.83", "1/2 + 1/3 = 5/6")),
    "equation": (EQUATION, ("x = 4", "x is 4", "2x = 8", "It is four.", "2 x equals 8")),
}  # fmt: skip
NOT_TOLD = {
    "sum of bars": (SUM_OF_BARS, ("Cut both bars into 6 parts.", "Look at 1/2 and 1/3.", "What is 1/2 in the new parts?")),
    "cut": (THREE_PARTS, ("You need 3 parts of one size.", "How long is 1/3 of the bar?")),
    "place": (POINT, ("Where is 5/4?", "Count steps of 1/4 from 0.", "Is 5/4 more than 1?")),
    "order": (ORDER, (
        "Compare 1/3 with 1/2 first.", "Is 1/4 more than 1/3?", "Which of them has the largest pieces?", "That is not bad.",
        "You put 1/2 first. Why?", "Look at 1/2, 1/4 and 1/3 on one bar.", "A half is one of two equal parts.", "Take a cab.",
    )),
    "words": (WORDS, ("What do you need before you can boil the water?", "Add the rice, fill the pot: which is later?")),
    "match": (MATCH, (
        "Take 1/2 and double both numbers.", "Does 1/2 go with 2/4 or with 2/6?", "You chose 3/8 for 3/4.",
        "What is the bottom of 2/4?", "A half is more than a third.", "Begin with the row you are surest of.",
    )),
    "listed": (LISTED, (
        "Look at 2/4: is the bottom twice the top?", "3/5 is not.", "Which of 2/4, 3/5, 3/6 and 4/9 is one half?",
        "One half of 6 is 3.",
    )),
    "divisors": (DIVISORS, ("Which numbers go into 6 without a rest?", "Does 4 divide it?")),
    "ribbon": (RIBBON, ("How long is one piece, n/4?", "What happens to n when it is cut in 4?", "Take 3 of the 4 pieces.")),
    "brackets": (BRACKETS, ("Look at 3(x+2).", "What is 3 times x?", "Both parts are taken 3 times.")),
    "working": (WORKING, (
        "Your line 2 does not follow from line 1.", "Look at 1/2 + 1/3.", "What size do the pieces have?",
        "Can you write 1/2 with 6 at the bottom?",
    )),
    "equation": (EQUATION, ("Look at 2x + 3 = 11.", "Take 3 away on both sides.", "What is x times 2?")),
}  # fmt: skip


@pytest.mark.parametrize(("question", "messages"), TOLD.values(), ids=TOLD)
def test_an_answer_is_caught_however_it_is_said(question: Exercise, messages: tuple[str, ...]) -> None:
    """Goal 13"""
    assert [message for message in messages if not discloses_answer(message, question)] == []


@pytest.mark.parametrize(("question", "messages"), NOT_TOLD.values(), ids=NOT_TOLD)
def test_what_a_tutor_says_on_the_way_is_not(question: Exercise, messages: tuple[str, ...]) -> None:
    assert [message for message in messages if discloses_answer(message, question)] == []


def test_what_the_learner_has_put_right_may_be_repeated() -> None:
    assert not discloses_answer("1/2 → 2/4 stays. Look at 1/3.", MATCH, ["1/2 → 2/4; 1/3 → 6/8; 3/4 → 2/6"])
    assert discloses_answer("1/3 → 2/6.", MATCH, ["1/2 → 2/4; 1/3 → 6/8; 3/4 → 2/6"])
    assert not discloses_answer("You wrote 2/4 and 3/6.", LISTED, ["2/4, 3/6"])


def spellings(question: Exercise) -> list[str]:
    """Return the whole answer as people and models write it."""
    match question.key:
        case ExpressionKey(value=value):
            return [value, f"${value}$", value.replace("n/", " * n / "), value.replace("n/", "n over ")]
        case SetKey(values=values):
            return [", ".join(values), " and ".join(reversed(values)), " ".join(map(_latex, values))]
        case OrderKey(right=letters, options=options):
            texts = [dict(options)[letter] for letter in letters]
            return [
                ", ".join(letters),
                ", ".join(texts),
                " < ".join(map(_latex, texts)),
                " then ".join(letters).lower(),
            ]
        case MatchKey(right=pairs, rows=rows, options=options):
            left, right = dict(rows), dict(options)
            said = [f"{left[row]} goes with {right[option]}" for row, option in pairs]
            return [", ".join(f"{row}={option}" for row, option in pairs), ". ".join(said), " and ".join(said)]
        case StepsKey(value=value):
            return [value, f"The last line is {_latex(value)}.", *question.solution[:1]]
        case _:
            return []


def _latex(text: str) -> str:
    return re.sub(r"(\d+)/(\d+)", r"$\\frac{\1}{\2}$", text)


ARRANGED = [
    t
    for t in COURSE.concepts[0].templates
    if t.id in ("p-expression", "p-order", "p-match", "p-set", "p-steps", "p-solve")
]
OPENINGS = ("", "So it is ", "Well done so far. ", "The answer: ", "Look here: ", "I would say ")


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(ARRANGED), st.integers(0, 10_000), st.sampled_from(OPENINGS), st.data())
def test_every_spelling_of_every_exercise_is_held_back_before_the_last_rung(template, seed, opening, data) -> None:
    """Goal 13: for each kind and any seed; at rung 5 it is said."""
    question = make_exercise(template, seed=seed, course=COURSE)
    said = opening + data.draw(st.sampled_from(spellings(question)))
    assert render_without_answer(lambda _again: said, question, [], "Look again.", rung=4) == "Look again."
    assert render_without_answer(lambda _again: said, question, [], "Look again.", rung=5) == said


ORDINARY = (
    "What do you see in the picture?",
    "You began at the right end. What comes next?",
    "Say in your own words why that works.",
    "Look at one of them only, and compare it with its neighbour.",
    "That is a good first step. Check the last line once more.",
    "A drawing may help: make a bar, and cut it.",
)


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(ARRANGED), st.integers(0, 10_000), st.sampled_from(ORDINARY))
def test_ordinary_sentences_and_the_first_hints_pass_for_any_seed(template, seed, sentence) -> None:
    question = make_exercise(template, seed=seed, course=COURSE)
    assert [said for said in (sentence, *question.hints[:3]) if discloses_answer(said, question)] == []
