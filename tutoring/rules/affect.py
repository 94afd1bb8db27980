"""How it goes for the learner, by words, clock and answers alone: weak evidence, to be acted on softly and never told as a fact.

A logistic sum of the signs of each turn's window (weights in affect.yaml), smoothed over the turns.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import TYPE_CHECKING, Final, Literal

from tutoring.rules import affect_signs
from tutoring.rules.affect_signs import WINDOW, Signs, signs_at, slope
from tutoring.rules.affect_words import Words, settings, words_of
from tutoring.rules.indications import indications
from tutoring.rules.moves import CONFUSED_TURNS, UPSET

if TYPE_CHECKING:
    from tutoring.hub.facts import Exchange

type Levels = Mapping[str, float]
"""frustration, confusion, boredom, engagement → 0–1."""
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
HEARD_TURNS: Final = 3
"""The latest turns, which the small classifier hears too; listed words say enough of those before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Affect:
    """How it seems to go; levels from 0 to 1."""

    frustration: float = USUAL
    confusion: float = USUAL
    boredom: float = USUAL
    trend: Mapping[str, float] = field(default_factory=dict)
    """frustration, confusion, boredom, engagement → change a turn, over the last five."""
    indicators: tuple[str, ...] = ()
    """What was seen, in words: "three wrong in a row", "long pause", "said “…”"."""
    gaming: bool = False
    """Guesses without reading and hints without trying: the next hint waits for an attempt."""
    confused_turns: int = 0
    """Turns in a row up to this one with a confusion of 0.6 and more."""
    answers: int = 0
    """Judged answers among the turns."""
    self_report: str = ""
    history: tuple[Levels, ...] = ()
    """The levels after each turn, oldest first, without what the learner says of it."""

    @property
    def engagement(self) -> float:
        """How much the learner is with it."""
        return engagement_of(self.frustration, self.boredom)


def affect_of(
    turns: Sequence["Exchange"], *, mastery: float | None = None, attempts: int = 0, self_report: str = ""
) -> Affect:
    """Return how it seems to go after the latest turn, of turns oldest first; what the learner says of it overrides."""
    words = [words_of(turn.text, with_model=place >= len(turns) - HEARD_TURNS) for place, turn in enumerate(turns)]
    signs = [_signs(turns, place, words, mastery=mastery, attempts=attempts) for place in range(len(turns))]
    history = _smoothed([_levels(each) for each in signs])
    now = history[-1] if history else _with_engagement(dict.fromkeys(MEASURES, USUAL))
    self_report = self_report if self_report in SAID else ""
    said = _said(self_report, now)
    return Affect(
        frustration=said["frustration"],
        confusion=said["confusion"],
        boredom=said["boredom"],
        trend={name: slope([levels[name] for levels in history[-WINDOW:]]) for name in now},
        indicators=indications(turns, words, signs[-1]) if signs else (),
        gaming=_is_gaming(turns),
        confused_turns=_confused_turns(history, self_report),
        answers=sum(turn.correct is not None for turn in turns),
        self_report=self_report,
        history=tuple(history),
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
        is_last = index == len(affect.history) - 1
        fits = _fitting(affect.history[: index + 1], held, p_high=p_high, gaming=affect.gaming and is_last)
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
            return "represent" if affect.confused_turns >= CONFUSED_TURNS else "hint_soon"
        case _:
            return "ask_attempt" if affect.gaming else ""


def _fitting(history: Sequence[Levels], held: Action, *, p_high: float, gaming: bool) -> Action:
    now, confused = history[-1], _confused_turns(history, "")
    bored_from = BORED_BY_KNOWN if p_high >= KNOWN else UPSET
    if now["frustration"] >= (RELIEVED if held == "simplify" else UPSET):
        return "simplify"
    if gaming:
        return "ask_attempt"
    if confused >= CONFUSED_TURNS or (held == "represent" and now["confusion"] >= RELIEVED):
        return "represent"
    if now["boredom"] >= (RELIEVED if held == "break_choice" else bored_from):
        return "break_choice"
    # For a turn, confusion is left to work; then comes the hint.
    if confused > 1 or (held == "hint_soon" and now["confusion"] >= RELIEVED):
        return "hint_soon"
    return ""


def _signs(
    turns: Sequence["Exchange"], place: int, words: Sequence[Words], *, mastery: float | None, attempts: int
) -> Signs:
    """Return the signs at a turn; mastery and attempts are known of the last alone."""
    if place < len(turns) - 1:
        mastery, attempts = None, 0
    return signs_at(turns, place, words, mastery=mastery, attempts=attempts)


def _levels(signs: Signs) -> Levels:
    return {
        measure: 1 / (1 + math.exp(-sum(weight * signs.get(name, 1.0) for name, weight in weights.items())))
        for measure, weights in settings()["weights"].items()
    }


def _smoothed(levels: Sequence[Levels]) -> list[Levels]:
    before: Levels = dict.fromkeys(MEASURES, USUAL)
    smoothed: list[Levels] = []
    for each in levels:
        before = _with_engagement({name: SMOOTHING * each[name] + (1 - SMOOTHING) * before[name] for name in MEASURES})
        smoothed.append(before)
    return smoothed


def _with_engagement(levels: Levels) -> Levels:
    return {**levels, "engagement": engagement_of(levels["frustration"], levels["boredom"])}


def engagement_of(frustration: float, boredom: float) -> float:
    """Return how much somebody is with it."""
    return 1 - max(boredom, 0.7 * frustration)


def _said(self_report: str, now: Levels) -> Levels:
    """Return the levels as the learner says they are; as they were seen where nothing is said."""
    if self_report not in SAID:
        return now
    high = SAID[self_report]
    return {name: max(SAID_LEVEL, now[name]) if name == high else min(OTHERWISE, now[name]) for name in MEASURES}


def _confused_turns(history: Sequence[Levels], self_report: str) -> int:
    count = sum(1 for _ in takewhile(lambda levels: levels["confusion"] >= UPSET, reversed(history)))
    if self_report in SAID:
        return max(1, count) if self_report == "confused" else 0
    return count


def _is_gaming(turns: Sequence["Exchange"]) -> bool:
    """Tell whether the window shows guesses that nothing was read for, and hints that nothing was tried before."""
    window = range(max(0, len(turns) - WINDOW), len(turns))
    guesses = sum(turns[index].correct is not None and affect_signs.is_rapid(turns, index) for index in window)
    hints = any(affect_signs.hints_fast(turns[index]) for index in window)
    return hints and guesses >= GUESSES_OF_GAMING
