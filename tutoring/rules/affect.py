"""How it goes for the learner, by words, clock and answers alone: weak evidence, to be acted on softly and never told as a fact.

A logistic sum of the signs of each turn's window (weights in affect.yaml), smoothed over the turns.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Final, Literal

from tutoring.rules import affect_signs
from tutoring.rules.affect_signs import WINDOW, Signs, signs_at, slope
from tutoring.rules.affect_words import settings, words_of
from tutoring.rules.exchanges import Exchange
from tutoring.rules.indications import indications
from tutoring.rules.moves import CONFUSED_TURNS, UPSET

Action = Literal["", "simplify", "hint_soon", "represent", "break_choice", "ask_attempt"]

MEASURES: Final = ("frustration", "confusion", "boredom")
SMOOTHING: Final = 0.4
"""What a turn counts beside all before it."""
USUAL: Final = 0.1
"""A level before anything was seen."""
RELIEVED: Final = 0.45
"""The level below which what was begun at 0.6 is left off again."""
HELD_TURNS: Final = 2
KNOWN: Final = 0.85
BORED_BY_KNOWN: Final = 0.5
"""Boredom from which something harder is offered, where what is taught looks known: the offer costs nothing."""
SAID: Final[Mapping[str, str]] = {"frustrated": "frustration", "confused": "confusion", "bored": "boredom", "fine": ""}
"""What the learner says → the measure that is high then."""
SAID_LEVEL, OTHERWISE = 0.85, 0.2
GUESSES_OF_GAMING: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """How it seems to go after a turn; levels from 0 to 1."""

    frustration: float = USUAL
    confusion: float = USUAL
    boredom: float = USUAL
    gaming: bool = False
    """Guesses without reading and hints without trying: the next hint waits for an attempt."""

    @property
    def engagement(self) -> float:
        """How much the learner is with it."""
        return engagement_of(self.frustration, self.boredom)


@dataclass(frozen=True, slots=True, kw_only=True)
class Affect(Moment):
    """How it seems to go now, and how it came to that."""

    trend: Mapping[str, float] = field(default_factory=dict)
    """frustration, confusion, boredom, engagement → change a turn, over the last five."""
    indicators: tuple[str, ...] = ()
    """What was seen, in words: "three wrong in a row", "long pause", "said “…”"."""
    confused_turns: int = 0
    """Turns in a row up to this one with a confusion of 0.6 and more."""
    answers: int = 0
    """Judged answers among the turns."""
    self_report: str = ""
    history: tuple[Moment, ...] = ()
    """After each turn, oldest first, without what the learner says of it."""


def engagement_of(frustration: float, boredom: float) -> float:
    """Return how much somebody is with it."""
    return 1 - max(boredom, 0.7 * frustration)


def affect_of(
    turns: Sequence[Exchange], *, mastery: float | None = None, attempts: int = 0, self_report: str = ""
) -> Affect:
    """Return how it seems to go after the latest turn, of turns oldest first; what the learner says of it overrides.

    About 4 ms for words of the last five turns that were not heard before, less than one for the rest.
    """
    # The words of earlier turns hardly count any more, and need no classifier beside the listed ones.
    words = [words_of(turn.text, with_model=place >= len(turns) - WINDOW) for place, turn in enumerate(turns)]
    attempts_by = [attempts - ago for ago in reversed(range(len(turns)))]
    signs = [signs_at(turns, place, words, mastery=mastery, attempts=attempts_by[place]) for place in range(len(turns))]
    history = _history(turns, signs)
    now = history[-1] if history else Moment()
    self_report = self_report if self_report in SAID else ""
    return Affect(
        **_said(self_report, now),
        gaming=now.gaming,
        trend={name: slope([getattr(each, name) for each in history[-WINDOW:]]) for name in (*MEASURES, "engagement")},
        indicators=indications(turns, words, signs[-1]) if signs else (),
        confused_turns=_confused_turns(history, self_report),
        answers=sum(turn.correct is not None for turn in turns),
        self_report=self_report,
        history=history,
    )


def wanted(affect: Affect, p_high: float) -> Action:
    """Return what the next turn should do about it, "" for nothing; `p_high`: how likely what is taught is known already.

    What was begun is kept for two turns and until the level has come down; what the learner says of it counts at once.
    """
    if affect.self_report:
        return _after_report(affect)
    held: Action = ""
    kept = HELD_TURNS
    for index in range(len(affect.history)):
        fits = _fitting(affect.history[: index + 1], held, p_high=p_high)
        if fits != held and kept >= HELD_TURNS:
            held, kept = fits, 1
        else:
            kept += 1
    return held


def _after_report(affect: Affect) -> Action:
    match affect.self_report:
        case "frustrated":
            return "simplify"
        case "bored":
            return "break_choice"
        case "confused":
            return "represent"  # Whoever says so has waited long enough.
        case _:
            return "ask_attempt" if affect.gaming else ""


def _fitting(history: Sequence[Moment], held: Action, *, p_high: float) -> Action:
    now, confused = history[-1], confused_turns_in(history)
    bored_from = BORED_BY_KNOWN if p_high >= KNOWN else UPSET
    if now.frustration >= (RELIEVED if held == "simplify" else UPSET):
        return "simplify"
    if now.gaming:
        return "ask_attempt"
    if confused >= CONFUSED_TURNS or (held == "represent" and now.confusion >= RELIEVED):
        return "represent"
    if now.boredom >= (RELIEVED if held == "break_choice" else bored_from):
        return "break_choice"
    # For a turn, confusion is left to work; then comes the hint.
    if confused > 1 or (held == "hint_soon" and now.confusion >= RELIEVED):
        return "hint_soon"
    return ""


def _levels(signs: Signs) -> dict[str, float]:
    return {
        measure: 1 / (1 + math.exp(-sum(weight * signs.get(name, 1.0) for name, weight in weights.items())))
        for measure, weights in settings()["weights"].items()
    }


def _history(turns: Sequence[Exchange], signs: Sequence[Signs]) -> tuple[Moment, ...]:
    """Return the levels after each turn, smoothed over those before it."""
    before = dict.fromkeys(MEASURES, USUAL)
    history = []
    for place, each in enumerate(signs):
        levels = _levels(each)
        before = {name: SMOOTHING * levels[name] + (1 - SMOOTHING) * before[name] for name in MEASURES}
        history.append(Moment(**before, gaming=_is_gaming(turns[: place + 1])))
    return tuple(history)


def _said(self_report: str, now: Moment) -> dict[str, float]:
    """Return the levels as the learner says they are; as they were seen where nothing is said."""
    seen = {name: getattr(now, name) for name in MEASURES}
    if not self_report:
        return seen
    high = SAID[self_report]
    return {name: max(SAID_LEVEL, seen[name]) if name == high else min(OTHERWISE, seen[name]) for name in MEASURES}


def _confused_turns(history: Sequence[Moment], self_report: str) -> int:
    seen = confused_turns_in(history)
    if self_report == "confused":
        return max(1, seen)
    return 0 if self_report else seen


def confused_turns_in(history: Sequence[Moment]) -> int:
    """Return how many of the latest turns in a row had a confusion of 0.6 and more."""
    return sum(1 for _ in takewhile(lambda each: each.confusion >= UPSET, reversed(history)))


def _is_gaming(turns: Sequence[Exchange]) -> bool:
    """Tell whether the window shows guesses that nothing was read for, and hints that nothing was tried before."""
    window = range(max(0, len(turns) - WINDOW), len(turns))
    guesses = sum(turns[index].correct is not None and affect_signs.is_rapid(turns, index) for index in window)
    hints = any(affect_signs.hints_fast(turns[index]) for index in window)
    return hints and guesses >= GUESSES_OF_GAMING
