"""Where a lesson stands between two turns: one key of the session's state, beside those of design document 003."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from tutoring.rules.cycle import LearningCycle, cycle_from_json, cycle_to_json

KEY: Final = "lesson"
"""The teaching roles' own bookkeeping; nobody else need follow it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonState:
    cycle: LearningCycle = field(default_factory=LearningCycle)
    piece: str = ""
    """The piece said last, whose question waits for a reply."""
    explained: tuple[str, ...] = ()
    """All pieces said so far, in order."""
    explained_in_cycle: int = 0
    tries: int = 0
    """Replies to the piece, or to the contrast case, that did not say it yet."""
    contrast: str = ""
    """The misconception whose contrast case was asked last; empty without one."""
    nudges: int = 0
    """How often a first try was asked for at the open question."""


def lesson_state(state: Mapping[str, Any]) -> LessonState:
    """Return how the lesson stands, from a session's state; a session without a lesson is at its beginning."""
    data = dict(state.get(KEY, {}))
    known = {name: data[name] for name in LessonState.__dataclass_fields__ if name in data}
    known["cycle"] = cycle_from_json(known.get("cycle", {}))
    known["explained"] = tuple(known.get("explained", ()))
    return LessonState(**known)


def lesson_to_json(lesson: LessonState) -> dict[str, Any]:
    """Return the lesson's state as JSON data."""
    return {**asdict(lesson), "cycle": cycle_to_json(lesson.cycle), "explained": list(lesson.explained)}
