"""Turns of the panel in the real server, with models as slow as its design document has them; its graph beside LangGraph.

The environment variable `BENCH_SUSTAINED_S` sets for how many seconds 20 questions a second are sustained.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bench.harness import Samples, interleaved
from bench.live_server.load_generator import PATIENCE_S, due_times
from bench.live_server.panel_figures import Figures, agent_figures, load_figures, reading_times_ms, turn_figures
from bench.live_server.panel_load import QUESTIONS, PanelLoad, run_panel_load
from bench.live_server.panel_models import FAST_MODEL_S, UNDERSTANDING_S, model_settings, script_models
from bench.live_server.panel_place import ModelCallTime, PanelPlace, prepared_panel_place
from bench.live_server.server import Served, served
from bench.machine_load import QUIET, cpu_pressure
from bench.report import Gate, Report, report_of
from tests.provider import Provider

TITLE = "questions to the panel in Daphne, models of 800, 250, 150 and 1,200 ms, messages read in 20 ms"
OURS, LANGGRAPH = "graph alone, ours", "graph alone, LangGraph"
CONTENDERS: Final = {
    OURS: "bench.contenders.panel_engine:sample",
    LANGGRAPH: "bench.contenders.panel_langgraph:sample",
}
ROUNDS = 5
LIMITS_MS: Final = {"simple_query": 900, "complex_query": 1200, "visual_query": 1500, "insight_request": 2000}
"""The kind of a question → how long a turn may take, p95."""
COORDINATION_MS: Final = {"coordination_p50_ms": 10, "coordination_p95_ms": 25}
LAST_S = 2.0
"""How long after the last question all are answered, if none had to wait for those before it."""
CONVERSATIONS = 50
RATE = 20.0
"""Questions a second that are sustained."""
FEW_RATE, FEW_S = 2.5, 40.0
"""Questions a second, and for how many seconds, so that turns hardly meet."""
WARMED_BY = 10
"""How often the first questions are repeated until they are answered: the first turns import and connect."""
FEW, AT_ONCE, SUSTAINED = f"{FEW_RATE:g}/s", f"{CONVERSATIONS} at once", f"{RATE:g}/s"
READ_SLOWLY = f"message read in {FAST_MODEL_S * 1000:g} ms"


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelLoads:
    few: PanelLoad
    read_slowly: PanelLoad
    """As few, with a model that takes as long to read the message as a fast model takes for an analysis."""
    at_once: PanelLoad
    sustained: PanelLoad
    calls: list[ModelCallTime]
    """All calls to models."""
    pressure: list[float]
    """After each load."""


def run() -> Report:
    graphs = interleaved(CONTENDERS, rounds=ROUNDS)
    loads = _loads()
    served_rows: dict[str, list[Mapping[str, float]]] = {name: [row] for name, row in _rows(loads).items()}
    samples = Samples(taken=served_rows | graphs.taken, pressure=graphs.pressure + loads.pressure)
    limits = tuple(_limits(samples, loads))
    return report_of(
        samples,
        title=TITLE,
        gates=(*_gates(samples, loads), *(limit for limit, others in limits if others < QUIET)),
        goals=(*(limit for limit, others in limits if others >= QUIET), *_goals(samples)),
    )


def _loads() -> PanelLoads:
    """Ask the real server; return what came of it."""
    with Provider() as provider, prepared_panel_place(people=CONVERSATIONS) as panel:
        script_models(provider, understanding_s=UNDERSTANDING_S)
        with served(panel.place, by="daphne", **model_settings(provider)) as running:
            _warm(running, panel)
            return _asked(running, panel, provider)


def _asked(running: Served, panel: PanelPlace, provider: Provider) -> PanelLoads:
    pressure: list[float] = []

    def load(due: Sequence[float], *, understanding_s: float = UNDERSTANDING_S) -> PanelLoad:
        script_models(provider, understanding_s=understanding_s)
        found = run_panel_load(running, panel, due=due)
        pressure.append(cpu_pressure() or 0.0)
        return found

    few = due_times(rate=FEW_RATE, seconds=FEW_S, seed=0)
    seconds = float(os.environ.get("BENCH_SUSTAINED_S", "30"))
    return PanelLoads(
        few=load(few),
        read_slowly=load(few, understanding_s=FAST_MODEL_S),
        at_once=load([0.0] * CONVERSATIONS),
        sustained=load(due_times(rate=RATE, seconds=seconds, seed=0)),
        calls=panel.model_calls(),
        pressure=pressure,
    )


def _warm(running: Served, panel: PanelPlace) -> None:
    """Ask one question of each kind, again until all are answered. Raises RuntimeError if they never are."""
    for _ in range(WARMED_BY):
        if not run_panel_load(running, panel, due=range(len(QUESTIONS))).errors:
            return
    raise RuntimeError("the panel does not answer")


def _rows(loads: PanelLoads) -> Mapping[str, Figures]:
    reading_ms = reading_times_ms(loads.calls)

    def of_kind(load: PanelLoad, kind: str) -> Figures:
        return turn_figures([turn for turn in load.answered if turn.kind == kind], reading_ms=reading_ms)

    return (
        {kind: of_kind(loads.few, kind) for kind in QUESTIONS}
        | {f"{kind}, {READ_SLOWLY}": of_kind(loads.read_slowly, kind) for kind in QUESTIONS}
        | agent_figures(loads.few.answered, loads.calls)
        | {
            FEW: load_figures(loads.few, reading_ms=reading_ms),
            AT_ONCE: load_figures(loads.at_once, reading_ms=reading_ms)
            | {"mb_a_turn": loads.at_once.growth_mb / CONVERSATIONS},
            SUSTAINED: load_figures(loads.sustained, reading_ms=reading_ms),
        }
    )


def _gates(samples: Samples, loads: PanelLoads) -> Iterator[Gate]:
    ratio = samples.ratio("cpu_us", of=OURS, to=LANGGRAPH)
    yield Gate(claim="CPU of the graph alone, ours to LangGraph", seen=ratio, at_most=0.5)
    memory = samples.median(AT_ONCE, "mb_a_turn")
    yield Gate(claim=f"MB of memory a running turn, {AT_ONCE}", seen=memory, at_most=1)
    share = loads.sustained.errors / loads.sustained.due
    yield Gate(claim=f"share not answered within {PATIENCE_S:g} s at {SUSTAINED}", seen=share, at_most=0.01)


def _limits(samples: Samples, loads: PanelLoads) -> Iterator[tuple[Gate, float]]:
    """Yield each limit in wall time, and the share of the CPU time that others used meanwhile, in percent.

    The CPU pressure would not tell: this benchmark's own work adds to it.
    """
    few, sustained = loads.few.others_percent, loads.sustained.others_percent
    for kind, at_most in LIMITS_MS.items():
        yield Gate(claim=f"p95 of {kind}, ms", seen=samples.median(kind, "p95_ms"), at_most=at_most), few
    for figure, at_most in COORDINATION_MS.items():
        yield Gate(claim=f"{OURS}: {figure}", seen=samples.median(OURS, figure), at_most=at_most), few
    claim = f"s from the last question to the last answer, {SUSTAINED}"
    yield Gate(claim=claim, seen=samples.median(SUSTAINED, "last_s"), at_most=LAST_S), sustained


def _goals(samples: Samples) -> Iterator[Gate]:
    # Python runs in one thread of a process at a time, so what takes more than one CPU cannot be sustained by one process.
    cpus = samples.median(SUSTAINED, "cpu_ms") * RATE / 1000
    yield Gate(claim=f"CPUs that {SUSTAINED} takes", seen=cpus, at_most=1)
    for kind, wanted in LIMITS_MS.items():
        slowly = f"{kind}, {READ_SLOWLY}"
        yield Gate(claim=f"p95 of {slowly}, ms", seen=samples.median(slowly, "p95_ms"), at_most=wanted)
    for figure, wanted in COORDINATION_MS.items():
        yield Gate(claim=f"{FEW} in Daphne: {figure}", seen=samples.median(FEW, figure), at_most=wanted)
