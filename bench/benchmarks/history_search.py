"""What a search over a person's 100,000 messages costs, on SQLite: the full-text index beside a plain scan."""

from bench.harness import interleaved
from bench.report import Gate, Report, report_of

CONTENDERS = {
    "plain LIKE scan": "bench.contenders.message_history:sample_scan",
    "ours (full-text index)": "bench.contenders.message_history:sample_ours",
}


def run() -> Report:
    samples = interleaved(CONTENDERS, rounds=5)
    ours, scan = "ours (full-text index)", "plain LIKE scan"
    return report_of(
        samples,
        title="searches in 100,000 messages of one person, CPU of a query",
        gates=(
            Gate(
                claim="CPU of a query, ours to a scan",
                seen=samples.ratio("mean_cpu_ms", of=ours, to=scan),
                at_most=0.2,
            ),
            Gate(claim="CPU ms of the slowest query", seen=samples.median(ours, "slowest_cpu_ms"), at_most=50),
        ),
    )
