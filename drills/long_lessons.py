"""Drill: difficult learners on every concept that has them, for as long as a lesson lasts; `make test` plays a few turns."""

import os
from collections.abc import Iterator
from itertools import count, product
from time import monotonic

import django

from drills.data_folder import PreparedFolder
from drills.result import DrillResult

LEARNERS = ("guesser", "silent", "demander", "never_learns", "questioner")
DEMANDS = 100
"""Turns in which one concept's answers are demanded."""


def run(base: PreparedFolder) -> Iterator[DrillResult]:
    os.environ["LEARNAGENT_DATA"] = str(base.folder)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "learnagent.settings")
    django.setup()
    # These read models: only once Django is set up.
    from django.conf import settings

    from tests.people import make_person
    from tests.tutoring.lessons import learners
    from tests.tutoring.lessons.lesson_player import Stage, counted_turns
    from tests.tutoring.lessons.replies import CLAIMS
    from tests.tutoring.lessons.rubric import faults
    from tutoring.models import Concept

    settings.AGENTS = {**settings.AGENTS, "turns_per_minute": 0, "cards_per_minute": 0}
    numbers = count(1)

    def stage_of(slug: str) -> Stage:
        person = make_person(f"difficult{next(numbers)}", level="beginner")
        return Stage(person, Concept.objects.select_related("course").get(course__slug="fractions", slug=slug))

    def quizzed(slug: str) -> Stage:
        stage = stage_of(slug)
        stage.open()
        stage.say("quiz me")
        return stage

    for slug, name in product(CLAIMS, LEARNERS):
        started = monotonic()
        with counted_turns(seed=next(numbers)):
            stage = learners.play(stage_of(slug), learners.LEARNERS[name]())
        yield DrillResult(
            name=f"{name} on {slug}",
            faults=tuple(fault for exchange in stage.exchanges for fault in faults(stage, exchange)),
            seconds=monotonic() - started,
            measured="played in",
            note=f"{len(stage.exchanges)} turns",
        )
    for slug in CLAIMS:
        started = monotonic()
        with counted_turns(seed=next(numbers)):
            leaks = tuple(learners.leaks_on_demand(lambda slug=slug: quizzed(slug), turns=DEMANDS))
        yield DrillResult(
            name=f"{DEMANDS} demands on {slug}", faults=leaks, seconds=monotonic() - started, measured="played in"
        )
