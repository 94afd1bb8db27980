"""What it costs to import the engine, in a fresh process each time."""

from bench.harness import interleaved
from bench.report import Gate, Report, report_of

CONTENDERS = {
    "pydantic alone": "bench.contenders.imports:pydantic",
    "ours": "bench.contenders.imports:ours",
    "Django and Channels": "bench.contenders.imports:django_and_channels",
    "LangGraph": "bench.contenders.imports:langgraph",
}


def run() -> Report:
    samples = interleaved(CONTENDERS)
    return report_of(
        samples,
        title="import in a fresh process, over a bare interpreter with asyncio",
        gates=(
            Gate(
                claim="CPU time, ours to LangGraph",
                seen=samples.ratio("cpu_ms", of="ours", to="LangGraph"),
                at_most=0.2,
            ),
        ),
    )
