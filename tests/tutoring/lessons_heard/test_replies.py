"""What learners type to the pieces and contrast cases of Fractions, right and not, is told apart."""

import json
from functools import cache
from pathlib import Path

import pytest

from tutoring.courses.catalogue import Concept, Course, LessonPiece, Misconception
from tutoring.courses.generating import instance
from tutoring.courses.loading import parse_course
from tutoring.grading import grade
from tutoring.rules.listening import Heard, course_answer, hear

HERE = Path(__file__).parent
REPLIES = tuple(map(json.loads, (HERE / "replies.jsonl").read_text(encoding="utf-8").splitlines()))
ANSWERS = tuple(map(json.loads, (HERE / "answers.jsonl").read_text(encoding="utf-8").splitlines()))
WRONG_IDEAS = tuple(map(json.loads, (HERE / "wrong_ideas.jsonl").read_text(encoding="utf-8").splitlines()))
FRACTIONS = HERE.parents[2] / "courses" / "fractions"


@cache
def fractions() -> Course:
    return parse_course(FRACTIONS)


def pieces_of(concept: Concept) -> tuple[LessonPiece, ...]:
    return (*(piece for pieces in concept.pieces.values() for piece in pieces), *concept.examples)


def reply(to: str, text: str, *, begun: str = "") -> Heard:
    """Hear a reply to the piece, or to the contrast case of the misconception, of this id."""
    course = fractions()
    contrast = course.misconceptions.get(to)
    if contrast is not None:
        return hear(text, course=course, concept=_concept_of(contrast), contrast=contrast, begun=begun)
    concept, piece = next((c, p) for c in course.concepts for p in pieces_of(c) if p.id == to)
    return hear(text, course=course, concept=concept, piece=piece, begun=begun)


def _concept_of(misconception: Misconception) -> Concept:
    return next(concept for concept in fractions().concepts if concept.id in misconception.concepts)


@pytest.mark.parametrize("to", sorted({row["to"] for row in REPLIES}))
def test_replies_say_the_idea_or_do_not(to: str):
    heard = {row["text"]: (reply(to, row["text"]), row["said"]) for row in REPLIES if row["to"] == to}
    wrong = {text: found for text, (found, said) in heard.items() if (found.kind == "idea_said") is not said}
    assert wrong == {}


@pytest.mark.parametrize(
    ("to", "begun", "then", "kind"),
    [
        ("ep-b-ribbons", "top", "the pieces are all the same length", "idea_said"),
        ("ep-b-ribbons", "top", "hm", "other"),
        ("ep-b-ribbons", "top", "i dont know", "does_not_know"),
        ("bigger_bottom_bigger", "no", "1/10 is a small slice", "idea_said"),
        ("bigger_bottom_bigger", "no", "because", "other"),
        ("nl-b-phone", "make 5 steps", "then the dot goes on the third one", "idea_said"),
    ],
)
def test_what_was_said_in_part_counts_with_what_is_added(to: str, begun: str, then: str, kind: str):
    assert reply(to, begun).kind == "idea_partly"
    assert reply(to, then, begun=begun).kind == kind


def test_bare_choice_after_a_contrast_case_is_no_answer_to_the_open_card():
    course = fractions()
    contrast = course.misconceptions["part_to_part"]
    exercise = instance(course.concept("unit-fractions").templates[0], seed=1, course=course)
    found = hear("1/2", course=course, concept=_concept_of(contrast), contrast=contrast, question=exercise)
    assert (found.kind, found.owed, found.bare_answer) == ("idea_partly", "And why?", "")


def test_reply_with_a_question_mark_is_a_venture():
    assert reply("nl-b-floats", "marks?").kind == "other"
    assert reply("nl-b-floats", "why?").kind == "question"


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("8 is more than 5", False),
        ("because 8 is more than 5", True),
        ("8 is more than 5 so 1/8 is more", True),
        ("1/8, 8 is more than 5", True),
    ],
)
def test_comparing_whole_numbers_is_no_wrong_idea_until_something_is_concluded(text: str, claims: bool):
    course = fractions()
    heard = hear(text, course=course, concept=course.concept("compare-unit-fractions"))
    assert ("bigger_bottom_bigger" in {said.id for said in heard.said}) is claims


def test_of_several_answers_the_one_that_finds_most_of_the_question_is_given():
    answer = course_answer("why do we need mixed numbers?", concept=fractions().concept("mixed-numbers"))
    assert answer is not None
    assert answer.says.startswith("Mixed numbers are good for")


@pytest.mark.parametrize("taught", ["equal-parts", "unit-fractions", "simplify", "common-bottoms", "add-unlike"])
@pytest.mark.parametrize(
    "asked", ["Can you explain why 1/3 is bigger than 1/4?", "why is a third more than a quarter?"]
)
def test_a_question_about_another_concept_is_answered_from_there(taught: str, asked: str):
    course = fractions()
    heard = hear(asked, course=course, concept=course.concept(taught))
    assert heard.kind == "question"
    assert heard.answer is not None
    assert "share" in heard.answer.says


def test_an_answer_of_another_concept_needs_more_than_a_word_of_the_question():
    course = fractions()
    heard = hear("is there a sort of trick?", course=course, concept=course.concept("simplify"))
    assert heard.answer is None


def test_how_am_i_doing_is_a_question_where_a_reply_is_waited_for():
    course = fractions()
    concept = course.concept("simplify")
    heard = hear("how am I doing?", course=course, concept=concept, milestone=concept.milestones[0])
    assert heard.kind == "question"


def test_every_piece_has_a_right_reply_and_a_wrong_one():
    course = fractions()
    asked = {piece.id for concept in course.concepts for piece in pieces_of(concept)} | set(course.misconceptions)
    for said in (True, False):
        silent = asked - {row["to"] for row in REPLIES if row["said"] is said}
        assert silent <= {"cf-a-rule"}


@pytest.mark.parametrize("row", ANSWERS, ids=lambda row: f"{row['to']}: {row['text'][:40]}")
def test_an_answer_in_words_is_judged_as_a_teacher_would(row: dict[str, str | bool]):
    course = fractions()
    template = next(t for concept in course.concepts for t in concept.templates if t.id == row["to"])
    judged = grade(instance(template, seed=1, course=course).key, str(row["text"]))
    assert (judged.verdict == "correct") is row["right"], (judged.verdict, judged.missing, judged.reason)


@pytest.mark.parametrize("row", WRONG_IDEAS, ids=lambda row: f"{row['in']}: {row['text'][:40]}")
def test_a_wrong_idea_is_heard_where_it_is_claimed_and_nowhere_else(row: dict[str, str]):
    course = fractions()
    concept = next(concept for concept in course.concepts if concept.id == row["in"])
    heard = hear(row["text"], course=course, concept=concept, piece=pieces_of(concept)[0])
    claimed = {said.id for said in heard.said if said.in_lesson}
    assert row["idea"] in claimed if row["idea"] else not claimed
