"""What the pages of somebody with 200 conversations of 100 turns cost the server, and how much a browser loads."""

from bench.harness import interleaved
from bench.report import Gate, Report, report_of

OURS = "ours (the slowest and heaviest of all pages)"


def run() -> Report:
    samples = interleaved({OURS: "bench.contenders.pages:sample_pages"}, rounds=3)
    return report_of(
        samples,
        title="pages, 200 conversations of 100 turns behind them",
        gates=(
            Gate(claim="queries of a page", seen=samples.median(OURS, "queries"), at_most=15),
            Gate(claim="kB with styles, scripts and font, packed", seen=samples.median(OURS, "gzip_kb"), at_most=150),
        ),
    )
