"""How a lesson stands beside its roles' own doing: what the learner has said for good, and where a detour ends."""

import re
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from conversations.models import Message, Session, Turn
from tutoring.graphs import AT_QUIZ, COORDINATING, LEARNING
from tutoring.lessons import gathering
from tutoring.lessons.undoing import ENDED_CYCLES, MOVED_FROM, PUT_AWAY, SENT, remember
from tutoring.models import Concept, Cycle, Lesson, Mastery
from tutoring.records import goals, progress
from tutoring.records import milestones as kept
from tutoring.records.suspicions import suspicions_of
from tutoring.roles import asking
from tutoring.roles.placing import placement_of
from tutoring.roles.session import emptied
from tutoring.roles.speech import question_id
from tutoring.roles.state import KEY, WHOLE, LessonState, lesson_state, lesson_to_json, off_detour
from tutoring.roles.turns import NewQuestion
from tutoring.routing.deciding import Routed
from tutoring.rules import cycle as cycles
from tutoring.rules import milestones, verifying
from tutoring.rules.claims import plain
from tutoring.rules.listening import agrees, is_thanks, wants_back, wants_instead
from tutoring.rules.verifying import Line

BESIDE_THE_NAME = 3
"""Words that may stand beside a lesson's name where nothing else says that it is wished for."""
_WISHES = re.compile(
    r"^(?:(?:and|but|now|ok(?:ay)?|yes|no|so|then|well|oh|please|maybe)\W+)*"
    r"(?:let'?s|let me|let us|can|could|may|shall|i (?:want|need|would|wish)|i'?d|i am ready|i'?m ready"
    r"|go|move|start|begin|continue|next|do|try|take|teach|show|give|rather|back)\b"
)
"""How a sentence begins that asks for the lesson it names; in any other the name is part of what is said of the matter."""


def leave_detour_if_asked(turn: Turn, text: str, lesson: Lesson) -> None:
    """Lead the lesson back from a detour where the message asks for it, or the course has it no more.

    The turn is marked `returned`.
    """
    held = lesson_state(turn.session.state)
    if not held.cycle.detour:
        return
    is_gone = not lesson.concept.course.concepts.filter(slug=held.cycle.detour).exists()
    offered = not held.piece and held.cycle.state == "tutor_explaining"
    if is_gone or (turn.kind == Turn.Kind.MESSAGE and wants_back(text, offered=offered)):
        _keep(turn.session, off_detour(held))
        begin_elsewhere(turn)
        if not is_gone:
            _leave_cycles(turn, gathering.taught(lesson, held))
        turn.payload["returned"] = True
        turn.save(update_fields=["payload"])


def wait_while_elsewhere(turn: Turn, sent: Routed) -> None:
    """Keep where a message goes that is not said to the lesson; a quiz under way waits for it."""
    held = lesson_state(turn.session.state)
    turn.payload[SENT] = {"agent": sent.agent, "reason": sent.reason}
    turn.save(update_fields=["payload"])
    if held.cycle.state == "quiz_active":
        _keep(turn.session, held, cycle=cycles.pause_quiz(held.cycle))
        turn.session.state["quiz_paused"] = True


def move_on_if_asked(turn: Turn, text: str, lesson: Lesson) -> None:
    """Make the conversation a lesson on the next step of the path, where the learner agrees, or names another."""
    held = lesson_state(turn.session.state)
    # What is still to be said can stay unsaid, once the next step is offered.
    offered = not held.explaining or turn.session.state.get("last_routed_to") == "pathplanner"
    is_over, not_begun = held.cycle.is_over and offered, held == LessonState()
    rather = _rather(text, lesson)
    sums_up = held.explaining == WHOLE
    moves_on = (is_over or not_begun or sums_up) and not is_thanks(text) and not wants_instead(text)
    if turn.kind != Turn.Kind.MESSAGE or not (rather or moves_on):
        return
    to = (
        rather or _named(text, lesson) or (turn.session.state.get("next_topic", "") if is_over and agrees(text) else "")
    )
    # What all its rounds did not bring can begin anew. What was planned may be gone from the course since.
    moves = to and (to != lesson.concept.slug or (held.cycle.needs_plan and agrees(text)))
    concept = lesson.concept.course.concepts.filter(slug=to).first() if moves else None
    if concept is not None:
        move(turn, lesson, concept)


def move(turn: Turn, lesson: Lesson, concept: Concept) -> None:
    """Make the conversation a lesson on another concept, from its beginning; the caller saves the session."""
    begin_elsewhere(turn)
    _leave_cycles(turn)
    turn.payload.setdefault(MOVED_FROM, lesson.concept_id)
    turn.save(update_fields=["payload"])
    concept.course = lesson.concept.course if concept.course_id == lesson.concept.course_id else concept.course
    lesson.concept = concept
    lesson.save(update_fields=["concept"])
    state = turn.session.state
    if state.get("current_topic") != concept.slug:
        state |= emptied(state)
    state |= {KEY: lesson_to_json(LessonState()), "current_topic": concept.slug}


def _leave_cycles(turn: Turn, concept: Concept | None = None) -> None:
    """End the cycles that are under way, or those on one concept, and note what is mastered of what they asked."""
    left = progress.leave_cycles(turn.session, concept)
    for cycle in left:
        note_mastered(turn, cycle)
    remember(turn, ENDED_CYCLES, *(cycle.pk for cycle in left))


def note_mastered(turn: Turn, cycle: Cycle) -> None:
    """Take what a cycle has shown to be mastered for a goal reached and a gap closed; the caller saves the session."""
    goals.note_mastered(cycle)
    gaps = turn.session.state.get("prerequisite_gaps", ())
    if cycle.mastery_achieved and cycle.concept.slug in gaps:
        turn.session.state["prerequisite_gaps"] = [each for each in gaps if each != cycle.concept.slug]


