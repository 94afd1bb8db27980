"""What a whole turn of a lesson costs beside its analysis, from the message to what side agents noticed (SQLite)."""

from bench.harness import interleaved
from bench.report import Gate, Report, report_of

OURS = "a turn of a played lesson (median)"


def run() -> Report:
    samples = interleaved({OURS: "bench.contenders.lessons:sample_lesson"}, rounds=3)
    return report_of(
        samples,
        title="a turn of a lesson: begun, read, decided, served, finished, listened to; no model asked",
        gates=(
            Gate(claim="statements of a turn", seen=samples.median(OURS, "statements"), at_most=25),
            Gate(claim="CPU of a turn beside its analysis, ms", seen=samples.median(OURS, "cpu_ms"), at_most=25),
        ),
    )
