"""{turns: [{text, latency_s?, correct?}]} → the estimate after the last turn."""

from collections.abc import Mapping
from typing import Any, Final

from tutoring.mastery.turn_evidence import LearnerTurn
from tutoring.side_agents.affect import estimate_affect
from tutoring.side_agents.analyse_command.field_parsing import parse_bool, parse_text
from tutoring.side_agents.emotion import output_of
from tutoring.understanding import context as said
from tutoring.understanding.analysis import analyse

MOST_TURNS: Final = 20
"""The latest turns of a session: earlier ones say nothing about how it is going now."""
LONGEST_S: Final = 365 * 24 * 3600


def analysis(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of the API. Raise ValueError for a line without turns, and for a turn of another shape."""
    turns = row.get("turns")
    if not isinstance(turns, list) or not turns:
        raise ValueError("turns must be a list of {text, latency_s?, correct?}")
    exchanges: list[LearnerTurn] = []
    for turn in turns[-MOST_TURNS:]:
        exchanges.append(_exchange(turn, exchanges))
    return output_of(estimate_affect(exchanges)).model_dump()


def _exchange(turn: object, before: list[LearnerTurn]) -> LearnerTurn:
    if not isinstance(turn, dict):
        raise ValueError("a turn must be an object")
    correct = parse_bool(turn, "correct") if turn.get("correct") is not None else None
    text, latency_s = parse_text(turn, "text"), _seconds(turn.get("latency_s"))
    history = tuple(said.PastMessage(author="learner", text=each.text, correct=each.correct) for each in before)
    read = analyse(text, said.Context(history=history))
    return LearnerTurn(text=text, mood=read.mood, sure=read.mood_probability, latency_s=latency_s, correct=correct)


def _seconds(value: object) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= LONGEST_S:
        raise ValueError("latency_s must be at least 0 seconds and less than a year")
    return float(value)
