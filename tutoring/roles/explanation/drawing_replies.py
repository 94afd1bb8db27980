"""Replies to a drawing: what it shows, and a question that lets the learner check it themselves."""

import re
from functools import partial

from django.utils.translation import gettext as _

from agents.engine.roles import PlannedToolUse, PlanPart
from agents.tools import ToolResult
from conversations.tools.board import BOARD_TOOL, LookArguments
from tutoring.lesson.drawing_facts import DrawingFacts
from tutoring.lesson.facts import LessonFacts
from tutoring.lesson.moves import Move
from tutoring.roles.speech.answer_guard import first_safe, model_wording
from tutoring.roles.wording.renderer import WordingParts
from tutoring.side_agents import vision
from tutoring.side_agents.utterance_facts import OverheardUtterance

MOVE = Move(id="answer_question")
_ASKED = re.compile(r"“([^”]+\?)”")


def drawing_reply(facts: LessonFacts) -> tuple[PlanPart, ...]:
    """Return a look at the drawing or photo that was sent with the message, and the reply to it."""
    seen = facts.notes.seen
    assert seen is not None
    if seen.photo:
        return _drawing_words(facts, seen, "")
    return (PlannedToolUse(tool=BOARD_TOOL.name, arguments=LookArguments(), then=partial(_drawing_words, facts, seen)),)


def glance(facts: LessonFacts) -> tuple[PlanPart, ...]:
    """Return the reply to what the message's drawing shows, said before the reply to the message itself."""
    seen = facts.notes.seen
    if seen is None or not (seen.is_clear and seen.is_new):
        return ()
    text = _("Here is what I see in your drawing: %(seen)s") % {"seen": seen.description}
    return (PlannedToolUse(tool=BOARD_TOOL.name, arguments=LookArguments(), then=lambda _found: (text,)),)


def _drawing_words(facts: LessonFacts, seen: DrawingFacts, _found: ToolResult | str) -> tuple[PlanPart, ...]:
    # Geometry is among the facts already; the tool use shows the learner that somebody looked.
    text = first_safe(facts, lambda _again: describe_drawing(facts, seen), MOVE)
    return (model_wording(facts, text, MOVE, WordingParts(hint=text)),)


def describe_drawing(facts: LessonFacts, seen: DrawingFacts) -> str:
    """Return what is seen and what to ask about it; if it is not clear, the learner is asked to say it in words."""
    if not seen.is_clear:
        return vision.request_description(seen)
    judged = vision.judge(
        OverheardUtterance(
            turn=0,
            text=facts.text,
            course=facts.course,
            concept=facts.concept,
            milestone=facts.notes.progress.milestone,
            seen=seen,
        )
    )
    asked = _ASKED.search(judged.suggestion)
    return _("Here is what I see: %(seen)s %(asked)s") % {
        "seen": seen.description,
        "asked": asked.group(1) if asked else seen.question,
    }
