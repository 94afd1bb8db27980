"""Questions in plain words, as queries over learning data."""

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import people
from tests.tutoring.class_helpers import make_class
from tests.tutoring.small_course import make_course
from tutoring.learning_data.queries import FIRST_DAY, LearningQuery
from tutoring.learning_data.questions import query_in, since_in

TODAY = date(2026, 11, 18)
"""A Wednesday."""


@pytest.fixture
def school(db: None, ada: Any, ben: Any, grace: Any) -> Any:
    make_course()
    return make_class(grace, ada, ben)


def asked(text: str, person: Any) -> LearningQuery:
    query = query_in(text, person, today=TODAY)
    assert query is not None
    return query


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        (
            "Who in my class struggles with equal parts, and since when?",
            {"what": "mastery", "concept": "Equal parts", "class_name": "4b", "sort": "lowest", "by": "", "since": None},
        ),
        ("Which pupils got wrong answers on one half this week?", {"what": "answers", "concept": "One half", "class_name": "4b", "since": date(2026, 11, 16)}),
        ("What misconceptions does my class have per concept?", {"what": "misconceptions", "class_name": "4b", "by": "concept"}),
        ("How many minutes did each pupil practise in the last two weeks?", {"what": "time", "class_name": "4b", "by": "learner", "since": date(2026, 11, 4)}),
        ("How has Ada's mastery of equal parts developed over time?", {"what": "mastery", "learner": "Ada", "class_name": "4b", "by": "week"}),
        ("Which concepts are hard for class 4b? They struggle.", {"what": "mastery", "class_name": "4b", "by": "concept", "sort": "lowest"}),
        ("Show the 5 best learners by mastery", {"what": "mastery", "sort": "highest", "limit": 5, "class_name": "4b"}),
        ("Which reviews are due for my class?", {"what": "reviews", "class_name": "4b"}),
        ("How am I doing with my own progress?", {"what": "mastery", "class_name": "", "learner": ""}),
    ],
)  # fmt: skip
def test_teachers_question_becomes_a_query(school: Any, grace: Any, text: str, fields: dict[str, Any]) -> None:
    query = asked(text, grace).model_dump()
    assert {name: query[name] for name in fields} == fields


def test_learners_question_about_a_class_is_one_about_the_learner(school: Any, ada: Any) -> None:
    query = asked("Who in my class struggles with equal parts, and since when?", ada)
    assert (query.class_name, query.learner, query.concept) == ("", "", "Equal parts")


def test_name_of_somebody_elses_class_is_not_found_in_a_question(school: Any, db: None) -> None:
    stranger = people.make_person("mallory", role="teacher")
    query = asked("Who struggles in class 4b?", stranger)
    assert query.class_name == ""


def test_teacher_of_several_classes_asks_about_all_until_one_is_named(school: Any, grace: Any) -> None:
    from tutoring.classes import membership

    membership.make_class(grace, "Owls", code="owls")
    assert asked("Who struggles with equal parts?", grace).class_name == "all"
    assert asked("Who struggles with equal parts in the Owls?", grace).class_name == "owls"


@pytest.mark.parametrize(
    "text", ["Was the invention of the fraction more useful than zero? Discuss.", "", "Tell me a story"]
)
def test_question_about_something_else_is_no_query(school: Any, grace: Any, text: str) -> None:
    assert query_in(text, grace, today=TODAY) is None


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("since 3 november", date(2026, 11, 3)),
        ("since november 3rd, 2025", date(2025, 11, 3)),
        ("since the 1st of december", date(2025, 12, 1)),
        ("since may", date(2026, 5, 1)),
        ("from 2026-11-09 on", date(2026, 11, 9)),
        ("since 31 february", None),
        ("this month", date(2026, 11, 1)),
        ("in the past 10 days", date(2026, 11, 8)),
        ("yesterday", date(2026, 11, 17)),
        ("since when", None),
    ],
)
def test_day_since_when(words: str, day: date | None) -> None:
    assert since_in(words, today=TODAY) == day


def test_a_thousand_years_ago_is_as_early_as_a_query_can_be(school: Any, grace: Any) -> None:
    assert asked("mastery in the last 999 years", grace).since == FIRST_DAY


CUES = st.sampled_from(
    [
        "who",
        "struggles",
        "since",
        "31",
        "2026-13-45",
        "february",
        "last",
        "999",
        "years",
        "class",
        "4b",
        "top",
        "0",
        "mastery",
        "per",
        "week",
        "due",
        "Ada",
    ]
)


@given(st.lists(CUES | st.text(max_size=8), max_size=12).map(" ".join))
def test_no_words_break_the_reading_of_a_day(text: str) -> None:
    day = since_in(text.casefold(), today=TODAY)
    assert day is None or day <= date(9999, 12, 31)
