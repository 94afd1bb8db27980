"""Drill: attacks and faults that a trial of the running program found, each played on a served program of its own."""

from collections.abc import Iterator

from drills.prepared import Prepared
from drills.result import Result
from drills.trial import requests, secrets, storage, teaching


def run(base: Prepared) -> Iterator[Result]:
    for part in (requests, secrets, teaching, storage):
        for row in part.ROWS:
            yield row(base)
