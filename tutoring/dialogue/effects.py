"""Carry out a decision: its effects on rows and on the session's state, inside one transaction, once a turn."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from django.utils.translation import gettext as _

from conversations.models import Turn
from conversations.turns import title_from
from tutoring.dialogue import gathering, moving, undoing
from tutoring.dialogue.decisions import (
    BeginLesson,
    Decision,
    EarnedHint,
    GiveUp,
    KeepLesson,
    LeaveDetour,
    LeaveQuiz,
    MoveTo,
    NoteConcern,
    NoteExplanation,
    NoteMilestones,
    NoteMisconceptions,
    NotePractice,
    PauseQuiz,
    PutAway,
    RecordAnswer,
    SetGoal,
    TakeHint,
)
from tutoring.dialogue.state import lesson_state
from tutoring.models import Attempt, Concept, Lesson
from tutoring.records import goals, progress
from tutoring.rules import cycle as cycles
from tutoring.safety import noting as caring


def apply(turn: Turn, decision: Decision, *, text: str) -> None:
    """Carry out the effects in their order; the caller has the transaction, and saves turn and session after it.

    What is gone since the decision was made is passed over.
    """
    for effect in decision.effects:
        _CARRIED_OUT[type(effect)](turn, effect, text)


def _note_concern(turn: Turn, effect: NoteConcern, text: str) -> None:
    if turn.session.title == title_from(text):
        turn.session.title = _("Conversation")  # Or the message would be its name.
    caring.note_in(turn, effect.concern)


def _begin_lesson(turn: Turn, effect: BeginLesson, text: str) -> None:
    concept = _concept(effect.course, effect.concept)
    if concept is None or gathering.lesson_of(turn.session) is not None:
        return
    if turn.session.title in ("", title_from(text)):
        turn.session.title = concept.title
    turn.payload[undoing.BEGAN_LESSON] = True
    progress.begin_lesson(turn.owner, concept, turn.session)


def _set_goal(turn: Turn, effect: SetGoal, text: str) -> None:
    lesson = gathering.lesson_of(turn.session)
    if lesson is None:
        return
    goal, is_new = goals.set_goal(turn.owner, lesson.concept, words=text, session=turn.session)
    if is_new:
        turn.payload[undoing.SET_GOAL] = goal.pk


def _move(turn: Turn, effect: MoveTo, text: str) -> None:
    lesson, concept = gathering.lesson_of(turn.session), _concept(effect.course, effect.concept)
    if lesson is not None and concept is not None:
        moving.move(turn, lesson, concept)


def _leave_detour(turn: Turn, effect: LeaveDetour, text: str) -> None:
    if (lesson := gathering.lesson_of(turn.session)) is not None:
        moving.leave_detour(turn, lesson)


def _leave_quiz(turn: Turn, effect: LeaveQuiz, text: str) -> None:
    lesson = gathering.lesson_of(turn.session)
    if lesson is not None:
        moving.leave_quiz(turn, gathering.taught(lesson, lesson_state(turn.session.state)))


def _pause_quiz(turn: Turn, effect: PauseQuiz, text: str) -> None:
    held = lesson_state(turn.session.state)
    moving.keep(turn.session, replace(held, cycle=cycles.pause_quiz(held.cycle)))
    turn.session.state["quiz_paused"] = True


def _put_away(turn: Turn, effect: PutAway, text: str) -> None:
    moving.put_away(turn)


def _record(turn: Turn, effect: RecordAnswer, text: str) -> None:
    question = gathering.open_question(turn.session)
    if question is None:
        return
    recorded = progress.record_attempt(
        question, learner=turn.owner, answer=effect.value, idempotency_key=f"turn-{turn.pk.hex}"
    )
    if recorded.attempt is None:
        turn.payload["unreadable"] = recorded.judgement.reason or "unreadable"
        return
    turn.payload[undoing.ATTEMPT] = recorded.attempt.pk
    _earned_hint(turn, EarnedHint(), text)


def _give_up(turn: Turn, effect: GiveUp, text: str) -> None:
    question = gathering.open_question(turn.session)
    if question is None:
        return
    recorded = progress.give_up(question, learner=turn.owner, idempotency_key=f"turn-{turn.pk.hex}")
    if recorded.attempt is not None:
        turn.payload[undoing.ATTEMPT] = recorded.attempt.pk


def _take_hint(turn: Turn, effect: TakeHint, text: str) -> None:
    question = gathering.open_question(turn.session)
    if question is None:
        return
    hint = progress.take_hint(question, tried=effect.tried, at_least=effect.rung)
    given = hint.text if hint.rung is not None else undoing.hint_of_replaced(turn)
    if given:
        turn.payload[undoing.HINT] = given


def _earned_hint(turn: Turn, effect: EarnedHint, text: str) -> None:
    """Give the rung that a wrong answer has earned, unless a misconception explains it: then its case comes first."""
    attempt = Attempt.objects.select_related("question").filter(pk=turn.payload.get(undoing.ATTEMPT)).first()
    if attempt is None or attempt.correct or attempt.question.purpose == "placement" or not attempt.question.is_open:
        return
    if attempt.verdict != "equivalent_not_in_form" and not (attempt.misconceptions and attempt.number == 1):
        _take_hint(turn, TakeHint(), text)


def _note_misconceptions(turn: Turn, effect: NoteMisconceptions, text: str) -> None:
    if lesson := _lesson(turn):
        ids = [each.id for each in effect.found]
        progress.note_utterance(turn.owner, lesson.concept.course, ids, effect.found[0].quote, turn)


def _note_explanation(turn: Turn, effect: NoteExplanation, text: str) -> None:
    if lesson := _lesson(turn):
        progress.note_explanation(turn.owner, lesson.concept.course, [effect.misconception], effect.quote, turn)


def _note_practice(turn: Turn, effect: NotePractice, text: str) -> None:
    if lesson := _lesson(turn):
        concept = gathering.taught(lesson, lesson_state(turn.session.state))
        gained = progress.note_self_explanation(turn.owner, concept)
        turn.payload[undoing.PRACTISED] = {"concept": concept.pk, "gained": gained}


def _note_milestones(turn: Turn, effect: NoteMilestones, text: str) -> None:
    if lesson := _lesson(turn):
        moving.note_milestones(turn, lesson, effect.found)


def _keep_lesson(turn: Turn, effect: KeepLesson, text: str) -> None:
    moving.keep(turn.session, effect.lesson)


def _lesson(turn: Turn) -> Lesson | None:
    return gathering.lesson_of(turn.session)


def _concept(course: str, concept: str) -> Concept | None:
    rows = Concept.objects.select_related("course").defer("course__content")
    return rows.filter(course__slug=course, slug=concept).first()


_CARRIED_OUT: Final[Mapping[type, Callable[[Turn, Any, str], None]]] = {
    NoteConcern: _note_concern,
    BeginLesson: _begin_lesson,
    SetGoal: _set_goal,
    MoveTo: _move,
    LeaveDetour: _leave_detour,
    LeaveQuiz: _leave_quiz,
    PauseQuiz: _pause_quiz,
    PutAway: _put_away,
    RecordAnswer: _record,
    GiveUp: _give_up,
    TakeHint: _take_hint,
    EarnedHint: _earned_hint,
    NoteMisconceptions: _note_misconceptions,
    NoteExplanation: _note_explanation,
    NotePractice: _note_practice,
    NoteMilestones: _note_milestones,
    KeepLesson: _keep_lesson,
}
