"""Carries out a decision: its effects on rows and on the session's state, in one transaction, once per turn."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from django.utils.translation import gettext as _

from conversations.models import Turn
from conversations.turns.begin import has_title_of_message, title_from
from tutoring.courses.hint_ladder import WORKED_RUNG
from tutoring.dialogue import transitions, turn_undo
from tutoring.dialogue.placement_turns import CLAIMED
from tutoring.dialogue.queries.turn_rows import CHANGED_BY_ANSWER, TurnRows
from tutoring.grading.verdicts import unreadable_code
from tutoring.lesson import cycle as cycles
from tutoring.lesson.placement import PLACEMENT_KEY as PLACEMENT
from tutoring.lesson.placement import placement_of, placement_to_json
from tutoring.lesson.response_plan import (
    AbandonQuestion,
    AcceptWords,
    BeginLesson,
    ClaimKnown,
    CloseCompared,
    Decision,
    DisownTopic,
    GiveEarnedHint,
    GiveUp,
    LeaveDetour,
    LeaveQuiz,
    NoteConcern,
    NoteExplanation,
    NoteMilestones,
    NoteMisconceptions,
    NotePractice,
    PauseQuiz,
    RecordAnswer,
    SaveLessonState,
    SetGoal,
    SwitchConcept,
    TakeHint,
)
from tutoring.lesson.state import lesson_state
from tutoring.mastery.misconception_evidence import SUSPECTED
from tutoring.mastery.records import goals, known_starts, progress
from tutoring.models import Attempt, Concept
from tutoring.safety import incidents as caring

TRIES_BEFORE_EXAMPLE: Final = 2


def apply(rows: TurnRows, decision: Decision) -> None:
    """Carry out the effects in order; the caller has the transaction, and saves turn and session afterwards.

    What no longer exists since the decision is skipped. Changed rows are read again later.
    """
    for effect in decision.effects:
        _CARRIED_OUT[type(effect)](rows.turn, effect, rows)
        if changed := _CHANGED.get(type(effect)):
            rows.forget(*changed)


def _note_concern(turn: Turn, effect: NoteConcern, rows: TurnRows) -> None:
    if turn.session.title == title_from(rows.text):
        turn.session.title = _("Conversation")  # Otherwise the message would become its name.
    caring.record_in_turn(turn, effect.concern)


def _begin_lesson(turn: Turn, effect: BeginLesson, rows: TurnRows) -> None:
    concept = _concept(effect.course, effect.concept)
    if concept is None or rows.lesson is not None:
        return
    if not turn.session.title or has_title_of_message(turn.session):  # A name that the learner chose stays.
        turn.session.title = concept.title
    turn.payload[turn_undo.BEGAN_LESSON] = True
    progress.begin_lesson(turn.owner, concept, turn.session)


def _set_goal(turn: Turn, effect: SetGoal, rows: TurnRows) -> None:
    lesson = rows.lesson
    # Who asks for "neural networks" begins with the first lesson, but it is not all they want to learn.
    if lesson is None or not lesson.concept.course.catalogue().prerequisites(lesson.concept.slug):
        return
    goal, is_new = goals.set_goal(turn.owner, lesson.concept, words=rows.text, session=turn.session)
    if is_new:
        turn.payload[turn_undo.SET_GOAL] = goal.pk


def _move(turn: Turn, effect: SwitchConcept, rows: TurnRows) -> None:
    lesson, concept = rows.lesson, _concept(effect.course, effect.concept)
    if lesson is not None and concept is not None:
        transitions.switch_concept(turn, lesson, concept)
        _stop_placement(turn)


def _stop_placement(turn: Turn) -> None:
    """Stop a placement that is under way, so that it can go on later."""
    held = placement_of(turn.session.state)
    if held.under_way:
        turn.session.state[PLACEMENT] = placement_to_json(replace(held, ended="stopped"))


def _leave_detour(turn: Turn, effect: LeaveDetour, rows: TurnRows) -> None:
    if (lesson := rows.lesson) is not None:
        transitions.leave_detour(turn, lesson)


def _leave_quiz(turn: Turn, effect: LeaveQuiz, rows: TurnRows) -> None:
    if (concept := rows.taught) is not None:
        transitions.leave_quiz(turn, concept)


def _pause_quiz(turn: Turn, effect: PauseQuiz, rows: TurnRows) -> None:
    held = lesson_state(turn.session.state)
    transitions.save_lesson_state(turn.session, replace(held, cycle=cycles.pause_quiz(held.cycle)))
    turn.session.state["quiz_paused"] = True


def _put_away(turn: Turn, effect: AbandonQuestion, rows: TurnRows) -> None:
    transitions.abandon_questions(turn)


def _record(turn: Turn, effect: RecordAnswer, rows: TurnRows) -> None:
    if (question := rows.question) is None:
        return
    try:
        recorded = progress.record_attempt(
            question, learner=turn.owner, answer=effect.value, idempotency_key=f"turn-{turn.pk.hex}"
        )
    except progress.QuestionClosed:
        return
    if recorded.attempt is None:
        turn.payload["unreadable"] = unreadable_code(recorded.judgement) or "unreadable"
        return
    _note_attempt(rows, recorded)
    _earned_hint(turn, GiveEarnedHint(), rows)


def _accept_words(turn: Turn, effect: AcceptWords, rows: TurnRows) -> None:
    if (question := rows.question) is None:
        return
    try:
        recorded = progress.record_words(
            question, learner=turn.owner, words=effect.words, idempotency_key=f"turn-{turn.pk.hex}"
        )
    except progress.QuestionClosed:
        return
    _note_attempt(rows, recorded)


def _close_compared(turn: Turn, effect: CloseCompared, rows: TurnRows) -> None:
    if (question := rows.question) is not None:
        progress.close_compared(question)


def _give_up(turn: Turn, effect: GiveUp, rows: TurnRows) -> None:
    if (question := rows.question) is None:
        return
    try:
        recorded = progress.give_up(question, learner=turn.owner, idempotency_key=f"turn-{turn.pk.hex}")
    except progress.QuestionClosed:
        return
    _note_attempt(rows, recorded)


def _claim_known(turn: Turn, effect: ClaimKnown, rows: TurnRows) -> None:
    if (question := rows.question) is None:
        return
    turn.payload[CLAIMED] = question.concept.slug
    transitions.abandon_questions(turn)


def _disown(turn: Turn, effect: DisownTopic, rows: TurnRows) -> None:
    concept = _concept(effect.course, effect.concept)
    if concept is not None and known_starts.disown(turn.owner, concept, reason=rows.text):
        turn.payload[turn_undo.DISOWNED] = concept.pk


def _note_attempt(rows: TurnRows, recorded: progress.RecordedAnswer) -> None:
    """Give the turn the answer that was recorded before."""
    attempt = recorded.attempt
    assert attempt is not None
    rows.turn.payload[turn_undo.ATTEMPT] = attempt.pk
    attempt.question = recorded.question
    attempt._state.fields_cache["change"] = recorded.change
    earlier = [each for each in rows.answers if each.pk != attempt.pk]
    rows.forget(*CHANGED_BY_ANSWER)
    rows.answers, rows.attempt = [*earlier, attempt], attempt


def _take_hint(turn: Turn, effect: TakeHint, rows: TurnRows) -> None:
    question = rows.attempt.question if rows.attempt is not None else rows.question
    if question is None:
        return
    try:
        hint = progress.take_hint(
            question, tried=effect.tried, at_least=effect.rung, attempts=rows.attempts_at(question)
        )
    except progress.QuestionClosed:
        return
    given = hint.text if hint.rung is not None else turn_undo.hint_before_rerun(turn)
    if given:
        turn.payload[turn_undo.HINT] = given


def _earned_hint(turn: Turn, effect: GiveEarnedHint, rows: TurnRows) -> None:
    """Give the rung that a wrong answer has earned, unless a misconception explains it: then its case comes first."""
    attempt = rows.attempt
    if attempt is None or attempt.correct or attempt.question.purpose == "placement" or not attempt.question.is_open:
        return
    if attempt.verdict != "equivalent_not_in_form" and not _is_case_due(rows, attempt):
        # Two tries without success: a worked example shows the way.
        _take_hint(turn, TakeHint(rung=WORKED_RUNG if attempt.number >= TRIES_BEFORE_EXAMPLE else 0), rows)


def _is_case_due(rows: TurnRows, attempt: Attempt) -> bool:
    """Tell whether the case of a likely misconception comes before any hint: on the first try, and once in a lesson."""
    return attempt.number == 1 and any(
        each in rows.suspicions and rows.suspicions[each].confidence >= SUSPECTED and each not in rows.held.tested
        for each in attempt.misconceptions
    )


def _note_misconceptions(turn: Turn, effect: NoteMisconceptions, rows: TurnRows) -> None:
    if lesson := rows.lesson:
        ids = [each.id for each in effect.found]
        progress.note_utterance(turn.owner, lesson.concept.course, ids, effect.found[0].quote, turn)


def _note_explanation(turn: Turn, effect: NoteExplanation, rows: TurnRows) -> None:
    if lesson := rows.lesson:
        progress.note_explanation(turn.owner, lesson.concept.course, [effect.misconception], effect.quote, turn)


def _note_practice(turn: Turn, effect: NotePractice, rows: TurnRows) -> None:
    if concept := rows.taught:
        gained = progress.note_self_explanation(turn.owner, concept)
        turn.payload[turn_undo.PRACTICE_GAIN] = {"concept": concept.pk, "gained": gained}


def _note_milestones(turn: Turn, effect: NoteMilestones, rows: TurnRows) -> None:
    if lesson := rows.lesson:
        transitions.note_milestones(turn, lesson, effect.found)


def _keep_lesson(turn: Turn, effect: SaveLessonState, rows: TurnRows) -> None:
    transitions.save_lesson_state(turn.session, effect.lesson)


def _concept(course: str, concept: str) -> Concept | None:
    rows = Concept.objects.select_related("course").defer("course__content")
    return rows.filter(course__slug=course, slug=concept).first()


_CARRIED_OUT: Final[Mapping[type, Callable[[Turn, Any, TurnRows], None]]] = {
    NoteConcern: _note_concern,
    BeginLesson: _begin_lesson,
    SetGoal: _set_goal,
    SwitchConcept: _move,
    LeaveDetour: _leave_detour,
    LeaveQuiz: _leave_quiz,
    PauseQuiz: _pause_quiz,
    AbandonQuestion: _put_away,
    RecordAnswer: _record,
    AcceptWords: _accept_words,
    CloseCompared: _close_compared,
    GiveUp: _give_up,
    ClaimKnown: _claim_known,
    DisownTopic: _disown,
    TakeHint: _take_hint,
    GiveEarnedHint: _earned_hint,
    NoteMisconceptions: _note_misconceptions,
    NoteExplanation: _note_explanation,
    NotePractice: _note_practice,
    NoteMilestones: _note_milestones,
    SaveLessonState: _keep_lesson,
}
_CHANGED: Final[Mapping[type, tuple[str, ...]]] = {
    BeginLesson: CHANGED_BY_ANSWER,
    SetGoal: ("standing", "has_goal"),
    SwitchConcept: CHANGED_BY_ANSWER,
    LeaveDetour: ("question", "answers"),
    LeaveQuiz: ("question",),
    AbandonQuestion: ("question",),
    ClaimKnown: ("question",),
    DisownTopic: CHANGED_BY_ANSWER,
    CloseCompared: ("question",),
    NoteMisconceptions: ("standing", "suspicions"),
    NoteExplanation: ("standing", "suspicions"),
    NotePractice: ("masteries",),
}
"""What each effect changes in the rows; those of an answer and a hint declare it themselves."""
