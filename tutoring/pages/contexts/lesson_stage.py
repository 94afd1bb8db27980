"""The stage of a lesson, in plain words: the state of its machines as the page shows it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tutoring.courses.quiz_limits import MAXIMUM_CYCLES
from tutoring.lesson.cycle import DETOUR_ROUNDS, CycleState, LearningCycle, RoutingState
from tutoring.lesson.placement import placement_of
from tutoring.lesson.state import LessonState, lesson_state
from tutoring.pages.cards.question_context import Context

STEP_LABELS: Final[Mapping[str, str | Promise]] = {
    "explaining": gettext_lazy("Explaining"),
    "quiz": gettext_lazy("Quiz"),
    "looking_back": gettext_lazy("Looking back"),
}
STEP_BY_STATE: Final[Mapping[CycleState, str]] = {
    "tutor_explaining": "explaining",
    "quiz_active": "quiz",
    "feedback_analysing": "looking_back",
    "loop_again": "looking_back",
}

ROUTING_SENTENCES: Final[Mapping[RoutingState, str | Promise]] = {
    "awaiting_input": gettext_lazy("It’s your turn."),
    "classify_intent": gettext_lazy("Your message is being read to decide who should answer it."),
    "diagnose": gettext_lazy("Finding out where to start."),
    "learn": gettext_lazy("Your lesson is in progress."),
    "plan": gettext_lazy("Looking at the path to your goal."),
}


def routing_sentence(state: object) -> str:
    """Return the state of the routing machine in a sentence; empty for an unknown state."""
    return next((str(words) for name, words in ROUTING_SENTENCES.items() if name == state), "")


def lesson_stage(state: Mapping[str, Any], *, taught: str, most: int = MAXIMUM_CYCLES) -> Context:
    """Return the lesson's stage from a conversation's state: `words`, the round's `steps`, if it has any,
    and whether it is `placing`.

    `taught` is the title of the concept taught now, `most` the number of rounds of a lesson that starts now.
    """
    placement = placement_of(state)
    if placement.under_way:
        number = min(len(placement.answers) + 1, placement.most)
        words = _("Finding your level · question %(number)d of up to %(most)d") % {
            "number": number,
            "most": placement.most,
        }
        return {"words": words, "steps": [], "placing": True}
    held = lesson_state(state)
    cycle = replace(held.cycle, most=most) if held == LessonState() else held.cycle
    if cycle.state == "mastered":
        return {"words": _("Mastered in round %(number)d") % {"number": cycle.round}, "steps": []}
    here = STEP_BY_STATE[cycle.state]
    steps = [{"label": label, "here": name == here} for name, label in STEP_LABELS.items()]
    return {"words": _words(cycle, taught=taught), "steps": steps}


def _words(cycle: LearningCycle, *, taught: str) -> str:
    most = DETOUR_ROUNDS if cycle.detour else cycle.most
    words = _("Round %(number)d of %(most)d") % {"number": cycle.round, "most": most}
    if cycle.detour:
        words = _("Detour to %(title)s: round %(number)d of %(most)d") % {
            "title": taught, "number": cycle.round, "most": most,
        }  # fmt: skip
    return _("%(round)s (quiz paused)") % {"round": words} if cycle.paused else words
