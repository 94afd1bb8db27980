"""How long an answer takes from its text to the stored change of mastery."""

from bench.harness import interleaved
from bench.report import Gate, Report, report_of


def run() -> Report:
    samples = interleaved({"ours": "bench.contenders.answer_grading:sample_mastery"}, rounds=5)
    return report_of(
        samples,
        title="an answer judged, weighed and stored, in ms of CPU",
        gates=(Gate(claim="p95, ms", seen=samples.median("ours", "p95_ms"), at_most=20),),
    )
