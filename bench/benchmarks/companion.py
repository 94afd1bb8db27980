"""How messages reach the companion's agents, on the frozen set that nothing was made on; and what routing and state cost."""

from collections import Counter
from collections.abc import Iterable, Mapping

from bench.contenders import temporary_django
from bench.harness import interleaved
from bench.report import Gate, Report, report_of

CONTENDERS = {
    "routing": "bench.contenders.companion:sample_words",
    "checkpoint": "bench.contenders.companion:sample_checkpoint",
}


def run() -> Report:
    wrong_in_scope, missed_outside, wrong_by_words = _shares()
    samples = interleaved(CONTENDERS, rounds=3)
    gates = (
        Gate(claim="share in scope that goes wrong", seen=wrong_in_scope, at_most=0.05),
        Gate(claim="share out of scope that is not turned away", seen=missed_outside, at_most=0.20),
        Gate(claim="share that words alone decide wrongly", seen=wrong_by_words, at_most=0.02),
        Gate(claim="words, ms of CPU", seen=samples.median("routing", "words_ms"), at_most=1),
        Gate(
            claim="words of the longest message, ms of CPU",
            seen=samples.median("routing", "words_longest_ms"),
            at_most=1,
        ),
        Gate(claim="classifier, ms of CPU", seen=samples.median("routing", "classifier_ms"), at_most=10),
    )
    goals = (
        Gate(
            claim="ms to save a checkpoint of 40 KB, p95", seen=samples.median("checkpoint", "save_ms_p95"), at_most=10
        ),
        Gate(
            claim="ms to load a checkpoint of 40 KB, p95", seen=samples.median("checkpoint", "load_ms_p95"), at_most=10
        ),
    )
    return report_of(
        samples, title="routing to the companion's agents, and its sessions' state", gates=gates, goals=goals
    )


def _shares() -> tuple[float, float, float]:
    """Return the shares that go wrong: in scope, out of scope, and of what words alone decide. Prints the matrices."""
    temporary_django.prepare_django()
    from tests.tutoring.planner.test_routing_set import rows, table
    from tutoring.planner.routing import decide_by_words, route_companion

    read = rows()
    routed = Counter((agent, route_companion(text).agent or "none") for text, agent in read)
    by_words = Counter((agent, found.agent or "none") for text, agent in read if (found := decide_by_words(text)))
    print("rules, words and classifier:", table(routed), "words alone:", table(by_words), sep="\n")
    inside = {pair: count for pair, count in routed.items() if pair[0] != "none"}
    outside = {pair: count for pair, count in routed.items() if pair[0] == "none"}
    return _wrong(inside.items()), _wrong(outside.items()), _wrong(by_words.items())


def _wrong(pairs: Iterable[tuple[tuple[str, str], int]]) -> float:
    counts: Mapping[tuple[str, str], int] = dict(pairs)
    return sum(count for (agent, chosen), count in counts.items() if agent != chosen) / max(sum(counts.values()), 1)
