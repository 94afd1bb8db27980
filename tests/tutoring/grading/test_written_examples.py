"""Answers written for this: they match themselves, equal ones are accepted, and what is different never is."""

import json

import pytest

from tutoring.grading import ExpressionKey, TextKey, grade
from tutoring.management.commands.grade import judge_lines

ANSWERS = (
    "7", "-12", "3/8", "-5/6", "0.25", "1250", "2 1/3", "x + 4", "3x - 7", "5(x - 2)", "x^2 + 5x + 6", "(x + 2)(x + 3)",
    "2x/3", "a^2 - b^2", "4y^3", "sqrt(5)", "2sqrt(3)", "pi/4", "6pi", "10^4", "2^-3", "x = 3", "y = 2x + 1", "12.5",
    "\\frac{3}{4}", "\\sqrt{7}", "\\frac{x+1}{2}", "7 \\cdot 10^5", "{1, 2}", "(3, -2)",
)  # fmt: skip

STEPS = (
    ("What is 3/4 of 20?", "15", ("15", "12", "16", "5")),
    ("Which fraction is the largest?", "3/4", ("3/4", "2/3", "1/2", "5/8")),
    ("What does 2(x + 3) become?", "2x + 6", ("2x + 6", "2x + 3", "x + 6", "2x + 5")),
    ("Solve 3x = 12.", "x = 4", ("x = 4", "x = 9", "x = 36", "x = 15")),
    ("How is 0.6 written as a fraction?", "3/5", ("3/5", "6/100", "1/6", "2/3")),
    ("What is the slope of y = 5 - 2x?", "-2", ("-2", "5", "2", "-5")),
    ("What is 30 % of 50?", "15", ("15", "30", "20", "1.5")),
    ("What is the square of -4?", "16", ("16", "-16", "8", "-8")),
    ("What is left of 7/8 - 1/2?", "3/8", ("3/8", "6/6", "1", "6/8")),
    ("How long is the side of a square of area 49?", "7", ("7", "12.25", "14", "24.5")),
    ("What is x^3 times x^2?", "x^5", ("x^5", "x^6", "2x^5", "x")),
    ("Round 3.476 to tenths.", "3.5", ("3.5", "3.4", "3.48", "3")),
)

EQUAL = (
    ("1/2", "2/4"), ("1/2", "0.5"), ("0.75", "\\frac{3}{4}"), ("3/4", "\\tfrac34"), ("7/3", "2 1/3"), ("x + 1", "1 + x"),
    ("2(x + 3)", "2x + 6"), ("(x - 1)(x + 1)", "x^2 - 1"), ("x^2 + 2x + 1", "(x + 1)^2"), ("sqrt(8)", "2sqrt(2)"),
    ("\\sqrt{12}", "2\\sqrt{3}"), ("10^3", "1000"), ("1,250", "1250"), ("x/2", "0.5x"), ("-(a - b)", "b - a"),
    ("4", "4.0"), ("3x/6", "x/2"), ("2^5", "32"), ("\\frac{1}{x}", "1/x"), ("pi/2", "\\frac{\\pi}{2}"), ("5", "+5"),
    ("(3, 4)", "(3,4)"), ("6/4", "1.5"), ("2\\cdot 7", "14"),
)  # fmt: skip

DIFFERENT = (
    ("1/2", "1/3"), ("1/2", "2/1"), ("3/4", "3.4"), ("7", "-7"), ("0.5", "0.05"), ("x + 1", "x - 1"),
    ("2(x + 3)", "2x + 3"), ("(x + 1)^2", "x^2 + 1"), ("sqrt(8)", "4"), ("sqrt(9)", "9"), ("x^2", "2x"), ("2^5", "10"),
    ("10^3", "30"), ("10^-3", "1000"), ("a - b", "b - a"), ("3x", "3"), ("x/2", "2/x"), ("1250", "12.50"),
    ("(3, 4)", "(4, 3)"), ("5", "five apples and 6"), ("6/4", "4/6"), ("12", "1 2 3"), ("x = 3", "y = 3"), ("-5/6", "5/6"),
    ("0.25", "25"), ("y = 2x + 1", "y = x + 2"), ("4y^3", "4y^2"), ("a^2 - b^2", "(a - b)^2"), ("7", ""), ("7", "?"),
)  # fmt: skip

SUGAR = ("Why does sugar seem to vanish in hot tea?", "It dissolves: its particles spread between those of the water.")
SHADOW = ("Why is a shadow shorter at noon?", "The sun stands higher, so its light is blocked over less ground.")
PLANT = ("What does a plant need light for?", "It uses the energy of light to make its own food from water and air.")
MAGNET = ("Which of the things does the magnet attract?", "It attracts things made of iron or steel.")
CIRCUIT = ("Why does the bulb not light?", "The circuit is open, so no current flows through the bulb.")
SHORT = (
    (SUGAR, "it dissolves and its particles spread in the water", True),
    (SUGAR, "The sugar dissolves between the particles of the water.", True),
    (SUGAR, "because it dissolves", True),
    (SUGAR, "it is gone for ever", False),
    (SUGAR, "The tea drinks it up.", False),
    (SHADOW, "the sun is higher so its light is blocked over less ground", True),
    (SHADOW, "Because the sun stands higher at noon.", True),
    (SHADOW, "it is hot then", False),
    (SHADOW, "people sleep at noon", False),
    (PLANT, "It makes its own food with the energy of light.", True),
    (PLANT, "to make food from water and air with light energy", True),
    (PLANT, "to be warm", False),
    (PLANT, "so that we can see it", False),
    (MAGNET, "things made of iron", True),
    (MAGNET, "It attracts iron and steel things.", True),
    (MAGNET, "all of them", False),
    (MAGNET, "wood and paper", False),
    (CIRCUIT, "the circuit is open so no current flows", True),
    (CIRCUIT, "No current flows through the bulb, the circuit is open.", True),
    (CIRCUIT, "the bulb is sad", False),
    (CIRCUIT, "It is too bright outside.", False),
)


@pytest.mark.parametrize("answer", ANSWERS)
def test_answer_matches_itself(answer: str) -> None:
    """Goal 8."""
    assert grade(ExpressionKey(value=answer), answer).verdict == "correct"


@pytest.mark.parametrize(("_question", "right", "choices"), STEPS)
def test_step_accepts_its_own_key_and_no_wrong_choice(_question: str, right: str, choices: tuple[str, ...]) -> None:
    """Goal 8, through the command."""
    lines = [json.dumps({"expected": right, "answer": each, "type": "choice", "choices": choices}) for each in choices]
    assert [json.loads(judged)["verdict"] for judged in judge_lines(lines)] == ["correct", *["wrong"] * 3]


@pytest.mark.parametrize(("expected", "answer"), DIFFERENT)
def test_different_answers_are_never_accepted(expected: str, answer: str) -> None:
    """Goal 8."""
    assert grade(ExpressionKey(value=expected), answer).score == 0


@pytest.mark.parametrize(("expected", "answer"), EQUAL)
def test_equal_answers_are_accepted(expected: str, answer: str) -> None:
    assert grade(ExpressionKey(value=expected), answer).score > 0


def test_short_answers_are_judged_as_people_do() -> None:
    """G10: nine in ten at least, of answers that are plainly right or plainly wrong."""
    agrees = []
    for (question, reference), answer, is_right in SHORT:
        judged = grade(TextKey(references=(reference,), question=question), answer)
        agrees.append(judged.is_correct == is_right)
    assert sum(agrees) >= 0.9 * len(agrees)
