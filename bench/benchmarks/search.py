"""Whether a textbook's section is found by a definition's words, and how long that takes among 100,000 passages."""

import os
from collections.abc import Mapping
from contextlib import suppress
from unittest.mock import patch

from bench.contenders.library_search import BOOK, NAMED_BY
from bench.harness import Samples, interleaved
from bench.report import Gate, Report
from tests import postgres

MODULE = "bench.contenders.library_search"
RECALL = "recall of a section in the first 5"
TIMED = {"5,000 passages": "sample_thousands", "100,000 passages": "sample_hundred_thousand"}
P95_MS, EMBED_MS = 150, 5


def run() -> Report:
    if not BOOK.exists():
        return Report(title=f"not run: name a textbook, a collection of CNXML as .tar.gz, in {NAMED_BY}", rows={})
    samples = interleaved({RECALL: f"{MODULE}:sample_recall"}, rounds=1)
    for contender in _on("SQLite").items():
        _take(samples, contender)
    for contender in _on("PostgreSQL").items():
        with suppress(postgres.CannotStart), postgres.running() as server:
            server.create_database()
            with patch.dict(os.environ, {"DATABASE_URL": server.url}):
                _take(samples, contender)
    return Report(
        title="a textbook searched by the terms that its authors mark; p95 of queries, embedding included",
        rows=samples.medians(),
        gates=_gates(samples),
        goals=_goals(samples),
        pressure=tuple(samples.pressure),
    )


def _take(samples: Samples, contender: tuple[str, str]) -> None:
    """Add a contender's sample, taken with the machine to itself."""
    taken = interleaved(dict([contender]), rounds=1)
    samples.taken.update(taken.taken)
    samples.pressure.extend(taken.pressure)


def _on(database: str) -> Mapping[str, str]:
    return {f"{name}, {database}": f"{MODULE}:{sample}" for name, sample in TIMED.items()}


def _gates(samples: Samples) -> tuple[Gate, ...]:
    missed = [
        Gate(
            claim=f"share of sections missed, hybrid, asked {how}",
            seen=1 - samples.median(RECALL, f"hybrid_{how.replace(' ', '_')}"),
            at_most=0.05,
        )
        for how in ("by definition", "by name")
    ]
    times = [
        Gate(
            claim=f"CPU ms of a hybrid query, p95, {name}",
            seen=samples.median(name, "hybrid_p95_cpu_ms"),
            at_most=P95_MS,
        )
        for name in _on("SQLite")
    ]
    embed = Gate(
        claim="CPU ms to embed a query",
        seen=samples.median("5,000 passages, SQLite", "embed_cpu_ms"),
        at_most=EMBED_MS,
    )
    return (*missed, *times, embed)


def _goals(samples: Samples) -> tuple[Gate, ...]:
    return tuple(
        Gate(claim=f"ms of a hybrid query, p95, {name}", seen=samples.median(name, "hybrid_p95_ms"), at_most=P95_MS)
        for name in samples.taken
        if name != RECALL
    )
