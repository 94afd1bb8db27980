"""Fifty programs at once in the sandbox, and calculations that are meant to hang."""

from bench.contenders.sandbox_programs import has_bubblewrap
from bench.harness import interleaved
from bench.report import Gate, Report, report_of


def run() -> Report:
    wanted = {"monty": "sample_monty", "calculator": "sample_calculator"}
    if has_bubblewrap():
        wanted["bubblewrap"] = "sample_bubblewrap"
    samples = interleaved(
        {name: f"bench.contenders.sandbox_programs:{sample}" for name, sample in wanted.items()}, rounds=5
    )
    return report_of(
        samples,
        title="50 programs at once, seconds until answered; CPU ms of the server for each",
        gates=(
            Gate(claim="the server's CPU ms for a program", seen=samples.median("monty", "own_ms"), at_most=5),
            Gate(claim="MB that the server grows by", seen=samples.median("monty", "grown_mb"), at_most=10),
            Gate(claim="CPU ms of the worst calculation", seen=samples.median("calculator", "worst_ms"), at_most=5),
            Gate(
                claim="CPU ms of the worst search for one", seen=samples.median("calculator", "search_ms"), at_most=20
            ),
        ),
        goals=(Gate(claim="p95 of 50 at once, s", seen=samples.median("monty", "p95_s"), at_most=2),),
    )
