"""Drill: a learner who wavers goes through the first concepts of a course; the transcript is there to be read."""

import os
from collections.abc import Iterator
from time import monotonic

import django

from drills.data_folder import PreparedFolder
from drills.result import DrillResult

CONCEPTS = ("equal-parts", "one-half", "unit-fractions", "compare-unit-fractions")
LEARNER = "learner5"


def run(base: PreparedFolder) -> Iterator[DrillResult]:
    os.environ["LEARNAGENT_DATA"] = str(base.folder)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "learnagent.settings")
    django.setup()
    # These read models: only once Django is set up.
    from django.conf import settings

    from learnagent.accounts.models import Person
    from tests.tutoring.lessons.learners import Wavering, play
    from tests.tutoring.lessons.lesson_player import Stage, counted_turns
    from tests.tutoring.lessons.rubric import faults
    from tests.tutoring.lessons.transcript import transcript
    from tutoring.models import Concept

    settings.AGENTS = {**settings.AGENTS, "turns_per_minute": 0, "cards_per_minute": 0, "panels_per_minute": 0}
    person = Person.objects.get(username=LEARNER)
    for number, slug in enumerate(CONCEPTS):
        started = monotonic()
        with counted_turns(seed=number):
            concept = Concept.objects.select_related("course").get(course__slug="fractions", slug=slug)
            stage = play(Stage(person, concept), Wavering())
        print(f"\n===== {concept.title} =====\n{transcript(stage)}\n", flush=True)
        yield DrillResult(
            name=f"a lesson on {slug}",
            faults=tuple(fault for exchange in stage.exchanges for fault in faults(stage, exchange)),
            seconds=monotonic() - started,
            measured="played in",
            note=f"{len(stage.exchanges)} turns",
        )
