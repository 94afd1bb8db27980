"""The rows of a turn: each read once, and kept as long as nothing has changed it."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from conversations.models import Message, Session, Turn
from tutoring.courses.catalogue import CourseContent as CourseValue
from tutoring.dialogue.queries import raw_sql
from tutoring.dialogue.queries.raw_sql import LearnerStanding, StoredMessage
from tutoring.lesson.drawing_facts import DrawingFacts
from tutoring.lesson.state import LessonState, lesson_state
from tutoring.mastery.misconception_evidence import Suspicion
from tutoring.mastery.records import suspected_misconceptions
from tutoring.models import Attempt, Concept, Lesson, Mastery, Question
from tutoring.safety.incidents import CARE
from tutoring.side_agents import fact_queries as hub
from tutoring.side_agents import self_reports

CHANGED_BY_ANSWER = ("standing", "question", "answers", "suspicions", "masteries", "attempt")
"""Rows that an answer changes, and rows that a move to another lesson changes."""

REMEMBERED_TURNS = 10
"""Turns in which the tutor says no sentence twice."""

_courses: dict[str, tuple[CourseValue, ...]] = {}
"""All courses as last read, by what changes with any of them: one entry."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecentMessages:
    """The latest messages of a conversation, oldest first."""

    rows: Sequence[tuple[str, str, uuid.UUID]]
    """Author, text and turn of each message."""

    @property
    def by_learner(self) -> list[str]:
        return [text for author, text, _turn in self.rows if author == Message.Author.LEARNER]

    def in_turn(self, turn: Turn) -> str:
        """Return the learner's message of the turn; empty for one without."""
        own = (text for author, text, of in self.rows if of == turn.pk and author == Message.Author.LEARNER)
        return next(own, "")


