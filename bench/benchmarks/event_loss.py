"""Whether a watcher that stalls and comes back misses anything: it must not."""

from bench.harness import interleaved
from bench.report import Gate, Report, report_of

CONTENDERS = {"ours": "bench.contenders.stalled_watcher:sample"}


def run() -> Report:
    samples = interleaved(CONTENDERS, rounds=3)
    faults = ("lost", "twice", "not_stored", "gaps")
    return report_of(
        samples,
        title="300 events past a watcher that stalls",
        gates=tuple(
            Gate(claim=f"events {fault.replace('_', ' ')}", seen=samples.median("ours", fault), at_most=0)
            for fault in faults
        ),
    )
