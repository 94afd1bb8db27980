"""What one reading of a message finds, and what it leaves alone."""

import random
import string
import time
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tutoring.understanding.contexts import lesson
from tutoring.understanding.analysis import analyse
from tutoring.understanding.context import Context, Prompt
from tutoring.understanding.message_analysis import MessageAnalysis, analysis_from_json, analysis_to_json

TWO_PIECES = "any_two_pieces_are_halves"


def read(text: str, context: Context | None = None) -> MessageAnalysis:
    """Read a message said to the first piece of one half, where no other context is given."""
    return analyse(text, context or lesson("one-half"))


@pytest.mark.parametrize(
    "text",
    [
        "yes these two pieces are halves because there are two",
        "Yes becuase there are Two peices, both are halves",
        "they are halves, there are two pieces",
    ],
)
def test_a_wrong_idea_claimed_is_held_with_the_words_that_were_typed(text: str) -> None:
    (found,) = read(text).misconceptions
    assert found.id == TWO_PIECES
    assert found.quote in text


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("sorry I only have 10 minutes, is that enough", "duration"),
        ("I only have ten minutes. Is that enough?", "duration"),
        ("bye, I have to go in 5 minutes", ""),
        ("that's enough for today", ""),
        ("i need a break", ""),
    ],
)
def test_who_asks_whether_the_time_is_enough_does_not_say_goodbye(text: str, topic: str) -> None:
    assert read(text).system_topic == topic


def test_words_of_the_card_tell_of_no_feeling() -> None:
    said = "no mood is sleepy first"
    card = Prompt(id="q", kind="question", text='What does it show? mood = "sleepy"')
    assert "tired" in read(said).commands
    assert "tired" not in read(said, replace(lesson("one-half"), prompts=(card,))).commands


@pytest.mark.parametrize(
    "text",
    [
        "these are not halves",
        "they are two pieces, but they are not both halves",
        "these are not halves just because there are two",
        "saying these two pieces are halves is wrong",
        "are these two pieces halves?",
        "why are these two pieces halves",
        'my brother said "these two pieces are halves because there are two"',
        "what if these two pieces are halves",
        "i thought these two were halves, but one is bigger",
    ],
)
def test_a_wrong_idea_denied_quoted_or_asked_about_is_not_held_against_the_learner(text: str) -> None:
    assert read(text).misconceptions == ()


def test_a_question_says_no_idea_that_it_asks_about() -> None:
    found = read("do they have to be the same size?")
    assert (found.ideas, found.milestones) == ((), ())
    assert found.asks is not None


def test_true_sentence_with_the_word_of_a_topic_asks_for_no_topic() -> None:
    said = read("half of 8 is 4", lesson("equal-parts"))
    assert (said.names, [each.holds for each in said.claims]) == ((), [True])
    assert [each.concept for each in read("one half", lesson("equal-parts")).names] == ["one-half"]


@pytest.mark.parametrize("taught", ["fraction-of-quantity", "one-half", "number-line"])
@pytest.mark.parametrize(
    ("question", "about"),
    [
        ("what is the denominator of a fraction?", "unit-fractions"),
        ("what is an equivalent fraction of 1/2?", "equivalent"),
        ("how do you add unlike fractions of a cake?", "add-unlike"),
        ("what does the top of a mixed number mean?", "mixed-numbers"),
    ],
)
def test_question_is_answered_by_the_concept_it_is_about(taught: str, question: str, about: str) -> None:
    found = read(question, lesson(taught)).asks
    assert found is not None
    assert found.topic == about


@settings(max_examples=25, deadline=None)
@given(st.text(max_size=3_000))
def test_any_text_is_read_the_same_again(text: str) -> None:
    found = read(text)
    assert analysis_from_json(analysis_to_json(found)) == found == read(text)


def test_of_a_very_long_message_both_ends_are_read() -> None:
    rng = random.Random(5)
    noise = "".join(rng.choice(string.ascii_letters + " .,'?\"") for _ in range(9_000))
    assert read(noise + " i want to kill myself").concern is not None


@pytest.mark.parametrize(
    "text", ["these " * 2_000, "don't " * 1_700, '"' * 10_000, "(" * 10_000, "1/2 + " * 1_500, "i am so " * 1_300]
)
def test_hostile_repetition_costs_little_processor_time(text: str) -> None:
    """Bounded by processor time, many times what it takes, so that only a runaway pattern fails."""
    read("hello")
    started = time.process_time()
    read(text)
    assert time.process_time() - started < 1


def test_words_of_the_question_are_no_concern() -> None:
    """A scale that shows too much is no reason to ask whether somebody is well; the same words without it are."""
    said = "It is three pounds too much, however often I weigh myself."
    case = Prompt(
        id="scale",
        kind="contrast",
        text="A bathroom scale shows 3 pounds too much. You weigh yourself 500 times. By how many pounds is the mean too high?",
    )
    assert read(said, replace(lesson("one-half"), prompts=(case,))).concern is None
    assert read("i weigh myself ten times a day", replace(lesson("one-half"), prompts=(case,))).concern is not None
    assert read("i want to die", replace(lesson("one-half"), prompts=(case,))).concern is not None


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("is there somebody who sees my answers?", True),
        ("and who reads what i write", True),
        ("it is like an art student who looks at many paintings", False),
    ],
)
def test_who_sees_is_asked_and_not_told_of_somebody(text: str, asks: bool) -> None:
    assert ("who_sees" in analyse(text).commands) is asks
