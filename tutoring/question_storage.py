"""Reads questions with concept and course in plain SQL: each step of a lesson does, and the ORM takes longer to compose
the query than the database to answer it."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from agents.storage.raw_sql import columns_of, make_row, read_rows
from tutoring.models import Concept, Course, Question

COURSE_CONTENT: Final = ("content",)
"""A course's largest column: it is parsed once per process."""


def select_questions(rest: str, values: Sequence[Any]) -> Iterator[Question]:
    """Yield questions, each with its concept and course. `rest` is what follows FROM and its joins in SQL."""
    statement = f"""
        SELECT {columns_of(Question)}, {columns_of(Concept)}, {columns_of(Course, without=COURSE_CONTENT)}
        FROM tutoring_question
        JOIN tutoring_concept ON tutoring_concept.id = tutoring_question.concept_id
        JOIN tutoring_course ON tutoring_course.id = tutoring_concept.course_id {rest}"""
    for question, columns in read_rows(Question, statement, values):
        question.concept, columns = make_row(Concept, columns)
        question.concept.course, _none = make_row(Course, columns, without=COURSE_CONTENT)
        yield question
