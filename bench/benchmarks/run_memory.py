"""How much memory a run holds while its agents speak: 1000 of them, all waiting in the middle of their words."""

from bench.harness import interleaved
from bench.report import Gate, Report, report_of

CONTENDERS = {"ours": "bench.contenders.waiting_runs:ours", "LangGraph": "bench.contenders.waiting_runs:langgraph"}


def run() -> Report:
    samples = interleaved(CONTENDERS, rounds=3)
    ratio = samples.ratio("kb_a_run", of="ours", to="LangGraph")
    return report_of(
        samples,
        title="1000 runs of four agents, all of them waiting; KB of memory a run (the goal is 40)",
        gates=(
            Gate(claim="memory of a waiting run, ours to LangGraph", seen=ratio, at_most=0.5),
            Gate(claim="runs lost", seen=samples.median("ours", "lost"), at_most=0),
        ),
    )
