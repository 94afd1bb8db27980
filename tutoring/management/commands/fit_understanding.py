"""Fit what understands messages on its labelled rows, or tell whether what is kept belongs to them."""

import os
from argparse import ArgumentParser
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError

from tutoring.understanding import fitting


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitter:
    """Something that is fitted on labelled rows and kept in a file."""

    name: str
    is_current: Callable[[], bool]
    """Whether what is kept belongs to the rows as they are."""
    fit: Callable[[], str]
    """Fits and keeps; returns what to tell of it."""


FITTERS: Final[tuple[Fitter, ...]] = (Fitter(name="general", is_current=fitting.is_current, fit=fitting.fit),)


class Command(BaseCommand):
    help = (
        "Fits what tells intents and moods on tutoring/understanding/data and keeps it in weights/. With --check, changes"
        " nothing and exits 1 where what is kept does not belong to the data."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--check", action="store_true", help="only tell whether the kept weights belong to the data"
        )

    def handle(self, *args: Any, check: bool, **options: Any) -> None:
        # One thread: on small matrices several wait for each other, and sum in another order.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        if check:
            stale = [each.name for each in FITTERS if not each.is_current()]
            if stale:
                raise CommandError(f"not fitted on the data as it is: {', '.join(stale)}. Run fit_understanding.")
            self.stdout.write("fitted on the data as it is")
            return
        for each in FITTERS:
            self.stdout.write(f"{each.name}: {each.fit()}")
