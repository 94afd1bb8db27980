"""The database reads of every lesson turn in plain SQL: few statements, not rebuilt by the ORM each time."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import connection

from agents.storage.raw_sql import columns_of, make_row, read_rows
from conversations.models import SELF_REPORT, Turn
from tutoring.mastery.knowledge_tracing import AbilityEstimate, DifficultyOffset
from tutoring.models import Attempt, Concept, Course, Lesson, Mastery, MasteryChange, Path, Policy, Question
from tutoring.question_storage import COURSE_CONTENT, select_questions

QUESTIONS_AT_MOST = 10
"""How many quiz questions, latest first, are read to see what came in a row."""
ANSWERS_AT_MOST = 200
"""How many answers, latest first, a turn reads."""
MESSAGES_AT_MOST = 120
"""How many messages, latest first, a turn reads; more than a model is ever shown."""
LARGE_QUESTION_COLUMNS = ("public", "key", "source_context")
"""Columns of a question that only its card and its grading need."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnerStanding:
    """A lesson and its learner's progress in the course."""

    lesson: Lesson
    ability: AbilityEstimate
    goals: tuple[str, ...]
    """Slugs of the learner's goals in the course, in the order they were set."""
    path: Path
    """Their changes to the path through the course; a new one if there are none."""
    examples: frozenset[tuple[str, str]]
    """Examples they were shown: concept and example."""
    offsets: Mapping[str, DifficultyOffset]
    """By template."""
    times: Mapping[str, int]
    """How often they were asked each template."""
    recent: tuple[str, ...]
    """Templates of the conversation's last quiz questions, oldest first."""
    courses: str
    """Changes with any of the courses."""
    has_written: bool
    """Whether the course has questions written by a model."""
    has_findings: bool
    """Whether something was noticed in the conversation."""
    has_question: bool
    """Whether a question of the conversation is open."""
    has_answers: bool
    has_masteries: bool
    has_suspicions: bool
    """Whether the learner has such rows, here or elsewhere."""
    has_own_word: bool
    """Whether the learner has said in it how it is going."""
    classes_agree: bool
    """Whether no class of the learner forbids estimating how it is going."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredMessage:
    """A message as it was sent, with its turn."""

    author: str
    text: str
    turn: Turn
    """Only with number, kind, payload, analysis and times."""


_TURN = ("id", "number", "kind", "payload", "analysis", "created_at", "finished_at")
_NO_TURN = tuple(each.attname for each in Turn._meta.concrete_fields if each.attname not in _TURN)


def load_standing(session_pk: int) -> LearnerStanding | None:
    """Return the conversation's lesson with its learner's progress; None without a topic."""
    of_learner = "learner_id = tutoring_lesson.learner_id"
    in_course = "course_id = tutoring_course.id"
    aims = f"""SELECT c.slug AS a FROM tutoring_goal g JOIN tutoring_concept c ON c.id = g.concept_id
        WHERE g.{of_learner} AND c.{in_course} AND g.reached_at IS NULL AND g.dropped_at IS NULL ORDER BY g.id"""
    own = f"SELECT first AS a, set_aside AS b FROM tutoring_path WHERE {of_learner} AND {in_course}"
    shown = f"""SELECT c.slug AS a, e.example AS b FROM tutoring_exampleshown e
        JOIN tutoring_concept c ON c.id = e.concept_id WHERE e.{of_learner} AND c.{in_course}"""
    offsets = f'SELECT template AS a, "offset" AS b, answers AS c FROM tutoring_itemoffset WHERE {in_course}'
    times = f"""SELECT q.template AS a, COUNT(*) AS b FROM tutoring_question q
        JOIN tutoring_concept c ON c.id = q.concept_id WHERE q.{of_learner} AND c.{in_course} GROUP BY q.template"""
    recent = f"""SELECT q.template AS a FROM tutoring_question q LEFT JOIN conversations_turn t ON t.id = q.turn_id
        WHERE q.session_id = tutoring_lesson.session_id AND q.purpose = 'quiz'
        ORDER BY t.number DESC NULLS LAST, q.number DESC LIMIT {QUESTIONS_AT_MOST}"""
    every = "SELECT id AS a, source_hash AS b FROM tutoring_course WHERE is_public AND is_open ORDER BY position, title"
    written = f"""SELECT 1 FROM tutoring_writtenquestion w JOIN tutoring_concept c ON c.id = w.concept_id
        WHERE c.{in_course} AND w.status = 'checked'"""
    found = "SELECT 1 FROM conversations_finding f WHERE f.session_id = tutoring_lesson.session_id"
    own_word = f"""SELECT 1 FROM conversations_analysis a
        WHERE a.session_id = tutoring_lesson.session_id AND a.agent = '{SELF_REPORT}'"""
    waiting = "SELECT 1 FROM tutoring_question q WHERE q.session_id = tutoring_lesson.session_id AND q.status = 'open'"
    forbidden = """SELECT 1 FROM tutoring_policy p JOIN tutoring_classroom r ON r.id = p.classroom_id
        JOIN tutoring_membership m ON m.classroom_id = r.id
        WHERE m.person_id = tutoring_lesson.learner_id AND m.role = 'learner' AND r.archived_at IS NULL
              AND NOT p.affect"""
    statement = f"""
        SELECT {columns_of(Lesson)}, {columns_of(Concept)}, {columns_of(Course, without=COURSE_CONTENT)},
               tutoring_ability.residual, tutoring_ability.answers,
               {_listed(aims, "a")}, {_listed(own, "a, b")}, {_listed(shown, "a, b")}, {_listed(offsets, "a, b, c")},
               {_listed(times, "a, b")}, {_listed(recent, "a")}, {_listed(every, "a, b")},
               EXISTS ({written}), EXISTS ({found}), EXISTS ({own_word}),
               NOT EXISTS ({forbidden}), EXISTS ({waiting}),
               EXISTS (SELECT 1 FROM tutoring_attempt WHERE {of_learner}),
               EXISTS (SELECT 1 FROM tutoring_mastery WHERE {of_learner}),
               EXISTS (SELECT 1 FROM tutoring_misconceptionstate WHERE {of_learner})
        FROM tutoring_lesson
        JOIN tutoring_concept ON tutoring_concept.id = tutoring_lesson.concept_id
        JOIN tutoring_course ON tutoring_course.id = tutoring_concept.course_id
        LEFT JOIN tutoring_ability ON tutoring_ability.learner_id = tutoring_lesson.learner_id
        WHERE tutoring_lesson.session_id = %s"""
    for lesson, rest in read_rows(Lesson, statement, [session_pk]):
        lesson.concept, rest = make_row(Concept, rest)
        lesson.concept.course, rest = make_row(Course, rest, without=COURSE_CONTENT)
        return _standing(lesson, *rest)
    return None


def _standing(lesson: Lesson, residual: float | None, answers: int | None, *lists: Any) -> LearnerStanding:
    goals, own, shown, offsets, times, recent = map(json.loads, lists[:6])
    first, aside = map(_list_in, own[0]) if own else ([], [])
    return LearnerStanding(
        lesson=lesson,
        ability=AbilityEstimate() if residual is None else AbilityEstimate(residual=residual, answers=answers or 0),
        goals=tuple(slug for (slug,) in goals),
        path=Path(learner_id=lesson.learner_id, course=lesson.concept.course, first=first, set_aside=aside),
        examples=frozenset((concept, example) for concept, example in shown),
        offsets={template: DifficultyOffset(offset=offset, answers=number) for template, offset, number in offsets},
        times=dict(times),
        recent=tuple(template for (template,) in reversed(recent)),
        courses=lists[6],
        has_written=bool(lists[7]),
        has_findings=bool(lists[8]),
        has_own_word=bool(lists[9]),
        classes_agree=bool(lists[10]),
        has_question=bool(lists[11]),
        has_answers=bool(lists[12]),
        has_masteries=bool(lists[13]),
        has_suspicions=bool(lists[14]),
    )


def load_courses() -> list[Course]:
    """Return the rows of the courses for everybody in the order they are offered, without their content."""
    columns = columns_of(Course, without=COURSE_CONTENT)
    statement = f"SELECT {columns} FROM tutoring_course WHERE is_public AND is_open ORDER BY position, title"
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return [make_row(Course, row, without=COURSE_CONTENT)[0] for row in cursor.fetchall()]


def has_open_goal(learner_id: int) -> bool:
    """Tell whether a learner has a goal that is neither reached nor dropped, in any course."""
    open_goals = "SELECT 1 FROM tutoring_goal WHERE learner_id = %s AND reached_at IS NULL AND dropped_at IS NULL"
    with connection.cursor() as cursor:
        cursor.execute(f"{open_goals} LIMIT 1", [learner_id])
        return cursor.fetchone() is not None


def load_conversation_policies(learner_id: int) -> list[Policy.Conversations]:
    """Return what teachers may read of a learner's conversations, for each of the learner's classes."""
    statement = """
        SELECT p.conversations FROM tutoring_membership m
        JOIN tutoring_classroom r ON r.id = m.classroom_id JOIN tutoring_policy p ON p.classroom_id = r.id
        WHERE m.person_id = %s AND m.role = 'learner' AND r.archived_at IS NULL ORDER BY m.id"""
    with connection.cursor() as cursor:
        cursor.execute(statement, [learner_id])
        return [Policy.Conversations(stored) for (stored,) in cursor.fetchall()]


def load_messages(session_pk: int) -> list[StoredMessage]:
    """Return the conversation's latest current messages, oldest first, with their turns."""
    statement = f"""
        SELECT {columns_of(Turn, without=_NO_TURN)}, m.author, m.text FROM conversations_message m
        JOIN conversations_turn ON conversations_turn.id = m.turn_id
        WHERE m.session_id = %s AND conversations_turn.replaced_by_id IS NULL
        ORDER BY conversations_turn.number DESC, m.id DESC LIMIT {MESSAGES_AT_MOST}"""
    with connection.cursor() as cursor:
        cursor.execute(statement, [session_pk])
        found = [make_row(Turn, row, without=_NO_TURN) for row in cursor.fetchall()]
    return [StoredMessage(author=author, text=text, turn=turn) for turn, (author, text) in reversed(found)]


