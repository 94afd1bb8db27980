"""What learners are told who choose a wrong option: in the form, in files, and on the card."""

import uuid
from typing import Any

import pytest

from tests.people import make_person
from tests.tutoring.course_writing.draft_helpers import CHOICE, small_course, with_exercise
from tutoring.course_imports.exercises import exercise_entry
from tutoring.course_imports.questions import ImportedQuestion, Option
from tutoring.course_writing.exercise_check import check_exercise
from tutoring.course_writing.exercise_values import entry_of
from tutoring.course_writing.exercises import draft_exercises
from tutoring.course_writing.publishing import publish_course
from tutoring.course_writing.versions import create_draft
from tutoring.courses.exercises import serialization
from tutoring.courses.exercises.generator import make_exercise
from tutoring.models import Attempt, Concept, Question
from tutoring.pages.cards.feedback import choice_reply

TOLD = {**CHOICE, "stem": "Which one is even?", "says-A": "Share 7 sweets fairly.", "says-C": "No, 8 is."}


def test_a_reply_to_the_right_option_is_a_fault() -> None:
    entry = entry_of({**TOLD, "says-B": "Yes."}, kept={"id": "x", "concept": "even-numbers"})
    found = check_exercise(small_course(), "even-numbers", entry, place="exercise")
    assert found.faults == (("says-B", "This option is right. Only wrong options can have a reply."),)


def test_an_imported_option_keeps_its_feedback() -> None:
    options = (Option(text="Root", is_right=True, feedback="Yes."), Option(text="Leaf", feedback="Look below."))
    entry = exercise_entry(
        ImportedQuestion(name="1", kind="choice", stem="What grows first?", options=options), exercise="q", concept="c"
    )
    assert entry["choices"] == {"A": "Root", "B": {"text": "Leaf", "says": "Look below."}}
    assert entry["solution"] == ["The right answer: Root", "Root: Yes."]


@pytest.mark.django_db
def test_who_chooses_it_is_told_unless_it_gives_the_open_answer_away(settings: Any, tmp_path: Any) -> None:
    settings.DATA_DIR = tmp_path
    grace = make_person("grace", role="teacher")
    files = with_exercise(small_course(), "even-numbers", TOLD)
    course = publish_course(create_draft(grace, files, message="New"), by=grace)
    content = course.catalogue()
    name = draft_exercises(files, "even-numbers")[-1]["id"]
    made = make_exercise(content.template(name), seed=1, course=content)
    fields = serialization.exercise_to_json(made)
    letters = {choice.text: choice.letter for choice in made.choices}
    question = Question.objects.create(
        pk=uuid.uuid4(), learner=grace, concept=Concept.objects.get(slug="even-numbers"), **fields
    )

    def told(text: str) -> str:
        attempt = Attempt(question=question, answer=letters[text], correct=text == "8", verdict="wrong", score=0.0)
        return choice_reply(attempt, question)

    assert question.instance() == made
    assert "Share 7 sweets" not in str(fields["public"])
    assert (told("7"), told("8"), told("9")) == ("Share 7 sweets fairly.", "", "")
    question.status = Question.Status.ANSWERED
    assert told("9") == "No, 8 is."
