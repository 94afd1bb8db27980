"""Questions about the subject are answered by the course, in words that it does not have."""

from dataclasses import replace

import pytest

from tests.tutoring.understanding.contexts import course, lesson
from tutoring.courses.catalogue import CourseAnswer
from tutoring.courses.exercises.exercise import Exercise
from tutoring.grading import numeric_key
from tutoring.understanding.analysis import analyse
from tutoring.understanding.context import Prompt
from tutoring.understanding.course_answers import find_explained_topic, find_frequent_question, find_nearest_idea
from tutoring.understanding.lesson_sentences import find_nearest_sentence
from tutoring.understanding.message_analysis import ConcernSignal


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("could zero be a fraction too?", "0/4"),
        ("what does striped mean here?", "marked with stripes"),
        ("are negative fractions a thing?", "negative"),
        ("can a calculator show me fractions?", "good for checking"),
        ("why should I learn fractions at all?", "half an hour"),
    ],
)
def test_it_is_answered_from_the_course(text: str, told: str) -> None:
    found = find_frequent_question(text, course=course())
    assert found is not None
    concept, place, _probability = found
    assert told in course().concept(concept).answers[place].says


def test_a_calculator_is_asked_for_of_the_program() -> None:
    assert analyse("may i take a calculator for this?", lesson("one-half")).system_topic == "tools_allowed"


@pytest.mark.parametrize("text", ["", "?", "what do you mean", "give me a hint", "the left one", "why?", "word " * 30])
def test_other_messages_ask_none_of_them(text: str) -> None:
    asks = analyse(text, lesson("one-half")).asks
    assert asks is None or not asks.probability


@pytest.mark.parametrize(
    "text",
    [
        "What is interleaving, and why does it help?",
        "how does backpropagation work",
        "why do we forget things we learned",
        "compare a tuple and a list",
    ],
)
def test_questions_about_other_subjects_have_no_answer_in_the_course(text: str) -> None:
    assert find_frequent_question(text, course=course()) is None


@pytest.mark.parametrize(
    ("text", "concept", "idea"),
    [
        ("cut a rope in two and each piece is a half, whatever the size", "one-half", "any_two_pieces_are_halves"),
        ("when there are more slices every slice gets tinier", "compare-unit-fractions", "bigger_bottom_bigger"),
        ("my grandfather keeps bees in the garden", "one-half", ""),
        ("it is bigger", "one-half", ""),
    ],
)
def test_a_statement_is_about_an_idea(text: str, concept: str, idea: str) -> None:
    assert find_nearest_idea(text, course=course(), concept=course().concept(concept)) == idea


def test_a_sentence_of_the_course_on_an_idea_is_taken_at_its_word() -> None:
    idea = course().misconceptions["bigger_bottom_bigger"]
    [wrong] = analyse(idea.says, lesson("compare-unit-fractions")).misconceptions
    assert (wrong.id, wrong.quote) == (idea.id, idea.says)
    because = analyse(f"{idea.says.rstrip('.')} because 8 is more than 4", lesson("compare-unit-fractions"))
    assert [each.id for each in because.misconceptions] == [idea.id]
    denied = analyse(f"{idea.says.rstrip('.')} is what my sister says but its wrong", lesson("compare-unit-fractions"))
    assert denied.intents != because.intents
    right = analyse(idea.correct_idea, lesson("compare-unit-fractions"))
    assert (right.misconceptions, right.commands) == ((), ("meant_same",))


def test_what_can_be_checked_is_not_compared() -> None:
    assert not analyse("1/5 + 2/5 = 3/10", lesson("add-like")).nearest_idea
    assert not analyse("7/8 - 7/8 is nothing", lesson("subtract-like")).misconceptions


def test_a_question_with_a_true_claim_in_it_is_asked_and_answers_nothing() -> None:
    found = analyse("how is 1/8 smaller than 1/4 when 8 is bigger", lesson("one-half"))
    assert not found.answers
    assert found.asks is not None
    assert found.asks.topic == "compare-unit-fractions"


def test_what_is_asked_in_the_sound_of_an_idea_is_a_question() -> None:
    found = analyse("what do i gain from the simplest form, it stays equal anyway", lesson("simplify"))
    assert found.asks is not None
    assert "why_asked" not in found.commands


