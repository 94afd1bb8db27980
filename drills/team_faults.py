"""Drill: the whole way from a goal to the first thing mastered, past every agent, with each fault on: V1 to V17.

The cycle ends, and what is stored is right: goal, placement, cycles, mastery, questions, shared state; no answer leaks.
"""

import asyncio
import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from itertools import count, product
from time import monotonic
from typing import Any

import django

from drills.data_folder import PreparedFolder
from drills.result import DrillResult
from tests.provider import Provider
from tests.provider.faults import all_faults

MISSES = 4
"""Questions missed at first, so that a cycle fails."""
OUTAGE = "V17:gone"
AT_MOST: Mapping[str, int] = {"V14:tokens": 3, "V14:line": 3}
"""Requests that a fault strikes, where each takes long; all of them for the others."""


def run(base: PreparedFolder) -> Iterator[DrillResult]:
    os.environ["LEARNAGENT_DATA"] = str(base.folder)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "learnagent.settings")
    django.setup()
    # These read models: only once Django is set up.
    from tests.tutoring import team_journey
    from tests.tutoring.local_provider import WIRES

    numbers = count(1)
    for wire, fault in product(WIRES, ("", *all_faults(), OUTAGE)):
        yield _played(next(numbers), wire=wire, fault=fault)
    for agent, how in product(team_journey.AGENTS, team_journey.FAILURES):
        yield _played(next(numbers), agent=agent, how=how)


def _played(number: int, *, wire: str = "", fault: str = "", agent: str = "", how: str = "") -> DrillResult:
    """Play one learner's way with a model at fault, or with an agent that fails once."""
    from django.conf import settings
    from django.test import override_settings

    from tests.people import make_person
    from tests.tutoring import team_journey
    from tests.tutoring.lessons.lesson_player import SPEAKERS, Stage, counted_turns
    from tests.tutoring.local_provider import connected

    unhurried = {**settings.AGENTS, "turns_per_minute": 0, "cards_per_minute": 0, "panels_per_minute": 0}
    person = make_person(f"team{number}", level="beginner")
    started = monotonic()
    with ExitStack() as stack:
        stack.enter_context(override_settings(AGENTS=unhurried))
        provider = stack.enter_context(Provider(beat_s=0.01))
        speakers: Any = SPEAKERS
        walk: Any = asyncio.run
        if wire:
            by_model = stack.enter_context(connected(provider, wire, outside=False))
            speakers, walk = by_model.speakers, by_model.walk
            _break(provider, fault)
        if agent:
            speakers = stack.enter_context(team_journey.failing(agent, how, speakers))
        stack.enter_context(counted_turns(seed=number))
        stage = team_journey.play(Stage(person, speakers=speakers, walk=walk), misses=MISSES)
        faults = tuple(team_journey.faults(stage, misses=MISSES))
    return DrillResult(
        name=f"V16 {agent} {how}" if agent else f"{wire} {fault or 'well'}",
        faults=faults,
        seconds=monotonic() - started,
        measured="played in",
        note=f"{len(stage.exchanges)} turns, round {stage.standing.cycle.number}, {provider.attempts} requests",
    )


def _break(provider: Provider, fault: str) -> None:
    if fault == OUTAGE:
        provider.outage()
    elif fault:
        provider.fault(fault, times=AT_MOST.get(fault))
