"""What streaming adds to rendering a 10 KB answer."""

from bench.harness import interleaved
from bench.report import Gate, Report, report_of

CONTENDERS = {
    "floor (rendered once)": "bench.contenders.rendering:sample_once",
    "ours (streamed, then rendered)": "bench.contenders.rendering:sample_streamed",
}


def run() -> Report:
    samples = interleaved(CONTENDERS, rounds=9)
    ours, floor = reversed(CONTENDERS)
    return report_of(
        samples,
        title="a 10 KB answer, in ms of CPU",
        gates=(Gate(claim="streamed to rendered once", seen=samples.ratio("cpu_ms", of=ours, to=floor), at_most=1.3),),
    )
