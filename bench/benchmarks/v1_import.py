"""What importing a v1 file of 100,000 messages costs, on SQLite, beside storing the same rows by hand."""

from bench.harness import interleaved
from bench.report import Gate, Report, report_of

CONTENDERS = {
    "rows alone (bulk_create)": "bench.contenders.v1_files:sample_rows",
    "ours (import_v1)": "bench.contenders.v1_files:sample_import",
}


def run() -> Report:
    samples = interleaved(CONTENDERS, rounds=1)
    ours, alone = "ours (import_v1)", "rows alone (bulk_create)"
    return report_of(
        samples,
        title="import of a v1 file: 5,000 rows with two messages each, and figures for 100,000 messages",
        gates=(
            Gate(claim="CPU s for 100,000 messages", seen=samples.median(ours, "cpu_s_100k"), at_most=150),
            Gate(claim="peak memory, MB", seen=samples.median(ours, "peak_mb"), at_most=300),
            Gate(claim="rows lost", seen=samples.median(ours, "lost"), at_most=0),
            Gate(claim="CPU, ours to rows alone", seen=samples.ratio("cpu_s_100k", of=ours, to=alone), at_most=4),
        ),
        goals=(Gate(claim="seconds for 100,000 messages", seen=samples.median(ours, "wall_s_100k"), at_most=300),),
    )
