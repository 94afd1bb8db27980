"""Imported hints are the rungs of an exercise; those that give the answer away come with its solution."""

from typing import Any

import pytest

from tests.tutoring.course_imports.import_helpers import oatutor_file
from tutoring.course_imports.drafts import draft_course
from tutoring.course_imports.exercises import exercise_entry, with_usable_hints
from tutoring.course_imports.files import read_file
from tutoring.course_imports.questions import ImportedQuestion, Scaffold

ANSWER = "That makes $$21$$."


def hint(text: str, answer: str = "", **given: Any) -> dict[str, Any]:
    return {"title": text[:4], "text": text, "hintAnswer": [answer] if answer else []} | given


def entry_of(*hints: dict[str, Any]) -> dict[str, Any]:
    (question,) = read_file("steps.jsonl", oatutor_file({"hints": hints})).questions
    return exercise_entry(question, exercise="one", concept="sums")


def texts(entry: dict[str, Any]) -> list[str]:
    """Return the first words of each hint, "-" where it is a general one."""
    rungs = [
        next(rung[key] for key in ("focus", "principle", "ask", "example") if key in rung)
        for rung in entry["hints"][:4]
    ]
    general = [
        next(rung[key] for key in ("focus", "principle", "ask", "example") if key in rung)
        for rung in entry_of()["hints"][:4]
    ]
    return ["-" if said == usual else said for said, usual in zip(rungs, general, strict=True)]


def test_hints_come_one_at_a_time_and_the_answer_with_the_solution() -> None:
    entry = entry_of(hint("Look."), hint("Think."), hint("Begin."), hint("Go on."), hint(ANSWER))

    assert texts(entry) == ["Look.", "Think.", "Begin.", "Go on."]
    assert entry["solution"] == ["The right answer: 21", "That makes $21$."]


def test_more_than_four_hints_share_the_fourth_rung() -> None:
    assert texts(entry_of(*(hint(f"Hint {name}.") for name in "abcde")))[3] == "Hint d.\n\nHint e."


def test_a_hint_with_a_question_of_its_own_is_asked_on_the_third_rung_where_the_order_allows() -> None:
    entry = entry_of(hint("Look."), hint("What is half of ten?", "$$5$$"), hint("Go on."), hint(ANSWER))

    assert texts(entry) == ["Look.", "-", "What is half of ten?", "Go on."]
    assert entry["hints"][2]["answer"] == "$5$"


def test_hints_keep_their_order_where_a_question_among_them_comes_too_early_to_be_asked() -> None:
    entry = entry_of(hint("What is half?", "5"), hint("Look."), hint("Think."))

    assert texts(entry) == ["What is half?", "Look.", "Think.", "-"]


def test_the_options_of_a_smaller_question_are_part_of_it() -> None:
    assert (
        texts(entry_of(hint("Which sign?", "plus", choices=["plus", "minus"])))[2] == "Which sign?\n\n- plus\n- minus"
    )


def test_a_smaller_question_whose_answer_is_the_answer_comes_with_the_solution() -> None:
    entry = entry_of(hint("Look."), hint("And what is the sum?", "$$21$$"))

    assert texts(entry) == ["Look.", "-", "-", "-"]
    assert entry["solution"][1:] == ["And what is the sum?"]


def test_a_hint_with_an_accepted_word_gives_the_answer_away() -> None:
    question = ImportedQuestion(
        name="a", kind="text", stem="They need?", accepted=("warmth",), hints=("It is Warmth.", "Sun.")
    )

    entry = exercise_entry(question, exercise="one", concept="seeds")

    assert texts(entry)[0] == "Sun."
    assert entry["solution"][1:] == ["It is Warmth."]


@pytest.mark.parametrize(("text", "kept"), [("So 20 + 2 = 21.", ()), ("Count on.", ("Count on.",))])
def test_only_hints_that_the_exercise_has_are_counted(text: str, kept: tuple[str, ...]) -> None:
    question = ImportedQuestion(name="a", kind="numeric", stem="What is 1 + 20?", accepted=("21",), hints=(text,))

    assert with_usable_hints(question).hints == kept


def test_a_draft_counts_its_hints_and_keeps_smaller_questions() -> None:
    steps = oatutor_file({"hints": [hint("Half of ten?", "5"), hint(ANSWER)]}, {}, {})

    draft = draft_course([("steps.jsonl", steps)])

    assert draft.hints == 2
    assert draft.topics[0].questions[0].hints[0] == Scaffold(ask="Half of ten?", answer="5")