def load_answers(session_pk: int, learner_id: int, concept_id: int) -> list[Attempt]:
    """Return the learner's latest answers in the conversation and on the concept, oldest first, with question and change.

    Columns that only a card needs are read on demand.
    """
    statement = f"""
        SELECT {columns_of(Attempt)}, {columns_of(Question, without=LARGE_QUESTION_COLUMNS)}, {columns_of(MasteryChange)}
        FROM tutoring_attempt
        JOIN tutoring_question ON tutoring_question.id = tutoring_attempt.question_id
        LEFT JOIN tutoring_masterychange ON tutoring_masterychange.attempt_id = tutoring_attempt.id
        WHERE tutoring_attempt.question_id IN (
            SELECT id FROM tutoring_question WHERE session_id = %s
            UNION SELECT id FROM tutoring_question WHERE learner_id = %s AND concept_id = %s)
        ORDER BY tutoring_attempt.id DESC LIMIT {ANSWERS_AT_MOST}"""
    found = []
    for attempt, rest in read_rows(Attempt, statement, [session_pk, learner_id, concept_id]):
        attempt.question, rest = make_row(Question, rest, without=LARGE_QUESTION_COLUMNS)
        attempt._state.fields_cache["change"] = make_row(MasteryChange, rest)[0] if rest[0] is not None else None
        found.append(attempt)
    return found[::-1]


