"""How long it takes to ask whether a person has a feature, and to compare both sides of a flag."""

from bench.harness import interleaved
from bench.report import Gate, Report, report_of


def run() -> Report:
    samples = interleaved(
        {
            "checks": "bench.contenders.flag_checks:sample_checks",
            "comparison": "bench.contenders.flag_checks:sample_comparison",
        },
        rounds=3,
    )
    return report_of(
        samples,
        title="a cached flag check in µs of CPU; both sides compared over 100,000 turns, in s of CPU",
        gates=(
            Gate(claim="check by the share, µs", seen=samples.median("checks", "share_us"), at_most=50),
            Gate(
                claim="check with 1,000 people on each list, µs", seen=samples.median("checks", "list_us"), at_most=50
            ),
            Gate(claim="comparison, s", seen=samples.median("comparison", "comparison_s"), at_most=5),
        ),
    )
