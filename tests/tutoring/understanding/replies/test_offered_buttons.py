"""The button of the last reply that a message means."""

import pytest

from tests.tutoring.lessons.lesson_player import fractions
from tutoring.understanding.analysis import analyse
from tutoring.understanding.context import Context
from tutoring.understanding.replies.offered_buttons import may_mean_button, meant_button

REASONS = (
    "It got smaller, because it is cut into more parts",
    "It got smaller, because 4 parts were taken away",
    "A hint, please",
)
LESSONS = ("Let’s start", "Start with The coordinate plane", "That’s enough for today")
HELP = ("A hint, please", "Show me an example")


@pytest.mark.parametrize(
    ("text", "offered", "meant"),
    [
        ("the first one", REASONS, REASONS[0]),
        ("i mean the 2nd", REASONS, REASONS[1]),
        ("the last one", REASONS, REASONS[1]),
        ("the third", LESSONS, LESSONS[2]),
        ("the coordinate one, not the baby one", LESSONS, LESSONS[1]),
        ("I would like to begin with the coordinate plane right away, please.", LESSONS, LESSONS[1]),
        ("nah numbers below zero is baby stuff, straight to the coordinate plane pls", LESSONS, LESSONS[1]),
        ("not the coordinate one", LESSONS, ""),
        ("what is the coordinate plane?", LESSONS, ""),
        ("the first one", HELP, ""),
        ("the first team made a mistake", REASONS, ""),
        ("the first one", (), ""),
    ],
)
def test_button_is_meant_by_its_place_or_its_words(text: str, offered: tuple[str, ...], meant: str) -> None:
    assert meant_button(text, offered) == meant
    assert not meant or may_mean_button(text)


@pytest.mark.parametrize("text", ["3/4", "because 8 is more", "word " * 20 + "first one"])
def test_other_messages_are_not_looked_up(text: str) -> None:
    assert not may_mean_button(text)


def test_message_is_quoted_and_not_the_button_that_it_means() -> None:
    course = fractions().course
    idea = course.misconceptions["bigger_bottom_bigger"]
    context = Context(course=course, offered=(idea.says, idea.correct_idea, "Neither"))
    (shown,) = analyse("the first one", context).misconceptions
    assert (shown.id, shown.quote) == (idea.id, "the first one")


@pytest.mark.parametrize(
    "text", ["i asked for unit fractions, i want to kill myself", "the first one, i want to kill myself"]
)
def test_danger_is_read_before_any_button(text: str) -> None:
    course = fractions().course
    found = analyse(text, Context(course=course, courses=(course,), offered=("It got smaller", "It got bigger")))
    assert found.concern is not None
    assert found.intent == "safety"