def test_a_wording_of_the_course_counts_before_a_pattern() -> None:
    asks = analyse("can the bottom be zero?", lesson("add-like")).asks
    assert asks is not None
    assert asks.answer is not None
    assert "never be zero" in course().concept(asks.topic).answers[asks.answer].says


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("explain attention to me from the start please", "attention"),
        ("can you explain what a half is", "a half"),
        ("explain the softmax thing again in simple words", "the softmax thing"),
        ("explain it again", ""),
        ("Explain that, please", ""),
        ("show me an example", ""),
    ],
)
def test_what_is_to_be_explained(text: str, topic: str) -> None:
    assert find_explained_topic(text) == topic


def test_a_wish_for_an_explanation_is_a_question_of_the_course() -> None:
    asks = analyse("can you explain what a half is", lesson("one-half")).asks
    assert asks is not None
    assert (asks.topic, asks.probability > 0) == ("one-half", True)


def test_a_question_in_one_of_several_sentences_is_found() -> None:
    asks = analyse("whats a half? my sister says its anything cut in two", lesson("one-half")).asks
    assert asks is not None
    assert asks.topic == "one-half"
    assert asks.answer is not None


def test_the_start_of_the_course_names_its_first_concept() -> None:
    for text in ("I want to go back to the start of the course", "can we do the first topic again"):
        (named,) = analyse(text, lesson("one-half")).names
        assert (named.concept, named.is_sure) == ("equal-parts", True)


def test_an_unsure_sign_of_danger_in_an_idea_of_the_subject_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    found = ConcernSignal(kind="harm_to_self", confidence=0.97, is_sure=False)
    monkeypatch.setattr("tutoring.understanding.concerns.detector.find_concern", lambda _text: found)
    said = "when there are more slices every slice gets tinier"
    assert analyse(said, lesson("compare-unit-fractions")).concern is None
    assert analyse("nobody would even notice", lesson("compare-unit-fractions")).concern == found
    sure = ConcernSignal(kind="harm_to_self", confidence=0.9)
    monkeypatch.setattr("tutoring.understanding.concerns.detector.find_concern", lambda _text: sure)
    assert analyse(said, lesson("compare-unit-fractions")).concern == sure


def test_the_same_question_in_two_concepts_is_that_of_the_concept_taught() -> None:
    answer = CourseAnswer(says="A part of the whole.", wordings=("what is a share",))
    two = replace(
        course(), concepts=tuple(replace(each, answers=(answer,)) for each in course().concepts[:2]), wordings_key=""
    )
    first, second = (each.id for each in two.concepts)
    assert find_frequent_question("whats a share?", course=two) == (first, 0, 1.0)
    assert find_frequent_question("whats a share?", course=two, here=second) == (second, 0, 1.0)


def test_a_reason_is_asked_for_and_no_sum() -> None:
    why = analyse("why is 1/8 smaller than 1/4? 8 is more than 4", lesson("compare-unit-fractions"))
    assert why.asks is not None
    assert why.asks.answer is not None
    assert why.intent != "calculate"
    assert not analyse("is 1/8 smaller than 1/4", lesson("compare-unit-fractions")).asks_what_course_answers


def test_a_long_question_with_a_number_in_it_is_no_wrong_answer() -> None:
    asked = Exercise(
        template="t", seed=1, concept="equal-parts", kind="numeric", difficulty="easy", stem="How many parts are there?",
        key=numeric_key("2"), hints=("",) * 5, solution=("",),
    )  # fmt: skip
    prompt = Prompt(id="q1", kind="question", text=asked.stem, instance=asked)
    context = replace(lesson("equal-parts"), prompts=(prompt,), waits=True)
    assert not analyse("so you could also have three equal parts?", context).answers
    assert [each.verdict for each in analyse("is it 3?", context).answers] == ["wrong"]


def test_an_objection_is_no_right_reply_in_own_words() -> None:
    asked = Prompt(id="oh-b-sandwich", kind="piece", text="Would you call each piece a half, and how do you know?")
    context = replace(lesson("one-half"), prompts=(asked,), waits=True)
    reply = "no, because one piece is bigger than the other"
    assert [each.verdict for each in analyse(reply, context).answers] == ["right"]
    assert [each.verdict for each in analyse(f"i dont get it, {reply}", context).answers] == ["none"]


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("so you need less cuts than you get pieces of the ribbon", "one fewer cut"),
        ("my grandma has a red car", ""),
        ("hm", ""),
    ],
)
def test_the_nearest_sentence_of_the_lesson_is_found(text: str, held: str) -> None:
    found = find_nearest_sentence(text, course=course(), concept=course().concept("equal-parts"))
    assert (held in found) if held else not found
