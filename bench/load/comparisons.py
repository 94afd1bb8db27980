"""What other benchmarks measure of a load: the turn beside LangGraph's, and programs in the sandbox."""

from typing import Final

from bench.benchmarks import turn_overhead
from bench.benchmarks.turn_overhead import OURS, TWIN
from bench.harness import interleaved
from bench.load.measures import Stage
from bench.machine_load import slowness
from bench.report import Gate

TO_TWIN: Final = 0.5
PROGRAMS_S: Final = 2.0


def twin() -> Stage:
    """CPU of a turn at 20 and 50 turns a second, to that of the same server with LangGraph running the agents."""
    stage = Stage()
    found = turn_overhead.run()
    stage.rows = {f"twin: {name}": dict(row) for name, row in found.rows.items()}
    for load in ("20/s", "50/s"):
        ours, theirs = (stage.rows[f"twin: {name}, {load}"]["cpu_ms"] for name in (OURS, TWIN))
        stage.goals.append(
            Gate(claim=f"twin: CPU of a turn at {load}, ours to LangGraph", seen=ours / theirs, at_most=TO_TWIN)
        )
    return stage


def programs() -> Stage:
    """T7: 50 programs at once in the sandbox."""
    stage = Stage()
    samples = interleaved({"sandbox": "bench.contenders.sandbox_programs:sample_monty"}, rounds=3)
    row = stage.rows["T7: 50 programs at once in the sandbox"] = dict(samples.medians()["sandbox"])
    pressure = max(samples.pressure, default=0)
    stage.limit("T7: p95 of 50 programs, s", row["p95_s"], PROGRAMS_S, others_percent=pressure, slowness=slowness())
    return stage
