"""T3: turns that keep coming, 20 a second, and 50 a second for up to a minute. With them, what a second web process brings."""

import asyncio
from dataclasses import dataclass
from typing import Final

from bench.live_server.load_generator import due_times
from bench.load.deployment import LESSONS, SHARED, SIMULATED, SQLITE, deployed
from bench.load.learners import learners_of, leave, offer
from bench.load.measures import Figures, Stage, error_percent, measured, model_first_s, turn_figures
from bench.load.sizes import SECONDS
from bench.report import Gate

WARM_S: Final = 5.0
BURST_S: Final = 60.0
ERROR_PERCENT: Final = 0.1
FIRST_P95_MS: Final = 1200.0
CPU_OF_TWO: Final = 2 / 1.8
"""CPU of a turn, two processes to one, at which two serve 1.8 times what one serves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    team: str
    stores: str
    rate: float
    """Turns a second."""
    processes: int = 1
    people: int = 100
    seconds: float = SECONDS

    @property
    def name(self) -> str:
        processes = "one process" if self.processes == 1 else f"{self.processes} processes"
        return f"{self.team}, {self.rate:g}/s, {processes}, {self.stores}"


LOADS: Final = (
    Load(team=SIMULATED, stores=SQLITE, rate=20),
    Load(team=SIMULATED, stores=SQLITE, rate=50, people=200, seconds=min(BURST_S, 3 * SECONDS)),
    Load(team=SIMULATED, stores=SHARED, rate=20),
    Load(team=SIMULATED, stores=SHARED, rate=50, people=200, seconds=min(BURST_S, 3 * SECONDS)),
    Load(team=LESSONS, stores=SQLITE, rate=10),
    Load(team=LESSONS, stores=SHARED, rate=10),
    Load(team=LESSONS, stores=SHARED, rate=20, processes=2),
)
PAIRS: Final = (
    (Load(team=SIMULATED, stores=SHARED, rate=20), Load(team=SIMULATED, stores=SHARED, rate=40, processes=2)),
    (Load(team=LESSONS, stores=SHARED, rate=5), Load(team=LESSONS, stores=SHARED, rate=10, processes=2)),
)
"""A load of one process, and twice of it on two."""


def sustained() -> Stage:
    """T3: hardly any message of a lasting load is not answered as it should be."""
    stage = Stage()
    for load in LOADS:
        name = f"T3: {load.name}"
        row = stage.rows[name] = asyncio.run(run_load(load))
        claim = f"{name}: messages not answered as they should be, percent"
        stage.gates.append(Gate(claim=claim, seen=row["error_percent"], at_most=ERROR_PERCENT))
        claim = f"{name}: p95 of the first words beside the model, ms"
        stage.limit(
            claim, row["first_p95_ms"], FIRST_P95_MS, others_percent=row["others_percent"], slowness=row["slowness"]
        )
    return stage


def two_processes() -> Stage:
    """What a turn costs where two processes share the work, to what it costs where one does it.

    The one is measured before and after two runs of the other, because a virtual machine's speed changes within minutes.
    """
    stage = Stage()
    for alone, shared in PAIRS:
        order = (alone, shared, shared, alone)
        rows = [asyncio.run(run_load(load)) for load in order]
        stage.rows |= {
            f"processes: {load.name}, run {number}": row
            for number, (load, row) in enumerate(zip(order, rows, strict=True), 1)
        }
        first, second, third, fourth = (row["web_cpu_ms"] for row in rows)
        claim = f"processes: CPU of a turn of {alone.team}, two processes to one"
        stage.gates.append(Gate(claim=claim, seen=(second + third) / (first + fourth), at_most=CPU_OF_TWO))
    return stage


async def run_load(load: Load) -> Figures:
    with deployed(load.stores, load.team, people=load.people, processes=load.processes) as site:
        learners = await learners_of(site, load.team)
        await offer(learners, due_times(rate=load.rate, seconds=WARM_S, seed=1), team=load.team)
        with measured(site) as use:
            offered = await offer(learners, due_times(rate=load.rate, seconds=load.seconds, seed=0), team=load.team)
        leave(learners)
        row = turn_figures(offered, use, model_first_s=model_first_s(site))
        return row | {"error_percent": error_percent(offered)}
