"""Reading in the child: a PDF of 300 pages, and a page of print, upright and turned."""

from bench.harness import interleaved
from bench.report import Gate, Report, report_of
from conversations.readers import ocr

BOOK = "PDF of 300 pages"
TURNS = {
    "picture, upright": "sample_upright",
    "picture, turned by 90°": "sample_quarter",
    "picture, turned by 180°": "sample_half",
    "picture, turned by 270°": "sample_three_quarters",
}


def run() -> Report:
    # Without the extra `vision` there is nothing to look at pictures with.
    wanted = {BOOK: "sample_book", **(TURNS if ocr.is_installed() else {})}
    samples = interleaved(
        {name: f"bench.contenders.document_reading:{sample}" for name, sample in wanted.items()}, rounds=3
    )
    gates = [
        Gate(claim="CPU seconds of the book", seen=samples.median(BOOK, "cpu_s"), at_most=60),
        Gate(claim="MB of the child that reads the book", seen=samples.median(BOOK, "child_mb"), at_most=500),
        Gate(claim="MB that its parent grows by", seen=samples.median(BOOK, "grown_mb"), at_most=50),
    ]
    for turn in [*wanted][1:]:
        gates.append(Gate(claim=f"% of characters wrong, {turn}", seen=samples.median(turn, "wrong_pct"), at_most=2))
    return report_of(
        samples,
        title="a child reads a book and a page of print, its start and its models' included",
        gates=tuple(gates),
        goals=(Gate(claim="seconds of the book", seen=samples.median(BOOK, "wall_s"), at_most=60),),
    )
