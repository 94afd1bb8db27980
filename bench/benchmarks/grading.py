"""How long judging an answer takes, hostile ones among them."""

from bench.harness import interleaved
from bench.report import Gate, Report, report_of


def run() -> Report:
    samples = interleaved({"ours": "bench.contenders.teaching:sample_grading"}, rounds=5)
    return report_of(
        samples,
        title="an answer judged, in ms of CPU",
        gates=(
            Gate(claim="p99, ms", seen=samples.median("ours", "p99_ms"), at_most=5),
            Gate(claim="the worst hostile answer, ms", seen=samples.median("ours", "hostile_ms"), at_most=50),
        ),
    )
