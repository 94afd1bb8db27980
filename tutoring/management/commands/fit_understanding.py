"""Train the message classifiers on their labelled rows, or check whether the stored weights match the rows."""

import os
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from tutoring.courses.files.loader import parse_course
from tutoring.understanding.classifiers import course_heads
from tutoring.understanding.training import course_heads_fitting, general_heads_fitting


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitter:
    """A classifier that is trained on labelled rows and stored in a file."""

    name: str
    is_current: Callable[[], bool]
    """Whether the stored weights match the rows as they are."""
    fit: Callable[[], str]
    """Trains and stores; returns a report."""


GENERAL: Final = Fitter(name="general", is_current=general_heads_fitting.is_current, fit=general_heads_fitting.fit)


def fitters() -> Iterator[Fitter]:
    """Yield the general classifiers, and those of each shipped course with labelled wordings."""
    yield GENERAL
    for folder in sorted(path.parent for path in (Path(settings.BASE_DIR) / "courses").glob("*/sayings.yaml")):
        course = parse_course(folder)
        yield Fitter(
            name=folder.name,
            is_current=partial(course_heads.is_shipped, course),
            fit=partial(course_heads_fitting.fit_shipped, course),
        )


class Command(BaseCommand):
    help = (
        "Trains the intent and mood classifiers on tutoring/understanding/data, and the misconception and "
        "milestone classifiers on the shipped courses' wordings, and stores both in weights/. Leaves what matches the "
        "data as it is. With --check, "
        "changes nothing and exits 1 if the stored weights do not match the data."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="only check whether the stored weights match the data")

    def handle(self, *args: Any, check: bool, **options: Any) -> None:
        # One thread: on small matrices several wait for each other, and sum in another order.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        if check:
            stale = [each.name for each in fitters() if not each.is_current()]
            if stale:
                raise CommandError(f"weights do not match the data: {', '.join(stale)}. Run fit_understanding.")
            self.stdout.write("weights match the data")
            return
        for each in fitters():
            done = "matches the data" if each.is_current() else each.fit()
            self.stdout.write(f"{each.name}: {done}")
