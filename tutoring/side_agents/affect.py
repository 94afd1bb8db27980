"""Estimates how a lesson is going for the learner: weak evidence, to be acted on softly and never told as a fact.

What learners say and how they answer count; a pause, a short message or a "next" does not. A logistic sum of the signs of each
turn's window, smoothed over the turns. Weights chosen on tests/tutoring/side_agents/affect_dev.jsonl, 2026-11-23; to be refitted to what
learners say themselves.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Final, Literal

from tutoring.lesson.moves import CONFUSED_TURNS_NEEDED, UPSET_FROM
from tutoring.mastery.turn_evidence import LearnerTurn
from tutoring.side_agents.affect_signs import WINDOW, describe_signs, is_gaming, is_proven, slope, window_signs

Action = Literal["", "simplify", "hint_soon", "represent", "break_choice", "ask_attempt"]

MEASURES: Final = ("frustration", "confusion", "boredom")
WEIGHTS: Final[Mapping[str, Mapping[str, float]]] = {
    # "i hate this" (3.8) weighs more than three wrong answers in a row (3 × 0.9). All weights were chosen by macro-F1
    # on affect_dev.jsonl (.74), with no contented session taken for another.
    "frustration": {
        "bias": -1.7, "frustrated": 3.8, "confused": -1.5, "bored": -0.6, "wrong_streak": 0.9, "surprise": 0.5,
        "hints_fast": 0.5, "repeats": 0.4, "attempts": 0.1,
    },
    # Hardly anything but words: "i dont get it" counts, a slow or short answer does not.
    "confusion": {
        "bias": -2.3, "confused": 5.5, "frustrated": -0.6, "bored": -0.4, "wrong_streak": 0.4, "attempts": 0.05,
    },
    # "this is boring" counts; short answers and pauses do not (macro-F1 was .85 with them): alone they say nothing.
    "boredom": {"bias": -1.8, "bored": 5.0, "frustrated": -1.5, "confused": -0.8, "guesses": 0.3, "known": 0.3},
}  # fmt: skip
"""Measure → sign (see affect_signs.py) → its weight in the log odds; "bias" is the sum without any sign."""
# Raised from .4 on affect_dev.jsonl (2026-11-23), so that what learners say of their mood counts sooner.
SMOOTHING: Final = 0.6
"""Weight of a turn compared with all before it."""
BASELINE_LEVELS: Final = 0.1
"""A level before anything was seen."""
# Lower than the .6 it starts at (UPSET_FROM), so that an effect does not flicker on and off. Chosen by hand.
RELIEVED_BELOW: Final = 0.45
"""The level below which a response that began at 0.6 ends."""
# One turn is too short to see whether a smaller step helped. Chosen by hand.
ACTION_HELD_TURNS: Final = 2
# The mastery threshold of a course (knowledge_tracing.DEFAULT_THRESHOLD).
KNOWN: Final = 0.85
# Lower than UPSET_FROM (.6). Chosen by hand.
BORED_BY_KNOWN: Final = 0.5
"""Boredom from which something harder is offered if the topic looks known: the offer costs nothing."""
MEASURE_BY_SELF_REPORT: Final[Mapping[str, str]] = {
    "frustrated": "frustration",
    "confused": "confusion",
    "bored": "boredom",
    "fine": "",
}
"""What the learner says in one tap → the measure that is then high."""
ACTION_BY_SELF_REPORT: Final[Mapping[str, Action]] = {
    "frustrated": "simplify",
    "confused": "represent",
    "bored": "break_choice",
}
"""What is done at once if the learner says so: whoever says it has waited long enough."""
# Well above UPSET_FROM and below RELIEVED_BELOW: one tap always starts its effect and ends all others.
SAID_LEVEL, OTHERWISE = 0.85, 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class AffectLevels:
    """The estimate after a turn; levels from 0 to 1."""

    frustration: float = BASELINE_LEVELS
    confusion: float = BASELINE_LEVELS
    boredom: float = BASELINE_LEVELS
    gaming: bool = False
    """Guesses without reading and hints without trying: the next hint waits for an attempt."""
    proven: bool = False
    """Whether the latest answers were right without help: only then may something harder come."""

    @property
    def engagement(self) -> float:
        """How much the learner is with it."""
        # A frustrated learner may still be working: frustration takes less away than boredom. Chosen by hand.
        return 1 - max(self.boredom, 0.7 * self.frustration)


@dataclass(frozen=True, slots=True, kw_only=True)
class Affect(AffectLevels):
    """The current estimate and its history."""

    trend: Mapping[str, float] = field(default_factory=dict)
    """frustration, confusion, boredom, engagement → change per turn, over the last five."""
    indicators: tuple[str, ...] = ()
    """What was seen, in words: "three wrong answers in a row", "said “…”"."""
    self_report: str = ""
    history: tuple[AffectLevels, ...] = ()
    """After each turn, oldest first, without what the learner says in one tap."""


def estimate_affect(
    turns: Sequence[LearnerTurn], *, mastery: float | None = None, attempts: int = 0, self_report: str = ""
) -> Affect:
    """Return the estimate after the latest turn, of turns oldest first; what the learner says in one tap overrides it."""
    history = _history(turns, mastery=mastery, attempts=attempts)
    now = history[-1] if history else AffectLevels()
    self_report = self_report if self_report in MEASURE_BY_SELF_REPORT else ""
    return Affect(
        **_self_reported_levels(self_report, now),
        gaming=now.gaming,
        proven=now.proven,
        trend={name: slope([getattr(each, name) for each in history[-WINDOW:]]) for name in (*MEASURES, "engagement")},
        indicators=describe_signs(turns),
        self_report=self_report,
        history=history,
    )


def choose_action(affect: Affect, p_high: float) -> Action:
    """Return what the next turn should do about it, "" for nothing; `p_high`: how likely the topic is known already.

    A response lasts two turns and until the level has come down; what the learner says counts at once.
    """
    if affect.self_report:
        return ACTION_BY_SELF_REPORT.get(affect.self_report) or ("ask_attempt" if affect.gaming else "")
    held: Action = ""
    kept = ACTION_HELD_TURNS
    for index in range(len(affect.history)):
        fits = _action_for(affect.history[: index + 1], held, p_high=p_high)
        if fits != held and kept >= ACTION_HELD_TURNS:
            held, kept = fits, 1
        else:
            kept += 1
    return held


def _action_for(history: Sequence[AffectLevels], held: Action, *, p_high: float) -> Action:
    now = history[-1]
    confused = sum(1 for _ in takewhile(lambda each: each.confusion >= UPSET_FROM, reversed(history)))
    if now.frustration >= (RELIEVED_BELOW if held == "simplify" else UPSET_FROM):
        return "simplify"
    if now.gaming:
        return "ask_attempt"
    if confused >= CONFUSED_TURNS_NEEDED or (held == "represent" and now.confusion >= RELIEVED_BELOW):
        return "represent"
    bored_from = BORED_BY_KNOWN if p_high >= KNOWN else UPSET_FROM
    if now.proven and now.boredom >= (RELIEVED_BELOW if held == "break_choice" else bored_from):
        return "break_choice"
    # Confusion is left to work for a turn; then comes the hint.
    if confused > 1 or (held == "hint_soon" and now.confusion >= RELIEVED_BELOW):
        return "hint_soon"
    return ""


def _history(turns: Sequence[LearnerTurn], *, mastery: float | None, attempts: int) -> tuple[AffectLevels, ...]:
    """Return the levels after each turn, smoothed over those before it."""
    before = dict.fromkeys(MEASURES, BASELINE_LEVELS)
    history = []
    for place in range(len(turns)):
        ago = len(turns) - 1 - place
        signs = {"bias": 1.0, **window_signs(turns, place, mastery=mastery, attempts=attempts - ago)}
        for name, weights in WEIGHTS.items():
            level = 1 / (1 + math.exp(-sum(weight * signs[sign] for sign, weight in weights.items())))
            before[name] = SMOOTHING * level + (1 - SMOOTHING) * before[name]
        so_far = turns[: place + 1]
        history.append(AffectLevels(**before, gaming=is_gaming(so_far), proven=is_proven(so_far)))
    return tuple(history)


def _self_reported_levels(self_report: str, now: AffectLevels) -> dict[str, float]:
    """Return the levels as the learner says they are; unchanged if they say nothing."""
    seen = {name: getattr(now, name) for name in MEASURES}
    if not self_report:
        return seen
    high = MEASURE_BY_SELF_REPORT[self_report]
    return {name: max(SAID_LEVEL, seen[name]) if name == high else min(OTHERWISE, seen[name]) for name in MEASURES}
