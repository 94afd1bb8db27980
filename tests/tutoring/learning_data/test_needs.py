"""The tool `learning_needs`: who would benefit from what, by the mastery rows."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from agents.tools import ToolFailed
from tests import people
from tests.tutoring.class_helpers import agree, answer, make_class
from tests.tutoring.small_course import make_course
from tutoring.learning_data.needs import NeedsQuery, read_learning_needs
from tutoring.learning_data.tool import LearningTable
from tutoring.models import Concept, Mastery, Review

pytestmark = pytest.mark.django_db


@pytest.fixture
def school(ada: Any, ben: Any, grace: Any) -> Any:
    """Ada is low on one half; Ben has mastered equal parts, on which one half builds, and has not begun with it."""
    make_course()
    classroom = make_class(grace, ada, ben)
    answer(ada, "2", "2", "2", "2")
    master(ben, "equal_parts")
    return classroom


def master(person: Any, slug: str) -> Mastery:
    now = timezone.now()
    return Mastery.objects.create(
        learner=person, concept=Concept.objects.get(slug=slug), probability=0.99, answers=9, unassisted=9,
        templates=["a", "b", "c"], threshold=0.85, last_at=now, mastered_at=now,
    )  # fmt: skip


def read(person: Any, **fields: Any) -> LearningTable:
    return read_learning_needs(person, NeedsQuery(**fields))


def test_teacher_sees_who_would_benefit_from_what_and_why(school: Any, grace: Any, ada: Any) -> None:
    table = read(grace, question="Who in my class would benefit from what?")
    score = round(100 * (Mastery.objects.get(learner=ada).score or 0))
    (low, ready) = table.chart.rows
    assert low[:2] == ["Ada", "One half"]
    assert str(low[2]).startswith(f"{score}%, low since ")
    assert ready == ["Ben", "One half", "ready to start: has mastered Equal parts"]
    assert table.words.startswith(f"One half: Ada ({score}%, low since ")
    assert "Ada" not in table.model_dump_json()


def test_what_is_due_for_review_is_a_reason(school: Any, grace: Any, ben: Any) -> None:
    from fsrs import Card

    then = timezone.now() - timedelta(days=200)
    parts = Concept.objects.get(slug="equal_parts")
    card = Card(due=then, last_review=then, stability=3.0, difficulty=5.0).to_dict()
    Review.objects.create(learner=ben, concept=parts, card=card, due_at=then + timedelta(days=3), reviewed_at=then)
    rows = read(grace, concept="Equal parts").chart.rows
    assert ["Ben", "Equal parts", "mastered before, and now due for review"] in rows


def test_question_names_one_learner_or_one_concept(school: Any, grace: Any) -> None:
    assert [row[0] for row in read(grace, question="What would Ben benefit from?").chart.rows] == ["Ben"]
    assert read(grace, question="Who would benefit from equal parts?").chart.rows == []
    assert "nobody" in read(grace, question="Who would benefit from equal parts?").words


def test_agreement_is_kept(school: Any, grace: Any) -> None:
    agree(school, mastery="nothing")
    table = read(grace)
    assert table.chart.rows == []
    assert "teachers can’t see progress" in table.words


@pytest.mark.parametrize("role", ["learner", "teacher"])
def test_who_teaches_no_class_is_told_so(school: Any, role: str) -> None:
    with pytest.raises(ToolFailed, match="Only teachers"):
        read(people.make_person("mallory", role=role))


def test_limit_says_how_much_it_leaves_out(school: Any, grace: Any) -> None:
    assert read(grace, limit=1).chart.notes == ["These are 1 of 2 rows."]
