"""Which level simulated learners state, and how often they are wrong about it."""

from collections.abc import Mapping
from random import Random
from typing import Final

from tutoring.mastery.placement import Level, learner_level

LEVELS: Final[tuple[Level, ...]] = ("unknown", "beginner", "intermediate", "advanced")
NEWCOMERS: Final = (0.15, 0.80, 0.05, 0.0)
BY_LEVEL: Final[Mapping[Level, tuple[float, ...]]] = {
    "beginner": (0.15, 0.60, 0.20, 0.05),
    "intermediate": (0.15, 0.15, 0.60, 0.10),
    "advanced": (0.15, 0.05, 0.20, 0.60),
}
"""How often (0–1) each of the levels is stated by whoever has this one; "unknown" is said by those who state none."""


def stated_level(known: Mapping[str, bool], rng: Random, *, newcomer: bool = False) -> Level:
    """Return what somebody who knows this states. A newcomer is surer to be one than others are of their level."""
    level = learner_level([float(each) for each in known.values()], answers=1)
    return rng.choices(LEVELS, NEWCOMERS if newcomer else BY_LEVEL[level])[0]
