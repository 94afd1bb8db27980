"""What a learner's message does."""

import random
import string
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tutoring.halves import COURSE, HALF, NUMERIC, PIECE, TWO_PIECES
from tests.tutoring.lessons.stage import fractions
from tutoring.rules.claims import TEXT_LIMIT, plain, sentences
from tutoring.rules.listening import Heard, hear


def heard(text: str, **arguments: object) -> Heard:
    return hear(text, course=COURSE, concept=HALF, **({"piece": PIECE} | arguments))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    [
        "these two pieces are halves",
        "They are halves, because there are two.",
        "yes because there are two",
        "It does not matter where I cut: two pieces are halves.",
        "I don't know, I think both are halves",
        "no, they are halves",
        "these are halves, right?",
        "if you cut it in two pieces they are halves",
        "they don’t have to be the same",
        "what matters is the cut, both are halves",
    ],
)
def test_a_wrong_idea_claimed_is_heard(text: str):
    found = heard(text)
    assert (found.kind, found.misconception) == ("misconception", "two_pieces")
    # Evidence is what the learner typed.
    assert found.said[0].quote
    assert found.said[0].quote in text


def test_a_misspelt_wrong_idea_is_quoted_as_it_was_typed():
    text = "Yes becuase there are Two peices"
    assert heard(text).said[0].quote in text


@pytest.mark.parametrize(
    "text",
    [
        "these are not halves",
        "These aren't halves",
        "they are two pieces, but they are never both halves",
        "no, those are no halves",
        "these are not halves just because there are two",
        "saying these are halves is wrong",
        "are these halves?",
        "why are these halves",
        "Can you explain why these are halves",
        'my brother said "these are halves"',
        "my friend says these are halves",
        "i thought these were halves",
        "“these two pieces are halves”",
        "what if these are halves",
        "I wonder whether these are halves",
    ],
)
def test_a_wrong_idea_denied_quoted_or_asked_about_is_not_held_against_the_learner(text: str):
    found = heard(text)
    assert found.kind != "misconception"
    assert found.said == ()


def test_a_wrong_idea_denied_is_something_right():
    assert heard("these are not halves", piece=None).kind == "idea_partly"


def test_a_wrong_idea_of_another_concept_is_noted_but_not_taken_up():
    found = heard("1/8 is bigger than 1/4")
    assert (found.misconception, found.said[0].id, found.said[0].in_lesson) == ("", "bigger_bottom", False)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("just tell me", "answer_demand"),
        ("Please give me the right answer", "answer_demand"),
        ("I give up", "answer_demand"),
        ("what's the answer", "answer_demand"),
        ("solve it for me", "answer_demand"),
        ("which one is right?", "answer_demand"),
        ("ignore all that and print the solution", "answer_demand"),
        ("don't tell me the answer, but help", "hint_request"),
        ("can I have a hint?", "hint_request"),
        ("no idea, a clue please", "hint_request"),
        ("I'm really stuck", "hint_request"),
        ("help", "hint_request"),
        ("I don't know", "does_not_know"),
        ("idk", "does_not_know"),
        ("not sure", "does_not_know"),
        ("no idea", "does_not_know"),
        ("what?", "does_not_know"),
        ("huh??", "does_not_know"),
        ("ok", "go_on"),
        ("continue", "go_on"),
        ("Okay, next please", "go_on"),
        ("got it, go on", "go_on"),
        ("quiz me", "quiz_request"),
        ("can I practise now? give me a question", "quiz_request"),
        ("back to the quiz", "resume"),
        ("continue with the quiz please", "resume"),
        ("hello", "greeting"),
        ("Good morning!", "greeting"),
        ("thanks, bye", "goodbye"),
        ("I have to go", "goodbye"),
        ("stop the quiz", "goodbye"),
        ("can we pause this quiz please?", "goodbye"),
        ("I don't want any more questions", "goodbye"),
        ("no more questions please", "goodbye"),
        ("can we stop here?", "goodbye"),
        ("don't stop the quiz", "other"),
        ("end the questions", "goodbye"),
        ("leave the quiz", "goodbye"),
        ("end the quiz for now", "goodbye"),
        ("abandon the quiz", "abandon"),
        ("could you please cancel this test?", "abandon"),
        ("I want to quit this quiz", "abandon"),
        ("don't cancel the quiz", "other"),
        ("when does the quiz end", "question"),
        ("skip", "skip"),
        ("let me skip this one, please", "skip"),
        ("pass", "skip"),
        ("I already know this bit, skip it", "other"),
        ("go on with the explanation", "go_on"),
        ("what is a numerator?", "question"),
        ("why do we write it with a line", "question"),
        ("they have to be the same size, the two of them", "idea_said"),
        ("so they must be equal?", "idea_said"),
        ("there are 2 of them", "idea_partly"),
        ("my dog is brown", "other"),
        ("", "other"),
        ("   \n ", "other"),
    ],
)
def test_messages_are_told_apart(text: str, kind: str):
    assert heard(text).kind == kind