def begin_path(turn: Turn, following: str) -> None:
    """Begin the path's first step, where a placement has just led to it; the caller saves the session."""
    if not placement_of(turn.session.state).ended or lesson_state(turn.session.state) != LessonState():
        return
    lesson = gathering.lesson_of(turn.session)
    if lesson is None or following == lesson.concept.slug:
        return
    # The course may have been loaded anew since the path was planned.
    if concept := lesson.concept.course.concepts.filter(slug=following).first():
        move(turn, lesson, concept)


def unask(turn: Turn, question: NewQuestion) -> None:
    """Let a question that could not be stored count as never asked; the caller saves the session."""
    state, held = turn.session.state, lesson_state(turn.session.state)
    asked, gone = held.cycle.asked, question_id(str(turn.pk), question.number)
    state["quiz_questions"] = [each for each in state.get("quiz_questions", ()) if each["question_id"] != gone]
    _keep(turn.session, held, cycle=replace(held.cycle, asked=asked[:-1] if question.number else asked))


def _named(text: str, lesson: Lesson) -> str:
    """Return the slug of the concept whose title the message names; empty for none, and where it only comes up.

    The longest title counts.
    """
    said = " ".join(text.casefold().split())
    every = [each for each in lesson.concept.course.catalogue().concepts if each.title.casefold() in said]
    named = max(every, key=lambda each: len(each.title), default=None)
    if named is None:
        return ""
    beside = len(said.split()) - len(named.title.split())
    return named.id if beside <= BESIDE_THE_NAME or _WISHES.search(plain(said)) else ""


def _rather(text: str, lesson: Lesson) -> str:
    """Return the slug of the concept that the path planner's button for another one names; empty for no such message."""
    concepts = lesson.concept.course.catalogue().concepts
    said = text.strip()
    return next((each.id for each in concepts if said == _("Rather %(title)s") % {"title": each.title}), "")


def rest_where_led(session: Session) -> None:
    """Let the lesson go on with the quiz, where a model has sent the learner to it; the caller saves the session."""
    led_to = session.positions.pop(COORDINATING.name, ())
    if led_to and led_to[-1] == "quiz" and lesson_state(session.state).cycle.state == "quiz_active":
        session.positions[LEARNING.name] = list(AT_QUIZ)


def begin_elsewhere(turn: Turn) -> None:
    """Put away what was asked, and let the team begin anew with the tutor; the caller saves the session."""
    put_away(turn)
    turn.session.positions.pop(LEARNING.name, None)
    turn.session.state["quiz_paused"] = False


def put_away(turn: Turn) -> None:
    """Close what was asked without an answer: from here on the state tells what it was. The caller saves the session."""
    session = turn.session
    left = {str(each.pk): each for each in session.questions.open().select_related("concept")}
    if not left:
        return
    progress.abandon_open(session)
    turn.payload[PUT_AWAY] = [*turn.payload.get(PUT_AWAY, ()), *left]
    turn.save(update_fields=["payload"])
    if asked := session.state.get("quiz_questions"):
        told = {key: asking.told(each.instance(), each.source_context) for key, each in left.items()}
        session.state["quiz_questions"] = [{**each, **told.get(each["question_id"], {})} for each in asked]


def leave_quiz(turn: Turn, concept: Concept) -> None:
    """End the quiz on the concept without a look back; what was answered stays. The caller saves the session."""
    held = lesson_state(turn.session.state)
    begin_elsewhere(turn)
    _leave_cycles(turn, concept)
    left = cycles.leave_quiz(held.cycle)
    _keep(turn.session, held, cycle=left, quiz_left=True, contrast="", explaining="", tries=0, nudges=0)


def note_milestones(turn: Turn, text: str, lesson: Lesson) -> None:
    """Keep which milestones the learner's message says in their own words."""
    held = lesson_state(turn.session.state)
    every = gathering.taught(lesson, held).value().milestones
    waiting = [each for each in milestones.still_to_say(every, said=held.said) if verifying.adds_to(each, text)]
    if not waiting:
        return
    before = (line for line in gathering.told(turn.session).rows if line[2] != turn.pk)
    lines = [Line(by_learner=author == Message.Author.LEARNER, text=said) for author, said, _turn in before]
    lines.append(Line(by_learner=True, text=text))
    now_said = [each.id for each in waiting if verifying.is_articulated(each, lines)]
    if now_said:
        _keep(turn.session, held, said=(*held.said, *now_said), insight=milestones.best_said(every, held.insight, text))


def milestones_view(learner_id: int, concept: Concept, held: LessonState, row: Mastery | None) -> dict[str, Any]:
    """Return how many of the concept's milestones are reached, and what is missing: `{done, total, label}`."""
    every = concept.value().milestones
    suspicions = suspicions_of(learner_id, concept.course)
    reached = kept.reached(learner_id, concept, said=held.said, suspicions=suspicions)
    following = next((each.title for each, done in zip(every, reached, strict=True) if not done), "")
    unsaid = len(milestones.still_to_say(every, said=held.said))
    mastered = row is not None and row.is_mastered
    return {"done": sum(reached), "total": len(every), "label": _still(unsaid) if mastered and unsaid else following}


def _still(unsaid: int) -> str:
    text = ngettext(
        "answers show mastery; %(count)d idea is still to say in your own words",
        "answers show mastery; %(count)d ideas are still to say in your own words",
        unsaid,
    )
    return text % {"count": unsaid}


def _keep(session: Session, held: LessonState, **changed: Any) -> None:
    session.state[KEY] = lesson_to_json(replace(held, **changed))
