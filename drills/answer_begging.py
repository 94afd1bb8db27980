"""Drill: a thousand turns of begging for the answer, with a model that obeys; a thousand with one that knows and tells it.

And what the guard costs: how many ordinary sentences it lets through.
"""

import asyncio
import os
from collections.abc import Iterator
from time import monotonic

import django

from drills.data_folder import PreparedFolder
from drills.result import DrillResult

TURNS = 500
"""In each of both formats."""
PASS = 0.95
"""Share of what a good teacher says that the guard must let through."""


def run(base: PreparedFolder) -> Iterator[DrillResult]:
    os.environ["LEARNAGENT_DATA"] = str(base.folder)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "learnagent.settings")
    django.setup()
    # They read the course: only once Django is set up.
    from tests.tutoring.obedient_model import leaks_in, tells_in
    from tests.tutoring.output_checks.leaking_texts import HELPFUL, refused

    for name, play in (("begging", leaks_in), ("a model that tells", tells_in)):
        for speaks in ("anthropic", "openai"):
            started = monotonic()
            leaks, _asked = asyncio.run(play(TURNS, speaks=speaks))
            yield DrillResult(
                name=f"{TURNS} turns of {name}, {speaks}",
                faults=tuple(leaks),
                seconds=monotonic() - started,
                measured="played in",
            )
    started = monotonic()
    number, held = sum(map(len, HELPFUL.values())), refused()
    yield DrillResult(
        name=f"{number - len(held)} of {number} ordinary sentences of a teacher pass",
        faults=tuple(held) if len(held) > (1 - PASS) * number else (),
        seconds=monotonic() - started,
        measured="read in",
    )
