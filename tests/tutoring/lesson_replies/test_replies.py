"""What learners type to the pieces and contrast cases of Fractions, right and not, is told apart."""

import json
from functools import cache
from pathlib import Path

import pytest

from tutoring.courses.catalogue import ConceptContent, CourseContent, LessonPiece
from tutoring.courses.exercises.generator import make_exercise
from tutoring.courses.files.loader import parse_course
from tutoring.grading import grade
from tutoring.understanding.analysis import analyse
from tutoring.understanding.context import Context, Prompt
from tutoring.understanding.course_answers import find_answer_to
from tutoring.understanding.message_analysis import MessageAnalysis

HERE = Path(__file__).parent
REPLIES = tuple(map(json.loads, (HERE / "replies.jsonl").read_text(encoding="utf-8").splitlines()))
ANSWERS = tuple(map(json.loads, (HERE / "answers.jsonl").read_text(encoding="utf-8").splitlines()))
WRONG_IDEAS = tuple(map(json.loads, (HERE / "wrong_ideas.jsonl").read_text(encoding="utf-8").splitlines()))
FRACTIONS = HERE.parents[2] / "courses" / "fractions"
EVERY = 7
"""One line in so many is played, spread over all questions: `bench.understanding` judges more."""


@cache
def fractions() -> CourseContent:
    return parse_course(FRACTIONS)


def pieces_of(concept: ConceptContent) -> tuple[LessonPiece, ...]:
    return (*(piece for pieces in concept.pieces.values() for piece in pieces), *concept.examples)


def read(text: str, to: str) -> MessageAnalysis:
    """Read a reply to the piece, or to the contrast case of the misconception, of this id."""
    course = fractions()
    contrast = course.misconceptions.get(to)
    if contrast is not None:
        concept = next(each for each in course.concepts if each.id in contrast.concepts)
        blocks = contrast.contrast.blocks
    else:
        concept, blocks = next((c, p.blocks) for c in course.concepts for p in pieces_of(c) if p.id == to)
    words = " ".join(each for each in blocks if isinstance(each, str))
    asked = Prompt(id=to, kind="piece" if contrast is None else "contrast", text=words)
    return analyse(text, Context(course=course, concept=concept, prompts=(asked,)))


def verdict(text: str, to: str) -> str:
    found = read(text, to).answer_to(to)
    return found.verdict if found is not None else "none"


def test_no_wrong_reply_is_taken_for_a_right_one():
    wrong = [row for row in REPLIES if not row["said"]]
    assert [row for row in wrong[::EVERY] if verdict(row["text"], row["to"]) == "right"] == []


@pytest.mark.parametrize("text", ["why is it wrong", "but why is that not half?", "How come that is wrong? Why?"])
def test_question_why_is_no_reply(text):
    """Beside a case whose right answer is that something is wrong or not half."""
    assert read(text, "any_two_pieces_are_halves").answers == ()


def test_right_replies_are_recognised_and_hardly_ever_called_wrong():
    right = [row for row in REPLIES if row["said"]][::EVERY]
    judged = [verdict(row["text"], row["to"]) for row in right]
    assert judged.count("right") >= 0.7 * len(right)
    assert judged.count("wrong") <= 0.02 * len(right)


def test_wrong_ideas_are_heard_where_they_are_claimed_and_hardly_anywhere_else():
    course = fractions()
    found = {True: [0, 0], False: [0, 0]}
    for row in WRONG_IDEAS[::2]:
        first = pieces_of(course.concept(row["in"]))[0].id
        heard = {each.id for each in read(row["text"], first).misconceptions}
        counted = found[bool(row["idea"])]
        counted[0] += 1
        counted[1] += row["idea"] in heard if row["idea"] else bool(heard)
    (claimed, named), (others, false) = found[True], found[False]
    assert named >= 0.6 * claimed
    assert false <= 0.05 * others


def test_reply_with_a_question_mark_is_a_venture():
    assert not read("marks?", "nl-b-floats").wants("question_content")
    assert read("why?", "nl-b-floats").intent in ("question_content", "question_meta")


@pytest.mark.parametrize("taught", ["equal-parts", "unit-fractions", "simplify", "common-bottoms", "add-unlike"])
def test_a_question_about_another_concept_is_answered_from_there(taught: str):
    course = fractions()
    answer = find_answer_to("why is a third more than a quarter?", course=course, concept=course.concept(taught))
    assert answer is not None
    assert "parts" in answer.says


def test_an_answer_needs_more_than_a_word_of_the_question():
    course = fractions()
    assert find_answer_to("is there a sort of trick?", course=course, concept=course.concept("simplify")) is None


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
    judged = grade(make_exercise(template, seed=1, course=course).key, str(row["text"]))
    assert (judged.verdict == "correct") is row["right"], (judged.verdict, judged.missing, judged.reason)
