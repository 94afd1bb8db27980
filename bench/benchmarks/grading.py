"""How long judging an answer takes, hostile ones among them, and how many labelled answers are judged wrongly."""

from bench.harness import interleaved
from bench.report import Gate, Report, report_of

_AT_MOST = {"wrong accepted, %": 0, "right missed, %": 6, "elementary missed, %": 5, "workings in words missed, %": 10}


def run() -> Report:
    samples = interleaved({"ours": "bench.contenders.answer_grading:sample_grading"}, rounds=5)
    labelled = interleaved({"labelled": "bench.contenders.answer_grading:sample_labelled"}, rounds=1)
    samples.taken |= labelled.taken
    return report_of(
        samples,
        title="an answer judged, in ms of CPU",
        gates=(
            Gate(claim="p99, ms", seen=samples.median("ours", "p99_ms"), at_most=5),
            Gate(claim="the worst hostile answer, ms", seen=samples.median("ours", "hostile_ms"), at_most=50),
            *(
                Gate(claim=figure, seen=share, at_most=_AT_MOST[figure.partition(": ")[2]])
                for figure, share in labelled.medians()["labelled"].items()
            ),
        ),
    )