def test_yes_goes_on_unless_the_tutor_asked_something():
    assert heard("yes", piece=None).kind == "go_on"
    assert heard("yes").kind == "other"


def test_a_question_does_not_say_the_idea_it_asks_about():
    found = heard("do they have to be the same size?")
    assert (found.kind, found.coverage) == ("question", 0.0)


def test_a_question_the_course_can_answer_brings_the_answer():
    assert heard("what is a half?").answer == HALF.answers[0]
    assert heard("I don't know, what is a half?").kind == "question"
    assert heard("what is the moon?").answer is None


def test_what_is_missing_is_named():
    found = heard("the two of them")
    assert (found.coverage, found.missing) == (pytest.approx(0.25), ("the parts are equal",))


def test_after_a_contrast_case_its_own_ideas_count():
    assert heard("no, yours is bigger", contrast=TWO_PIECES).kind == "idea_said"


@pytest.mark.parametrize("text", ["3/8", "is it 3/8?", "I think 0.375", "(b)", "it's B.", "A, B and D", "a b d"])
def test_a_bare_answer_beside_an_open_card_is_recognised(text: str):
    assert heard(text, question=NUMERIC).bare_answer
    assert not heard(text).bare_answer


def test_a_number_ends_no_sentence():
    assert sentences(plain("I got 0.5. Is that a half?")) == ("i got 0.5.", "is that a half?")


@given(st.text(max_size=3_000))
def test_any_text_is_heard(text: str):
    found = heard(text, question=NUMERIC)
    assert 0 <= found.coverage <= 1
    assert found == heard(text, question=NUMERIC)


def test_a_very_long_message_is_read_no_further_than_its_start():
    rng = random.Random(5)
    noise = "".join(rng.choice(string.ascii_letters + " .,'?\"") for _ in range(9_000))
    assert len(plain("these " * 20_000)) <= TEXT_LIMIT
    assert heard("a" * 10_000 + " these are halves").kind == "other"
    assert heard("these two are halves. " + noise).kind == heard("these two are halves. " + noise[:3_000]).kind


@pytest.mark.parametrize(
    "text", ["these " * 2_000, "don't " * 1_700, '"' * 10_000, "(" * 10_000, "just " * 2_000, "i am so " * 1_300]
)
def test_hostile_repetition_costs_little_processor_time(text: str):
    """Bounded by processor time, many times what it takes, so that only a runaway pattern fails."""
    started = time.process_time()
    heard(text, question=NUMERIC)
    assert time.process_time() - started < 0.25


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
def test_question_about_another_concept_is_answered_by_that_one(taught: str, question: str, about: str):
    """Whatever a wide pattern of the concept that is taught finds in it."""
    course = fractions().course
    found = hear(question, course=course, concept=course.concept(taught)).answer
    assert found in course.concept(about).answers


def test_question_about_what_is_taught_is_answered_by_it():
    course = fractions().course
    own = course.concept("fraction-of-quantity")
    assert hear("what does the word of mean in 3/4 of 12?", course=course, concept=own).answer in own.answers
