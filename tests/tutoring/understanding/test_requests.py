"""A concept that is asked for without its name is found, and another subject is told from a vague wish."""

import pytest

from tests.tutoring.lessons.lesson_player import FRACTIONS
from tests.tutoring.understanding.contexts import course, lesson
from tutoring.courses.files.loader import read_course
from tutoring.understanding.analysis import analyse
from tutoring.understanding.classifiers import course_heads
from tutoring.understanding.context import Context
from tutoring.understanding.routing.topics import find_topic

LOBBY = Context(courses=(course(),))


@pytest.mark.parametrize(
    ("text", "concept"),
    [
        ("i want to learn how to put the fractions on the line", "number-line"),
        ("can we do minus with different bottoms", "subtract-unlike"),
        ("i wanna do the number line stuff", "number-line"),
        ("can I skip to subtracting", "subtract-unlike"),
        ("lets go back to the slices that are all the same size", "equal-parts"),
    ],
)
@pytest.mark.parametrize("context", [LOBBY, lesson("one-half")], ids=["lobby", "lesson"])
def test_a_concept_is_asked_for_without_its_name(text: str, concept: str, context: Context) -> None:
    assert [each.concept for each in analyse(text, context).names] == [concept]


@pytest.mark.parametrize("text", ["can we do long multiplication", "teach me about dinosaurs"])
def test_another_subject_is_told_from_a_vague_wish(text: str) -> None:
    assert analyse(text, lesson("one-half")).is_other_subject


@pytest.mark.parametrize(
    "text", ["can we do a different one", "can we not do this one", "lets do another thing", "3/4"]
)
def test_a_vague_wish_asks_for_no_other_subject(text: str) -> None:
    found = analyse(text, lesson("one-half"))
    assert not found.is_other_subject
    assert not any(each.is_sure for each in found.names)


def test_without_fitted_heads_any_unnamed_wish_is_another_subject(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tutoring.understanding.classifiers.questions.load_course_heads", lambda _course: None)
    assert analyse("can we do a different one", lesson("one-half")).is_other_subject


def test_a_question_label_is_read_back() -> None:
    assert course_heads.read_question_label(course_heads.question_label("one-half", 12)) == ("one-half", 12)


def test_a_topic_of_another_course_is_not_taken_for_one_that_is_missing() -> None:
    algebra = read_course(FRACTIONS.parent / "algebra-foundations").course
    found = find_topic("dividing fractions", (algebra, course()))
    assert found is not None
    assert (found.course.id, found.concept) == ("fractions", None)
