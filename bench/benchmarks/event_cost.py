"""What one more event costs: a word from the simulated model to the consumer."""

from bench.harness import interleaved
from bench.report import Gate, Report, report_of

CONTENDERS = {
    "floor": "bench.contenders.bare_taskgroup:sample",
    "plain": "bench.contenders.handwritten_runner:sample",
    "ours": "bench.contenders.engine_runner:sample",
    "ours, through a queue": "bench.contenders.engine_runner:sample_queued",
}


def run() -> Report:
    samples = interleaved(CONTENDERS)
    return report_of(
        samples,
        title="what one more event adds to a turn, in µs of CPU",
        gates=(
            Gate(
                claim="an event through a queue, ours to a direct call",
                seen=samples.ratio("event_us", of="ours, through a queue", to="floor"),
                at_most=3,
            ),
        ),
    )
