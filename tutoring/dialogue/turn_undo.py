"""Undoes a turn whose message is edited: nothing graded is touched, the rest is reverted."""

from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from conversations.models import Session, Turn
from tutoring.mastery.records import goals, known_starts, suspected_misconceptions
from tutoring.mastery.records.lesson_settings import READS_PACE
from tutoring.models import Concept, Cycle, ExampleShown, Goal, Lesson, Mastery, Question
from tutoring.planner.records.changes import undo_turns as undo_planner_turns
from tutoring.safety.incidents import CARE

ATTEMPT = "attempt"
ABANDONED_QUESTIONS = "put_away"
"""Questions that the turn closed without an answer."""
PRACTICE_GAIN = "practised"
"""The mastery added by an idea explained back: `{concept, gained}`."""
BEGAN_LESSON = "began_lesson"
SET_GOAL = "set_goal"
"""The goal that is new with the turn; one that existed before is not the turn's."""
MOVED_FROM = "moved_from"
"""The concept whose lesson the turn left for the next one."""
REPLACED_GOALS = "set_aside"
"""Goals that the new one replaced in the turn."""
DISOWNED = "disowned"
"""The concept that the learner said they do not know, although the placement took it as known."""
BEGAN_CYCLES = "began_cycles"
ENDED_CYCLES = "ended_cycles"
"""Cycles that the turn looked back on, or left for something else."""
PLACED = "placed"
SENT = "sent"
"""Where a rule sent a message outside the lesson: `{agent, reason}`."""
HINT = "hint"
SETTING_KEYS = ("mastery_threshold", READS_PACE)
"""Keys of the session's state that no message has set."""


def undo_refusal(turn: Turn) -> str:
    """Return why the turn cannot be undone: an answer was graded in it, and is evidence. Empty if it can."""
    if CARE in turn.payload:
        return _("This message can’t be changed. You can send a new one instead.")
    if PLACED in turn.payload:
        return _(
            "This message was used to find your starting point, so it can’t be changed. You can send a new one instead."
        )
    if ATTEMPT not in turn.payload:
        return ""
    return _(
        "An answer has been checked since you sent this message, so the message can’t be changed. You can "
        "send a new one instead."
    )


def remember_rows(turn: Turn, key: str, *ids: int) -> None:
    """Record with the turn which rows it has created or changed, so that they can be reverted."""
    if ids:
        turn.payload[key] = [*turn.payload.get(key, ()), *ids]
        turn.save(update_fields=["payload"])


def undo_turns(turn: Turn) -> None:
    """Undo the turns that this one replaces; the caller has the transaction."""
    undone = dict(turn.undone.order_by("-number").values_list("pk", "payload"))
    now = timezone.now()
    asked = Question.objects.open().filter(turn__replaced_by=turn)
    asked.update(status=Question.Status.ABANDONED, closed_at=now)
    _reopen_questions([pk for payload in undone.values() for pk in payload.get(ABANDONED_QUESTIONS, ())], turn)
    ended = [pk for payload in undone.values() for pk in payload.get(ENDED_CYCLES, ())]
    Cycle.objects.filter(pk__in=ended).update(completed_at=None, quiz_score=None, mastery_achieved=None)
    # No answer was graded in them: a turn with one cannot be undone.
    Cycle.objects.filter(pk__in=[pk for payload in undone.values() for pk in payload.get(BEGAN_CYCLES, ())]).delete()
    ExampleShown.objects.filter(turn__replaced_by=turn).delete()
    undo_planner_turns(turn.owner_id, list(undone))
    suspected_misconceptions.retract_words(turn.owner_id, turn_ids=frozenset(map(str, undone)))
    for payload in undone.values():
        if practised := payload.get(PRACTICE_GAIN):
            _undo_practice(turn.owner_id, practised)
        if disowned := payload.get(DISOWNED):
            known_starts.own_again(turn.owner, Concept.objects.get(pk=disowned))
    Goal.objects.filter(pk__in=[payload[SET_GOAL] for payload in undone.values() if SET_GOAL in payload]).delete()
    goals.restore_goals([pk for payload in undone.values() for pk in payload.get(REPLACED_GOALS, ())])
    if moves := [payload[MOVED_FROM] for payload in undone.values() if MOVED_FROM in payload]:
        _move_back(turn.session, moves[-1])
    if any(BEGAN_LESSON in payload for payload in undone.values()):
        _remove_lesson(turn.session)
    else:
        _keep_settings(turn.session)


def _move_back(session: Session, concept_id: int) -> None:
    """Make the conversation a lesson on the concept it came from, by its name too; the caller saves the session."""
    lesson = Lesson.objects.select_related("concept").get(session=session)
    left, lesson.concept = lesson.concept, Concept.objects.get(pk=concept_id)
    if session.title == left.title:
        session.title = lesson.concept.title
    lesson.save(update_fields=["concept"])


def _remove_lesson(session: Session) -> None:
    """Remove the conversation's topic and its name; the caller saves the session."""
    lesson = Lesson.objects.select_related("concept").get(session=session)
    if session.title == lesson.concept.title:
        session.title = ""
    lesson.delete()


def _keep_settings(session: Session) -> None:
    """Keep the learner's lesson settings: no message set them; the caller saves it."""
    now = Session.objects.values_list("state", flat=True).get(pk=session.pk)
    session.state |= {name: now[name] for name in SETTING_KEYS if name in now}


def hint_before_rerun(turn: Turn) -> str:
    """Return the hint that was given for the same message before: it was earned once, and is shown again."""
    return str(turn.replaces.payload.get(HINT, "")) if turn.replaces else ""


def _reopen_questions(questions: list[str], turn: Turn) -> None:
    put_away = Question.objects.filter(pk__in=questions, status=Question.Status.ABANDONED)
    put_away.exclude(turn__replaced_by=turn).update(status=Question.Status.OPEN, closed_at=None)


def _undo_practice(learner_id: int, practised: dict[str, Any]) -> None:
    row = Mastery.objects.select_for_update().filter(learner_id=learner_id, concept_id=practised["concept"]).first()
    if row is not None:
        row.probability = max(0.0, row.probability - practised["gained"])
        row.save(update_fields=["probability"])
