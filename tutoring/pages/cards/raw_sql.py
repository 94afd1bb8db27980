"""Raw SQL for the questions on cards, and the attempts at them: each step of a lesson reads them."""

import uuid
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db import connection

from agents.people import Person
from agents.storage.raw_sql import columns_of, make_row, placeholders, read_rows
from tutoring.models import Attempt, Contest, Question
from tutoring.question_storage import select_questions


def load_own_questions(cards: Sequence[Mapping[str, Any]], person: Person) -> list[Question]:
    """Return the questions of these cards that are the person's own, with concept and course.

    None of a conversation that they deleted.
    """
    if not cards:
        return []
    keys = [uuid.UUID(card["id"]) for card in cards]
    own = f"""
        LEFT JOIN conversations_session ON conversations_session.id = tutoring_question.session_id
        WHERE tutoring_question.id IN ({placeholders(keys)}) AND tutoring_question.learner_id = %s
              AND conversations_session.deleted_at IS NULL"""
    return list(select_questions(own, [*_stored(keys), person.pk]))


def load_attempts(questions: Sequence[Question]) -> Iterator[Attempt]:
    """Yield the attempts at all these questions by number, each with what the learner said against it."""
    if not questions:
        return
    statement = f"""
        SELECT {columns_of(Attempt)}, {columns_of(Contest)} FROM tutoring_attempt
        LEFT JOIN tutoring_contest ON tutoring_contest.attempt_id = tutoring_attempt.id
        WHERE tutoring_attempt.question_id IN ({placeholders(questions)}) ORDER BY tutoring_attempt.number"""
    for attempt, contest in read_rows(Attempt, statement, _stored([question.pk for question in questions])):
        attempt._state.fields_cache["contest"] = make_row(Contest, contest)[0] if contest[0] is not None else None
        yield attempt


def _stored(keys: Sequence[uuid.UUID]) -> list[Any]:
    return [Question._meta.pk.get_db_prep_value(key, connection) for key in keys]
