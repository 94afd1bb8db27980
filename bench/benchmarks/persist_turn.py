"""What storing a turn costs, 50 sessions at once, on SQLite: the group-commit writer beside the driver alone."""

from bench.harness import interleaved
from bench.report import Gate, Report, report_of

CONTENDERS = {
    "floor (raw sqlite3)": "bench.contenders.persistence:sample_raw",
    "one transaction each": "bench.contenders.persistence:sample_one_transaction_each",
    "ours (group commit)": "bench.contenders.persistence:sample_ours",
}


def run() -> Report:
    samples = interleaved(CONTENDERS, rounds=5)
    ours, floor, each = "ours (group commit)", "floor (raw sqlite3)", "one transaction each"
    cpu, rate = samples.ratio("cpu_us", of=ours, to=floor), samples.ratio("turns_per_s", of=each, to=ours)
    return report_of(
        samples,
        title="one turn's rows stored, CPU and turns a second (SQLite; PostgreSQL is not in this version)",
        gates=(
            Gate(claim="CPU of a turn, ours to raw sqlite3", seen=cpu, at_most=2),
            Gate(claim="rate, one transaction each to ours", seen=rate, at_most=1 / 2.5),
        ),
    )
