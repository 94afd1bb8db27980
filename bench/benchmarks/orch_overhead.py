"""What it costs to run a turn's agents, words aside and with 4 × 50 of them."""

from bench.harness import interleaved
from bench.report import Gate, Report, report_of

OURS = "ours (events by direct call, as in the app)"
LANGGRAPH = "LangGraph, no checkpointer"
CONTENDERS = {
    "floor (TaskGroup, direct call)": "bench.contenders.bare_taskgroup:sample",
    "plain (TaskGroup, timeouts, queue)": "bench.contenders.handwritten_runner:sample",
    OURS: "bench.contenders.engine_runner:sample",
    "ours (events through a queue)": "bench.contenders.engine_runner:sample_queued",
    LANGGRAPH: "bench.contenders.langgraph:sample",
}


def run() -> Report:
    samples = interleaved(CONTENDERS)

    def gate(claim: str, figure: str, at_most: float) -> Gate:
        seen = samples.ratio(figure, of=OURS, to=LANGGRAPH)
        return Gate(claim=claim, seen=seen, at_most=at_most)

    return report_of(
        samples,
        title="classify, route, four agents, synthesize; µs of CPU per turn",
        gates=(
            gate("a turn without words, ours to LangGraph", "s0_us", 0.05),
            gate("a turn of 4 × 50 words, ours to LangGraph", "stream_us", 0.25),
        ),
    )
