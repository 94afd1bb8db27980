"""Calculations and conversions asked for in whole turns: without a topic, in a lesson, while being placed."""

from typing import Any

import pytest

from tests import people
from tests.tutoring.lessons.lesson_player import Stage, counted_turns, unhurried
from tutoring.grading import NumericKey, key_to_json
from tutoring.models import Concept, Question

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("kept_fractions")]

ASKED = {
    "what is 1/2 + 1/3?": "3/6 + 2/6 = 5/6",
    "is 3/4 bigger than 2/3": "3/4 is bigger than 2/3",
    "simplify 6/8": "6/8 = 3/4",
    "7/4 as a mixed number": "7/4 = 1 3/4",
    "0.25 as a fraction": "0.25 = 25/100 = 1/4",
    "2/3 of 12": "2/3 of 12 is 8",
    "3/4 = ?/12": "3/4 = 9/12",
    "is 1/2 + 1/3 the same as 2/5": "No, 1/2 + 1/3 isn’t equal to 2/5.",
    "can you help me? i need 2/3 of 12 for my recipe": "2/3 of 12 is 8",
}


def lesson_on(slug: str) -> Stage:
    concept = Concept.objects.select_related("course").get(slug=slug)
    stage = Stage(people.make_person("ada", level="beginner"), concept)
    stage.open()
    return stage


def assert_solved(stage: Stage) -> None:
    waiting = stage.question
    for text, line in ASKED.items():
        came = stage.say(text)
        assert line in came.reply, text
        assert came.turn.decision["act"] == "calculation"
        assert came.cards("picture")
        assert stage.question == waiting


def test_without_a_topic() -> None:
    with unhurried(), counted_turns(3):
        assert_solved(Stage(people.make_person("ada")))


def test_beside_a_step_of_a_lesson() -> None:
    with unhurried(), counted_turns(3):
        assert_solved(lesson_on("one-half"))


def test_beside_a_question_of_a_placement() -> None:
    with unhurried(), counted_turns(3):
        stage = Stage(people.make_person("ada"))
        stage.say("I want to learn: Subtracting fractions")
        asks(stage, "How many legs do five horses have?", "20")
        assert_solved(stage)


def asks(stage: Stage, stem: str, answer: str) -> None:
    """Let the open question be another one."""
    assert stage.question is not None
    key = {**stage.question.key, "answer": key_to_json(NumericKey(value=answer))}
    Question.objects.filter(pk=stage.question.pk).update(stem=stem, key=key, kind="numeric")


@pytest.mark.parametrize(
    ("stem", "answer", "asked"),
    [
        ("Write 6/8 in its simplest form.", "3/4", "simplify 6/8"),
        ("Write 7/4 as a mixed number.", "1 3/4", "what is 7/4 as a mixed number?"),
        ("Which number is missing? 3/4 = ?/12", "9", "3/4 = ?/12"),
        ("Mia takes 2/3 of 12 eggs. How many are that?", "8", "what is 2/3 of 12"),
        ("What is 1/2 + 1/3?", "5/6", "is 1/2 + 1/3 the same as 4/6"),
    ],
)
def test_the_open_question_is_left_to_the_learner_in_all_conversations(stem: str, answer: str, asked: str) -> None:
    with unhurried(), counted_turns(3):
        stage = lesson_on("simplify")
        stage.say("quiz me")
        asks(stage, stem, answer)
        elsewhere = Stage(stage.person).say(asked)
        here: Any = stage.say(asked)
    assert "still have to answer this question" in elsewhere.reply
    assert here.turn.decision["act"] == "answer_demand"
    assert f"= {answer}" not in elsewhere.reply + here.reply
    assert here.reply
