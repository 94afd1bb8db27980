"""The state of a lesson between two turns: one key of the session state (docs/explanation/team.md)."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final

from tutoring.lesson.cycle import LearningCycle, cycle_from_json, cycle_to_json, detour_to, leave_detour, start_quiz

LESSON_KEY: Final = "lesson"
"""The teaching roles' own bookkeeping; nobody else needs it."""
WHOLE_CONCEPT: Final = "*"
"""Value of `explaining` for the concept as a whole, which the learner sums up at the end."""
NO_TRIES: Final[Mapping[str, Any]] = {"tries": 0, "nudges": 0, "demands": 0, "unknowns": 0, "comparing": False}
"""The counters of a lesson when something new is asked."""
TUPLE_FIELDS: Final = ("explained", "replied", "asked_why", "said", "tested", "weighed")


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonState:
    cycle: LearningCycle = field(default_factory=LearningCycle)
    piece: str = ""
    """The piece said last, whose question waits for a reply."""
    explained: tuple[str, ...] = ()
    """All pieces said so far, in order."""
    replied: tuple[str, ...] = ()
    """Pieces whose question was answered right: a right answer to any other one is a late answer."""
    explained_in_cycle: int = 0
    level: str = ""
    """The level of this cycle's explanation: it does not change between two pieces."""
    tries: int = 0
    """Replies to the piece, or to the contrast case, that did not say it yet."""
    demands: int = 0
    """How often the answer to the open prompt was asked for."""
    unknowns: int = 0
    """How often "I don't know" was said to it."""
    comparing: bool = False
    """Whether a model sentence was shown to compare one's own words with."""
    weighing: bool = False
    """Whether the last reply asked which of two ideas the learner means, beside what is open."""
    begun: str = ""
    """What the latest of these replies said in part; empty if nothing."""
    contrast: str = ""
    """The misconception whose contrast case was asked last; empty without one."""
    nudges: int = 0
    """How often a first try was asked for at the open question."""
    quiz_left: bool = False
    """The quiz was left: nothing waits for a reply until the learner says how to go on."""
    misses: int = 0
    """Questions missed on the first try since the lesson or the detour began."""
    explaining: str = ""
    """The milestone whose idea was asked for, to explain a right answer or at the end, or `WHOLE_CONCEPT`; otherwise empty."""
    asked_why: tuple[str, ...] = ()
    """Milestones for which an explanation was asked for."""
    said: tuple[str, ...] = ()
    """Milestones that the learner has said in their own words."""
    tested: tuple[str, ...] = ()
    """Misconceptions whose contrast case was shown."""
    weighed: tuple[str, ...] = ()
    """Misconceptions of which it was asked whether the learner means them."""
    insight: str = ""
    """The learner's words that said the most of them at once."""


def lesson_state(state: Mapping[str, Any]) -> LessonState:
    """Return the lesson's state from a session's state; without a lesson, the initial one."""
    data = dict(state.get(LESSON_KEY, {}))
    known = {name: data[name] for name in LessonState.__dataclass_fields__ if name in data}
    known["cycle"] = cycle_from_json(known.get("cycle", {}))
    known |= {name: tuple(known.get(name, ())) for name in TUPLE_FIELDS}
    return LessonState(**known)


def leave_detour_state(lesson: LessonState) -> LessonState:
    """Return the lesson back on its own concept, where it was left. Raises WrongStep without a detour."""
    return _elsewhere(replace(lesson, cycle=leave_detour(lesson.cycle)))


def enter_detour_state(lesson: LessonState, prerequisite: str) -> LessonState:
    """Return the lesson on a detour to the prerequisite. Raises WrongStep if it cannot be taken."""
    return _elsewhere(replace(lesson, cycle=detour_to(lesson.cycle, prerequisite)))


def start_quiz_state(lesson: LessonState, *, checkout: bool = False) -> LessonState:
    """Return the lesson with its quiz under way. Raises WrongStep if nothing is being explained."""
    cycle = start_quiz(lesson.cycle, checkout=checkout)
    return replace(lesson, cycle=cycle, piece="", contrast="", quiz_left=False, **NO_TRIES)


def _elsewhere(lesson: LessonState) -> LessonState:
    return replace(
        lesson, piece="", explained_in_cycle=0, contrast="", misses=0, explaining="", quiz_left=False, **NO_TRIES
    )


def lesson_to_json(lesson: LessonState) -> dict[str, Any]:
    """Return the lesson's state as JSON data."""
    lists = {name: list(getattr(lesson, name)) for name in TUPLE_FIELDS}
    return {**asdict(lesson), **lists, "cycle": cycle_to_json(lesson.cycle)}
