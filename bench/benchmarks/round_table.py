"""Round tables of five voices and three rounds in the real server, 20 of them at once; their rounds beside LangGraph."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from bench.contenders.table_rounds import ROUNDS as TABLE_ROUNDS
from bench.contenders.table_rounds import VOICES
from bench.harness import Samples, interleaved, percentile
from bench.live_server.panel_models import model_settings
from bench.live_server.panel_place import FILL
from bench.live_server.server import Place, Served, prepared_place, run_in_place, served
from bench.live_server.table_load import TableLoad, run_table_load
from bench.live_server.table_models import script_table
from bench.machine_load import QUIET, cpu_pressure
from bench.report import Gate, Report, report_of
from tests.provider import Provider

TITLE = f"round tables of {len(VOICES)} voices and {TABLE_ROUNDS} rounds in Daphne, models of 100 to 300 ms"
OURS, LANGGRAPH = "rounds alone, ours", "rounds alone, LangGraph"
CONTENDERS: Final = {
    OURS: "bench.contenders.table_engine:sample",
    LANGGRAPH: "bench.contenders.table_langgraph:sample",
}
SAMPLES = 5
AT_ONCE = 20
WAVES = 2
ONE_BY_ONE = 10
"""Tables that are held one after the other."""
WARMED_BY = 10
"""How often the first tables are repeated until they end well: the first turns import and connect."""
COORDINATION_MS = 15
MB_A_TABLE = 2
ALONE, TOGETHER = "one at a time", f"{AT_ONCE} at once"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLoads:
    alone: TableLoad
    together: TableLoad
    pressure: list[float]
    """After each load."""


def run() -> Report:
    rounds = interleaved(CONTENDERS, rounds=SAMPLES)
    loads = _loads()
    rows: dict[str, list[Mapping[str, float]]] = {
        ALONE: [_figures(loads.alone)],
        TOGETHER: [_figures(loads.together) | {"mb_a_table": loads.together.growth_mb / AT_ONCE}],
    }
    samples = Samples(taken=rows | rounds.taken, pressure=rounds.pressure + loads.pressure)
    limits = tuple(_limits(samples))
    is_quiet = loads.alone.others_percent < QUIET
    return report_of(
        samples,
        title=TITLE,
        gates=(*_gates(samples, loads), *(limits if is_quiet else ())),
        goals=(*(() if is_quiet else limits), *_goals(samples)),
    )


def _loads() -> TableLoads:
    """Hold tables in the real server; return what came of them."""
    pressure: list[float] = []
    with Provider() as provider, prepared_place(people=AT_ONCE, settings="learnagent.settings") as place:
        run_in_place(place, FILL)
        script_table(provider)
        with served(place, by="daphne", **model_settings(provider)) as running:
            _warm(running, place)
            loads = []
            for at_once, waves in ((1, ONE_BY_ONE), (AT_ONCE, WAVES)):
                loads.append(run_table_load(running, place, at_once=at_once, waves=waves))
                pressure.append(cpu_pressure() or 0.0)
    return TableLoads(alone=loads[0], together=loads[1], pressure=pressure)


def _warm(running: Served, place: Place) -> None:
    """Hold a few tables, again until all end well. Raises RuntimeError if they never do."""
    for _ in range(WARMED_BY):
        if not run_table_load(running, place, at_once=4, waves=1).lost:
            return
    raise RuntimeError("no round table ends well")


def _figures(load: TableLoad) -> dict[str, float]:
    coordination = [each.coordination_ms for each in load.rounds]
    beyond = [each.beyond_models_ms for each in load.rounds]
    return {
        "rounds": len(load.rounds),
        "coordination_p50_ms": percentile(coordination, 50),
        "coordination_p95_ms": percentile(coordination, 95),
        "beyond_models_p50_ms": percentile(beyond, 50),
        "cpu_ms": load.cpu_ms,
        "lost": load.lost,
        "misplaced": load.misplaced,
        "others_percent": load.others_percent,
    }


def _gates(samples: Samples, loads: TableLoads) -> Iterator[Gate]:
    ratio = samples.ratio("cpu_us", of=OURS, to=LANGGRAPH)
    yield Gate(claim="CPU of the rounds alone, ours to LangGraph", seen=ratio, at_most=0.5)
    both = (loads.alone, loads.together)
    yield Gate(claim="events lost, and tables without an end", seen=sum(each.lost for each in both), at_most=0)
    yield Gate(claim="events out of order", seen=sum(each.misplaced for each in both), at_most=0)
    memory = samples.median(TOGETHER, "mb_a_table")
    yield Gate(claim=f"MB of memory a table, {TOGETHER}", seen=memory, at_most=MB_A_TABLE)


def _limits(samples: Samples) -> Iterator[Gate]:
    """Yield the limits in wall time, which are gates on a quiet machine only."""
    for name in (OURS, ALONE):
        seen = samples.median(name, "coordination_p50_ms")
        yield Gate(claim=f"{name}: coordination of a round, ms, p50", seen=seen, at_most=COORDINATION_MS)


def _goals(samples: Samples) -> Iterator[Gate]:
    seen = samples.median(TOGETHER, "coordination_p50_ms")
    yield Gate(claim=f"{TOGETHER}: coordination of a round, ms, p50", seen=seen, at_most=COORDINATION_MS)
