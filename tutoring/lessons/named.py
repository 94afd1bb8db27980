"""What a message names to learn, or to be questioned on: the lesson begins with it, and what is aimed at is a goal."""

import re

from conversations.models import Turn
from tutoring.lessons import gathering, placing, standing, undoing
from tutoring.models import Concept, Lesson
from tutoring.records import goals, progress
from tutoring.roles.state import lesson_state
from tutoring.routing.rules import BEGUN, Rule, first_fitting
from tutoring.routing.spelling import tidy
from tutoring.routing.topics import concepts_named, topic_meant
from tutoring.rules.claims import is_asking, plain
from tutoring.rules.naming import stems, vocabulary

_QUESTIONED_ON = re.compile(
    r"\b(?:quiz|test|drill|grill|challenge|examine) (?:me|us)\b.{0,40}?\b(?:on|about|over|in)\b(?P<topic>.+)"
    r"|\b(?:quiz|questions?|problems?|exercises?)\b.{0,20}?\b(?:on|about|over)\b(?P<subject>.+)"
)
"""What questions are wanted on, said within another lesson."""


def lesson_named(turn: Turn, text: str) -> Lesson | None:
    """Make the conversation a lesson on the concept that the message names; None if it names none.

    What rests on much that nobody has seen of the learner begins with questions on that instead, see `coordinating`,
    but where just questions are wanted.
    """
    rule = first_fitting(tidy(text), BEGUN)
    wants_quiz = rule is not None and rule.agent == "quiz"
    concept = _meant(text) if wants_quiz else _titled(text)
    if concept is None or not (wants_quiz or not placing.is_worth_placing(turn.owner_id, concept)):
        return None
    turn.session.title = turn.session.title or concept.title
    turn.payload[undoing.BEGAN_LESSON] = True
    if rule is not None and wants_quiz:
        _send_to_quiz(turn, rule)
    elif _is_aimed_at(concept, text, rule):
        _note_goal(turn, concept, text)
    turn.save(update_fields=["payload"])
    return progress.begin_lesson(turn.owner, concept, turn.session)


def take_up_named(turn: Turn, text: str, lesson: Lesson) -> None:
    """Go to what a message wants to be questioned on; note as a goal what it has just gone to, where it wants that learned."""
    rule = first_fitting(tidy(text), BEGUN) if turn.kind == Turn.Kind.MESSAGE else None
    if rule is None:
        return
    if rule.agent == "quiz" and (found := _QUESTIONED_ON.search(plain(text))):
        _go_to_quiz(turn, _meant(found["topic"] or found["subject"]), lesson, rule)
    elif rule.agent == "diagnostic" and undoing.MOVED_FROM in turn.payload:
        _note_goal(turn, lesson.concept, text)
        turn.save(update_fields=["payload"])


def _go_to_quiz(turn: Turn, concept: Concept | None, lesson: Lesson, rule: Rule) -> None:
    if concept is None:
        return
    _send_to_quiz(turn, rule)
    if concept.pk in (lesson.concept_id, gathering.taught(lesson, lesson_state(turn.session.state)).pk):
        turn.save(update_fields=["payload"])
    else:
        standing.move(turn, lesson, concept)


def _note_goal(turn: Turn, concept: Concept, text: str) -> None:
    """Let the concept be a goal in the learner's words; the turn remembers one that is new. The caller saves the turn."""
    goal, is_new = goals.set_goal(turn.owner, concept, words=text, session=turn.session)
    if is_new:
        turn.payload[undoing.SET_GOAL] = goal.pk


def _is_aimed_at(concept: Concept, text: str, rule: Rule | None) -> bool:
    """Tell whether a message that names a concept wants it learned: it says so, or says nothing else."""
    if rule is not None:
        return rule.agent == "diagnostic"
    words = plain(text)
    return not is_asking(words) and frozenset(stems(words)) <= vocabulary(concept.value())


def _send_to_quiz(turn: Turn, rule: Rule) -> None:
    turn.payload[undoing.SENT] = {"agent": "quiz", "reason": str(rule.reason)}


def _titled(text: str) -> Concept | None:
    """Return the concept whose title the text holds; the longest title counts."""
    found = concepts_named(text, gathering.courses())
    if not found:
        return None
    course, concept = max(found, key=lambda each: len(each[1].title))
    return gathering.concept_row(course, concept)


def _meant(text: str) -> Concept | None:
    found = topic_meant(text, gathering.courses())
    return gathering.concept_row(found.course, found.concept) if found and found.concept else None
