"""Drill: attacks and faults that a trial of the running program found, each played on a served program of its own."""

from collections.abc import Iterator

from drills.data_folder import PreparedFolder
from drills.regressions import open_questions, request_floods, secret_leaks, storage_outages
from drills.result import DrillResult


def run(base: PreparedFolder) -> Iterator[DrillResult]:
    for part in (request_floods, secret_leaks, open_questions, storage_outages):
        for row in part.ROWS:
            yield row(base)
