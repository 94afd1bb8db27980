"""A site under load: the parts that take minutes, or those that the environment variable `BENCH_LOAD` names (`T1,T2`; `all`).

`BENCH_LOAD_SECONDS` sets how long each load lasts, `BENCH_LOAD_SOAK_MINUTES` how long T5 does.
"""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from bench.load import comparisons, costs, hostile_clients, idle, saturation, soak, streaming, sustained, writers
from bench.load.measures import Stage
from bench.machine_load import cpu_pressure
from bench.report import Report, write_json

STAGES: Final[Mapping[str, Callable[[], Stage]]] = {
    "T1": streaming.many_at_once,
    "T2": streaming.many_sockets,
    "T3": sustained.sustained,
    "T4": idle.idle_sockets,
    "T5": soak.soak,
    "T6": writers.writers,
    "T7": comparisons.programs,
    "harm": hostile_clients.hostile_clients,
    "saturation": saturation.saturation,
    "processes": sustained.two_processes,
    "twin": comparisons.twin,
    "costs": costs.costs,
}
"""The name of a part, with which its rows begin → what measures it."""
LONG: Final = frozenset({"saturation", "processes", "twin", "costs"})
"""Parts that run only when they are named."""


def run() -> Report:
    """Raises ValueError as for `wanted_parts`."""
    found: dict[str, Stage] = {}
    pressure = []
    for name in wanted_parts(os.environ.get("BENCH_LOAD", "")):
        print(f"load: {name} …", file=sys.stderr, flush=True)
        found[name] = STAGES[name]()
        pressure.append(cpu_pressure() or 0.0)
        # All parts take more than an hour: what ends them early does not take the figures of the first.
        write_json(_report(found, pressure), name="load")
    return _report(found, pressure)


def _report(found: Mapping[str, Stage], pressure: Sequence[float]) -> Report:
    stages = found.values()
    return Report(
        title=f"a site under load: {', '.join(found)}",
        rows={name: row for stage in stages for name, row in stage.rows.items()},
        gates=tuple(gate for stage in stages for gate in stage.gates),
        goals=tuple(goal for stage in stages for goal in stage.goals),
        rounds=1,
        pressure=tuple(pressure),
    )


def wanted_parts(names: str) -> list[str]:
    """Return the parts that names separated by commas stand for. Raises ValueError for an unknown name."""
    if names.strip() == "all":
        return list(STAGES)
    wanted = [name.strip() for name in names.split(",") if name.strip()]
    if unknown := set(wanted) - STAGES.keys():
        raise ValueError(f"BENCH_LOAD: no part {', '.join(sorted(unknown))}; there are {', '.join(STAGES)}")
    return wanted or [name for name in STAGES if name not in LONG]
