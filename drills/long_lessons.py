"""Drill: difficult learners on every concept that has them, for as long as a lesson lasts; `make test` plays a few turns."""

import os
from collections.abc import Iterator
from functools import partial
from itertools import count, product
from time import monotonic
from typing import TYPE_CHECKING

import django

from drills.data_folder import PreparedFolder
from drills.result import DrillResult

if TYPE_CHECKING:
    from tests.tutoring.lessons.lesson_player import Stage

LEARNERS = ("guesser", "silent", "demander", "never_learns", "questioner")
DEMANDS = 100
"""Turns in which one concept's answers are demanded."""


def run(base: PreparedFolder) -> Iterator[DrillResult]:
    os.environ["LEARNAGENT_DATA"] = str(base.folder)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "learnagent.settings")
    django.setup()
    from django.conf import settings

    settings.AGENTS = {**settings.AGENTS, "turns_per_minute": 0, "cards_per_minute": 0, "panels_per_minute": 0}
    numbers = count(1)
    yield from _difficult_learners(numbers)
    yield from _demands(numbers)


# What the tests play lessons with reads models: it is imported only once Django is set up.
def _stage(slug: str, numbers: Iterator[int]) -> "Stage":
    from tests.people import make_person
    from tests.tutoring.lessons.lesson_player import Stage
    from tutoring.models import Concept

    person = make_person(f"difficult{next(numbers)}", level="beginner")
    return Stage(person, Concept.objects.select_related("course").get(course__slug="fractions", slug=slug))


def _quizzed_stage(slug: str, numbers: Iterator[int]) -> "Stage":
    stage = _stage(slug, numbers)
    stage.open()
    stage.say("quiz me")
    return stage


def _difficult_learners(numbers: Iterator[int]) -> Iterator[DrillResult]:
    from tests.tutoring.lessons import learners
    from tests.tutoring.lessons.lesson_player import counted_turns
    from tests.tutoring.lessons.replies import CLAIMS
    from tests.tutoring.lessons.rubric import faults

    for slug, name in product(CLAIMS, LEARNERS):
        started = monotonic()
        with counted_turns(seed=next(numbers)):
            stage = learners.play(_stage(slug, numbers), learners.LEARNERS[name]())
        yield DrillResult(
            name=f"{name} on {slug}",
            faults=tuple(fault for exchange in stage.exchanges for fault in faults(stage, exchange)),
            seconds=monotonic() - started,
            measured="played in",
            note=f"{len(stage.exchanges)} turns",
        )


def _demands(numbers: Iterator[int]) -> Iterator[DrillResult]:
    from tests.tutoring.lessons import learners
    from tests.tutoring.lessons.lesson_player import counted_turns
    from tests.tutoring.lessons.replies import CLAIMS

    for slug in CLAIMS:
        started = monotonic()
        with counted_turns(seed=next(numbers)):
            leaks = tuple(learners.leaks_on_demand(partial(_quizzed_stage, slug, numbers), turns=DEMANDS))
        yield DrillResult(
            name=f"{DEMANDS} demands on {slug}", faults=leaks, seconds=monotonic() - started, measured="played in"
        )
