"""A class of 40 pupils and 60 concepts with 500,000 answers: its pages, its poll, and the table of all answers."""

import os
from contextlib import suppress
from unittest.mock import patch

from bench.harness import Samples, interleaved
from bench.report import Gate, Report
from tests import postgres

MODULE = "bench.contenders.class_pages"
SQLITE, POSTGRESQL = "SQLite", "PostgreSQL"
P95_MS, QUERIES, GROWN_MB = 200, 14, 50


def run() -> Report:
    samples = interleaved({SQLITE: f"{MODULE}:sample_class"}, rounds=1)
    with suppress(postgres.CannotStart), postgres.running() as server:
        server.create_database()
        with patch.dict(os.environ, {"DATABASE_URL": server.url}):
            taken = interleaved({POSTGRESQL: f"{MODULE}:sample_class"}, rounds=1)
        samples.taken.update(taken.taken)
        samples.pressure.extend(taken.pressure)
    return Report(
        title="pages of a class of 40 pupils and 60 concepts with 500,000 answers",
        rows=samples.medians(),
        gates=tuple(gate for database in samples.taken for gate in _gates(samples, database)),
        goals=tuple(
            Gate(
                claim=f"ms of the page, p95, {database}", seen=samples.median(database, "board_p95_ms"), at_most=P95_MS
            )
            for database in samples.taken
        ),
        pressure=tuple(samples.pressure),
    )


def _gates(samples: Samples, database: str) -> tuple[Gate, ...]:
    seen = {
        "queries of the page": ("board_queries", QUERIES),
        "queries of a poll without news": ("poll_queries", 4),
        "CPU ms of the page, p95": ("board_p95_cpu_ms", P95_MS),
        "MB that the table of all answers takes": ("csv_grown_mb", GROWN_MB),
    }
    return tuple(
        Gate(claim=f"{claim}, {database}", seen=samples.median(database, figure), at_most=most)
        for claim, (figure, most) in seen.items()
    )
