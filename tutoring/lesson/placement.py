"""The state of a placement between two turns: one key of the session's state."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from tutoring.mastery.placement import MAX_QUESTIONS, PlacementAnswer

PLACEMENT_KEY: Final = "placement"


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """Questions on what a topic builds on, before its path is planned."""

    topic: str = ""
    """The concept that the learner wants to master; empty without a placement."""
    answers: tuple[PlacementAnswer, ...] = ()
    recorded: int = 0
    """How many of the answers are stored in the learner's record already, since the placement was stopped after them."""
    templates: tuple[str, ...] = ()
    """Templates asked so far, in order."""
    most: int = MAX_QUESTIONS
    """The maximum number of its questions."""
    ended: str = ""
    """How it ended; empty while it is under way."""

    @property
    def under_way(self) -> bool:
        return bool(self.topic) and not self.ended


def placement_of(state: Mapping[str, Any]) -> Placement:
    """Return the placement from a session's state."""
    data = state.get(PLACEMENT_KEY, {})
    return Placement(
        topic=data.get("topic", ""),
        answers=tuple(PlacementAnswer(**each) for each in data.get("answers", ())),
        recorded=data.get("recorded", 0),
        templates=tuple(data.get("templates", ())),
        most=data.get("most", MAX_QUESTIONS),
        ended=data.get("ended", ""),
    )


def placement_to_json(placement: Placement) -> dict[str, Any]:
    """Return the placement as JSON data."""
    answers = [asdict(each) for each in placement.answers]
    return {**asdict(placement), "answers": answers, "templates": list(placement.templates)}
