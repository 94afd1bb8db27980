"""Questions about the system are told from questions about the lesson, in words that no reference wording has."""

import pytest
import yaml

from tutoring.roles.explanation.system_answer_texts import SYSTEM_ANSWERS
from tutoring.understanding.message import make_message
from tutoring.understanding.system_questions import NONE, WORDINGS, find_system_question


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("what is the price of this?", "cost"),
        ("can I use my phone for this tonight?", "device"),
        ("has my progress been saved?", "saved"),
        ("can i do it all with the keyboard", "keyboard"),
        ("how much time will it take?", "duration"),
        ("how long will the course take me", "duration"),
        ("who programmed you?", "makers"),
        ("do you have a cat?", "self"),
        ("can you tell me a joke", "unable"),
        ("ok I'm here again", "back"),
        ("what comes after this one?", "next"),
        ("so why was my answer wrong?", "verdict"),
        ("what does this picture show?", "picture"),
        ("could you please repeat the question?", "repeat"),
        ("could you give me that in short", "shorter"),
        ("do I understand this or did I just learn it by heart?", "memorised"),
        ("How many minutes until I reach my goal?", "way_length"),
        ("Did I reach my goal?", "goal_reached"),
        ("i'm 52, is it made for children?", "audience"),
        ("Why cut a ribbon? I am 52. Is this for children?", "audience"),
        ("i left that one out before, can i answer it now", "skipped_step"),
        ("do i need to learn this to work in a bakery?", "use"),
        ("why does all this matter in my life?", "use"),
        ("will you help me do my homework", "homework"),
        ("that isn't what i asked you", "misunderstood"),
    ],
)
def test_what_of_the_system_is_asked_about(text: str, topic: str) -> None:
    assert find_system_question(make_message(text))[0] == topic


@pytest.mark.parametrize(
    "text",
    [
        "how long is the longer piece?",
        "3/4",
        "why are the parts not equal?",
        "i took the smaller one",
        "ask me another",
        "we did not have that at school",
        "i am ten",
        "how far am I on my way?",
        "",
        "🙂",
    ],
)
def test_what_is_about_the_lesson_is_no_such_question(text: str) -> None:
    assert find_system_question(make_message(text))[0] == ""


def test_every_topic_has_an_answer_in_and_outside_of_a_lesson() -> None:
    topics = set(yaml.safe_load(WORDINGS.read_text(encoding="utf-8"))) - {NONE}
    answered = {topic.removesuffix(" without lesson") for topic in SYSTEM_ANSWERS}
    assert topics == answered