class TurnRows:
    """A turn's rows. Nothing here writes; whoever does must call `forget` for what it changed."""

    def __init__(self, turn: Turn) -> None:
        self.turn = turn

    def forget(self, *names: str) -> None:
        """Read these again when they are asked for; all of them if none is named."""
        for name in names or tuple(vars(self)):
            if name != "turn":
                vars(self).pop(name, None)

    @cached_property
    def standing(self) -> LearnerStanding | None:
        return raw_sql.load_standing(self.turn.session_id)

    @property
    def lesson(self) -> Lesson | None:
        return self.standing.lesson if self.standing is not None else None

    @property
    def held(self) -> LessonState:
        return lesson_state(self.turn.session.state)

    @property
    def taught(self) -> Concept | None:
        """What is taught now; None without a topic."""
        if self.lesson is None:
            return None
        detour = self.held.cycle.detour
        if detour not in self._detours:
            self._detours[detour] = taught_concept(self.lesson, self.held)
        return self._detours[detour] if detour else self.lesson.concept

    @cached_property
    def _detours(self) -> dict[str, Concept]:
        return {}

    @cached_property
    def lines(self) -> Sequence[StoredMessage]:
        return raw_sql.load_messages(self.turn.session_id)

    @property
    def lesson_lines(self) -> list[StoredMessage]:
        """The messages, without what came before the lesson: no role and no model reads that."""
        return [each for each in self.lines if CARE not in each.turn.payload]

    @property
    def said(self) -> RecentMessages:
        return RecentMessages(rows=[(each.author, each.text, each.turn.pk) for each in self.lesson_lines])

    @property
    def told(self) -> tuple[str, ...]:
        """The tutor's messages of the last turns before this one, oldest first."""
        return tuple(
            each.text for each in self.lines if each.author == Message.Author.TEAM and self.is_recent(each.turn)
        )

    def is_recent(self, turn: Turn) -> bool:
        """Tell whether a turn is one of the last before this one."""
        return self.turn.number - REMEMBERED_TURNS <= turn.number < self.turn.number

    @property
    def text(self) -> str:
        """The turn's message; empty for one without."""
        own = (each.text for each in self.lines if each.turn.pk == self.turn.pk and each.author == "learner")
        return next(own, "")

    @cached_property
    def offered(self) -> tuple[str, ...]:
        """The labels of the buttons of the team's last message."""
        shown = Message.objects.filter(
            session_id=self.turn.session_id, author=Message.Author.TEAM, turn__replaced_by=None
        )
        cards = shown.exclude(turn=self.turn).order_by("-id").values_list("cards", flat=True).first() or ()
        return tuple(label for each in cards if each["kind"] == "replies" for label in each["options"])

    @cached_property
    def question(self) -> Question | None:
        """The open question."""
        if self.standing is not None and not self.standing.has_question:
            return None
        found = raw_sql.load_open_question(self.turn.session_id)
        if found is not None:
            found.session = self.turn.session
        return found

    @cached_property
    def answers(self) -> Sequence[Attempt]:
        """The learner's answers in the conversation and on the concept taught, oldest first."""
        if self.taught is None or self.standing is None or not self.standing.has_answers:
            return ()
        return raw_sql.load_answers(self.turn.session_id, self.turn.owner_id, self.taught.pk)

    @property
    def answers_here(self) -> list[Attempt]:
        return [each for each in self.answers if each.question.session_id == self.turn.session_id]

    def attempts_at(self, question: Question) -> int:
        """Return how often a question of the conversation was answered."""
        if self.attempt is not None and self.attempt.question_id == question.pk:
            return self.attempt.number
        return sum(each.question_id == question.pk for each in self.answers_here)

    @cached_property
    def attempt(self) -> Attempt | None:
        """The answer that came with the turn."""
        return attempt_of(self.turn)

    @cached_property
    def suspicions(self) -> Mapping[str, Suspicion]:
        assert self.standing is not None
        lesson = self.standing.lesson
        return (
            suspected_misconceptions.suspicions_of(lesson.learner_id, lesson.concept.course)
            if self.standing.has_suspicions
            else {}
        )

    @cached_property
    def masteries(self) -> Mapping[str, Mastery]:
        """In the course, by the concept's slug."""
        assert self.standing is not None
        lesson = self.standing.lesson
        return raw_sql.load_masteries(lesson.learner_id, lesson.concept.course) if self.standing.has_masteries else {}

    @cached_property
    def findings(self) -> list[dict[str, Any]]:
        assert self.standing is not None
        return hub.recent_findings(self.turn.session) if self.standing.has_findings else []

    @cached_property
    def has_goal(self) -> bool:
        """Whether the learner has an open goal, in any course."""
        return raw_sql.has_open_goal(self.turn.owner_id)

    @cached_property
    def feeling(self) -> str:
        """What the learner said a moment ago about how it is going; empty if nothing."""
        assert self.standing is not None
        said = self_reports.current_self_report(self.turn.session) if self.standing.has_own_word else None
        return said.feeling if said is not None else ""

    @cached_property
    def seen(self) -> DrawingFacts | None:
        return hub.drawing_with(self.turn)

    @cached_property
    def courses(self) -> tuple[CourseValue, ...]:
        """Every course as a value; without a query if none has changed since they were read last."""
        key = self.standing.courses if self.standing is not None else ""
        if not key:
            return load_courses()
        if key not in _courses:
            found = load_courses()
            _courses.clear()
            _courses[key] = found
        return _courses[key]


def recent_messages(session: Session) -> RecentMessages:
    """Return the latest messages of a conversation, without what came before the lesson: no role and no model reads that."""
    kept = [each for each in raw_sql.load_messages(session.pk) if CARE not in each.turn.payload]
    return RecentMessages(rows=[(each.author, each.text, each.turn.pk) for each in kept])


def lesson_of(session: Session) -> Lesson | None:
    """Return the conversation's lesson; None without a topic."""
    lessons = Lesson.objects.select_related("concept__course").defer("concept__course__content")
    return lessons.filter(session=session).first()


def taught_concept(lesson: Lesson, standing: LessonState) -> Concept:
    """Return the concept taught now: the lesson's, or the detour's; one that no longer exists counts as none."""
    detour = standing.cycle.detour
    found = lesson.concept.course.concepts.filter(slug=detour).first() if detour else None
    return found or lesson.concept


def load_courses() -> tuple[CourseValue, ...]:
    """Return every course as a value, in the order they are offered."""
    return tuple(row.catalogue() for row in raw_sql.load_courses())


def open_question(session: Session) -> Question | None:
    """Return the open question of this conversation; None without one."""
    return raw_sql.load_open_question(session.pk)


def attempt_of(turn: Turn) -> Attempt | None:
    """Return the answer that came with the turn, if one did."""
    if (pk := turn.payload.get("attempt")) is None:
        return None
    rows = Attempt.objects.select_related("question__concept__course", "change")
    return rows.defer("question__concept__course__content").get(pk=pk, learner_id=turn.owner_id)
