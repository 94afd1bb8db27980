"""Moves a lesson: to another concept, off a detour, out of a quiz, on to the first step of a path."""

from collections.abc import Sequence
from dataclasses import replace

from conversations.models import Session, Turn
from tutoring.dialogue.graphs import LEARNING
from tutoring.dialogue.queries.turn_rows import lesson_of, taught_concept
from tutoring.dialogue.turn_undo import ABANDONED_QUESTIONS, ENDED_CYCLES, MOVED_FROM, remember_rows
from tutoring.lesson import cycle as cycles
from tutoring.lesson.placement import placement_of
from tutoring.lesson.session_state import reset_topic_fields
from tutoring.lesson.state import LESSON_KEY, NO_TRIES, LessonState, leave_detour_state, lesson_state, lesson_to_json
from tutoring.lesson.turn_results import NewQuestion
from tutoring.mastery import milestones
from tutoring.mastery.records import goals, progress
from tutoring.models import Concept, Cycle, Lesson
from tutoring.roles.quizzes import question_selection
from tutoring.roles.speech.composition import question_id
from tutoring.understanding.message_analysis import Evidence


def leave_detour(turn: Turn, lesson: Lesson) -> None:
    """Lead the lesson back from its detour; the turn is marked `returned`. The caller saves turn and session."""
    held = lesson_state(turn.session.state)
    is_gone = not lesson.concept.course.concepts.filter(slug=held.cycle.detour).exists()
    save_lesson_state(turn.session, leave_detour_state(held))
    restart_with_tutor(turn)
    if not is_gone:
        _leave_cycles(turn, taught_concept(lesson, held))
    turn.payload["returned"] = True


def leave_quiz(turn: Turn, concept: Concept) -> None:
    """End the quiz on the concept without a look back; the answers are kept. The caller saves turn and session."""
    held = lesson_state(turn.session.state)
    restart_with_tutor(turn)
    _leave_cycles(turn, concept)
    left = cycles.leave_quiz(held.cycle)
    save_lesson_state(turn.session, replace(held, cycle=left, quiz_left=True, contrast="", explaining="", **NO_TRIES))


def note_milestones(turn: Turn, lesson: Lesson, found: Sequence[Evidence]) -> None:
    """Save which milestones the learner has said in their own words, with the best of those; the caller saves the session."""
    held = lesson_state(turn.session.state)
    every = taught_concept(lesson, held).value().milestones
    waiting = {each.id for each in milestones.unsaid_milestones(every, said=held.said)}
    said = [each for each in found if each.id in waiting]
    if said:
        quote = max((each.quote for each in said), key=len)
        insight = milestones.best_explanation(every, held.insight, quote)
        save_lesson_state(turn.session, replace(held, said=(*held.said, *(each.id for each in said)), insight=insight))


def save_lesson_state(session: Session, lesson: LessonState) -> None:
    """Set the lesson's state; the caller saves the session."""
    session.state[LESSON_KEY] = lesson_to_json(lesson)


def switch_concept(turn: Turn, lesson: Lesson, concept: Concept) -> None:
    """Make the conversation a lesson on another concept, from its beginning; the caller saves the session.

    A lesson on the same concept that is being explained goes on where it was left: its steps would come a second time.
    """
    restart_with_tutor(turn)
    held = lesson_state(turn.session.state)
    if lesson.concept_id == concept.pk and held.explained and held.cycle.state == "tutor_explaining":
        return
    _leave_cycles(turn)
    turn.payload.setdefault(MOVED_FROM, lesson.concept_id)
    turn.save(update_fields=["payload"])
    if turn.session.title == lesson.concept.title:  # A name that the learner chose stays.
        turn.session.title = concept.title
    concept.course = lesson.concept.course if concept.course_id == lesson.concept.course_id else concept.course
    lesson.concept = concept
    lesson.save(update_fields=["concept"])
    state = turn.session.state
    if state.get("current_topic") != concept.slug:
        state |= reset_topic_fields(state)
    state |= {LESSON_KEY: lesson_to_json(LessonState()), "current_topic": concept.slug}


def _leave_cycles(turn: Turn, concept: Concept | None = None) -> None:
    """End the cycles that are under way, or those on one concept, and record what is mastered of what they asked."""
    left = progress.leave_cycles(turn.session, concept)
    for cycle in left:
        note_mastered(turn, cycle)
    remember_rows(turn, ENDED_CYCLES, *(cycle.pk for cycle in left))


def note_mastered(turn: Turn, cycle: Cycle) -> None:
    """Record a mastered concept as a reached goal and a closed gap; the caller saves the session."""
    goals.note_mastered(cycle)
    gaps = turn.session.state.get("prerequisite_gaps", ())
    if cycle.mastery_achieved and cycle.concept.slug in gaps:
        turn.session.state["prerequisite_gaps"] = [each for each in gaps if each != cycle.concept.slug]


def start_path(turn: Turn, following: str) -> None:
    """Start the path's first step, if a placement has just led to it; the caller saves the session."""
    if not placement_of(turn.session.state).ended or lesson_state(turn.session.state) != LessonState():
        return
    lesson = lesson_of(turn.session)
    if lesson is None or following == lesson.concept.slug:
        return
    # The course may have been reloaded since the path was planned.
    if concept := lesson.concept.course.concepts.filter(slug=following).first():
        switch_concept(turn, lesson, concept)


def withdraw_question(turn: Turn, question: NewQuestion) -> None:
    """Count a question that could not be stored as never asked; the caller saves the session."""
    state, held = turn.session.state, lesson_state(turn.session.state)
    asked, gone = held.cycle.asked, question_id(str(turn.pk), question.number)
    state["quiz_questions"] = [each for each in state.get("quiz_questions", ()) if each["question_id"] != gone]
    save_lesson_state(
        turn.session, replace(held, cycle=replace(held.cycle, asked=asked[:-1] if question.number else asked))
    )


def restart_with_tutor(turn: Turn) -> None:
    """Close what was asked, and let the team start again with the tutor; the caller saves the session."""
    abandon_questions(turn)
    turn.session.positions.pop(LEARNING.name, None)
    turn.session.state["quiz_paused"] = False


def abandon_questions(turn: Turn, *, keep: str = "") -> None:
    """Close the open question without an answer, except the one with the id `keep`. The caller saves the session.

    From here on the state tells what it was.
    """
    session = turn.session
    left = {str(each.pk): each for each in session.questions.open().select_related("concept") if str(each.pk) != keep}
    if not left:
        return
    progress.abandon_open(session, keep=keep)
    turn.payload[ABANDONED_QUESTIONS] = [*turn.payload.get(ABANDONED_QUESTIONS, ()), *left]
    turn.save(update_fields=["payload"])
    if asked := session.state.get("quiz_questions"):
        told = {
            key: question_selection.disclosed_answer(each.instance(), each.source_context) for key, each in left.items()
        }
        session.state["quiz_questions"] = [{**each, **told.get(each["question_id"], {})} for each in asked]
