"""What a message does, in the five words of the API."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conversations.turns.handler import Intent
from tutoring.dialogue.message_intents import LONGEST, intent_of
from tutoring.lesson.acts import Act


@pytest.mark.parametrize(
    ("text", "act", "intent"),
    [
        ("hello", "greeting", "greeting"),
        ("Hello there!", "", "greeting"),
        ("hi everyone", "", "greeting"),
        ("hello, what is a half?", "question", "question"),
        ("bye", "goodbye", "goodbye"),
        ("ok thanks, see you tomorrow", "thanks", "goodbye"),
        ("Thanks, bye!", "", "goodbye"),
        ("What is a half?", "question", "question"),
        ("why", "question", "question"),
        ("is 1/2 bigger than 1/3", "question", "question"),
        ("2 + 3", "calculation", "question"),
        ("Explain halves", "question", "request"),
        ("Can you show me a picture?", "other_picture", "request"),
        ("I want to learn fractions", "other", "request"),
        ("hint", "hint_request", "request"),
        ("next please", "go_on", "request"),
        ("3/4", "idea_said", "statement"),
        ("the parts must be equal", "idea_said", "statement"),
        ("I am tired", "feeling", "statement"),
        ("goodness, that is hard", "feeling", "statement"),
        ("", "", "statement"),
    ],
)
def test_message_does_what_its_words_and_its_act_say(text: str, act: Act, intent: Intent) -> None:
    assert intent_of(text, act) == intent


@given(text=st.text(max_size=300), act=st.sampled_from(get_args(Act)))
def test_every_message_does_one_of_five_things(text: str, act: Act) -> None:
    assert intent_of(text, act) in get_args(Intent)


@pytest.mark.parametrize("text", ["ok " * 4_000, "please, " * 4_000, "hello " * 4_000 + "x", "thanks, " * 4_000 + "?"])
def test_only_the_beginning_of_a_long_message_is_read(text: str) -> None:
    assert intent_of(text, "") == intent_of(text[:LONGEST], "")