def load_open_question(session_pk: int) -> Question | None:
    """Return the open question of the conversation, with its concept and course; None without one."""
    latest_open = """
        LEFT JOIN conversations_turn ON conversations_turn.id = tutoring_question.turn_id
        WHERE tutoring_question.session_id = %s AND tutoring_question.status = 'open'
        ORDER BY conversations_turn.number DESC NULLS LAST, tutoring_question.number DESC LIMIT 1"""
    return next(select_questions(latest_open, [session_pk]), None)


def load_masteries(learner_id: int, course: Course) -> dict[str, Mastery]:
    """Return the learner's masteries in a course by the concept's slug."""
    statement = f"""
        SELECT {columns_of(Mastery)}, {columns_of(Concept)} FROM tutoring_mastery
        JOIN tutoring_concept ON tutoring_concept.id = tutoring_mastery.concept_id
        WHERE tutoring_mastery.learner_id = %s AND tutoring_concept.course_id = %s"""
    found = {}
    for row, rest in read_rows(Mastery, statement, [learner_id, course.pk]):
        row.concept, _ = make_row(Concept, rest)
        row.concept.course = course
        found[row.concept.slug] = row
    return found


def _listed(source: str, columns: str) -> str:
    """Return a subquery that gives the rows of a SELECT as JSON, a list of lists."""
    if connection.vendor == "sqlite":
        return f"(SELECT JSON_GROUP_ARRAY(JSON_ARRAY({columns})) FROM ({source}) AS listed)"
    rows = f"COALESCE(JSON_AGG(JSON_BUILD_ARRAY({columns})), '[]')"
    return f"(SELECT CAST({rows} AS TEXT) FROM ({source}) AS listed)"


def _list_in(value: Any) -> list[str]:
    """Return a list as a column of its own: SQLite keeps it as text."""
    return list(json.loads(value) if isinstance(value, str) else value)
