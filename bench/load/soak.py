"""T5: lessons for a long time while a tenth of the requests to models fail, and Redis is gone for a while."""

import asyncio
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from statistics import linear_regression, median
from time import perf_counter
from typing import Final, Literal, NamedTuple

from bench.live_server.load_generator import due_times
from bench.load.deployment import LESSONS, SHARED, Deployment, deployed
from bench.load.learners import Offered, learners_of, leave, offer
from bench.load.measures import Figures, Stage, measured, model_first_s, turn_figures
from bench.load.saturation import UNFINISHED
from bench.load.sizes import SOAK_MINUTES
from bench.report import Gate
from drills.model_connection import ledger_faults

FAULT_PERCENT: Final = 10.0
RATE: Final = 4.0
PEOPLE: Final = 120
"""More than wait for a reply at once, also on a busy machine."""
WARM_S: Final = min(60.0, SOAK_MINUTES * 60)
"""What is loaded and cached in this time is no leak."""
LOOK_S: Final = 5.0
AWAY: Final = (0.4, 0.45)
"""When Redis is killed and started, as shares of the time."""
SLOPE_MB: Final = 5.0
"""In an hour."""
SETTLED_S: Final = 600.0
"""When caches are filled; from then on growth counts."""
PERIOD_S: Final = 300.0
SLOPE_FROM_MINUTES: Final = 20.0
"""A shorter soak says nothing of an hour."""
MISSING: Final = {
    "turns without an end": UNFINISHED,
    "turns with more than one reply": (
        "SELECT COUNT(*) FROM (SELECT turn_id FROM conversations_message WHERE author = 'team' "
        "GROUP BY turn_id HAVING COUNT(*) > 1) AS twice"
    ),
    "turns whose events are not numbered without gaps": (
        "SELECT COUNT(*) FROM (SELECT turn_id FROM conversations_event "
        "GROUP BY turn_id HAVING COUNT(*) <> MAX(seq) OR MIN(seq) <> 1) AS gaps"
    ),
}
SAID: Final = "SELECT COUNT(*) FROM conversations_message WHERE author = 'learner'"


class Sample(NamedTuple):
    """The web process at a moment."""

    at_s: float
    memory_mb: float
    files: float
    """Open files and sockets."""


def soak() -> Stage:
    """T5: memory does not grow, no turn is stuck, and nothing is lost."""
    stage = Stage()
    name = f"T5: {SOAK_MINUTES:g} minutes of lessons, {FAULT_PERCENT:g} % faults, {SHARED}"
    row, samples, faults = asyncio.run(_soaked())
    stage.rows[name] = row
    stage.rows |= {f"T5: after {sample.at_s / 60:.1f} minutes": sample._asdict() for sample in samples}
    stage.gates += [Gate(claim=f"T5: {claim}", seen=count, at_most=0) for claim, count in faults.items()]
    if SOAK_MINUTES >= SLOPE_FROM_MINUTES:
        stage.gates.append(Gate(claim="T5: MB that memory grows in an hour", seen=row["mb_an_hour"], at_most=SLOPE_MB))
    return stage


async def _soaked() -> tuple[Figures, Sequence[Sample], dict[str, float]]:
    with deployed(SHARED, LESSONS, people=PEOPLE, fault_percent=FAULT_PERCENT) as site:
        learners = await learners_of(site, LESSONS)
        warm = await offer(learners, due_times(rate=RATE, seconds=WARM_S, seed=1), team=LESSONS)
        samples: list[Sample] = []
        seconds = SOAK_MINUTES * 60
        with measured(site) as use:
            beside = [asyncio.create_task(_sample(site, samples)), asyncio.create_task(_take_redis_away(site, seconds))]
            offered = await offer(learners, due_times(rate=RATE, seconds=seconds, seed=0), team=LESSONS)
            for task in beside:
                task.cancel()
        leave(learners)
        said = len(learners) + sum(bool(each.status) for each in (*warm, *offered))
        row = turn_figures(offered, use, model_first_s=model_first_s(site))
        row |= {f"status_{status}": number for status, number in Counter(each.status for each in offered).items()}
        row |= growth(samples) if SOAK_MINUTES >= SLOPE_FROM_MINUTES else {}
        return row, samples, dict(_faults(site, offered, said=said))


def growth(samples: Sequence[Sample]) -> Figures:
    """Return by how much memory and open files grew once they had settled: the median over periods of five minutes.

    A step that does not repeat is no leak: more turns ran at the same time than ever before.
    """
    settled = [sample for sample in samples if sample.at_s >= SETTLED_S]
    periods = [list(period) for _, period in groupby(settled, lambda sample: sample.at_s // PERIOD_S)]
    periods = [period for period in periods if len(period) > 1]
    return {
        "mb_an_hour": median(_slope(period, "memory_mb") for period in periods) * 3600,
        "files_an_hour": median(_slope(period, "files") for period in periods) * 3600,
        "memory_mb": samples[-1].memory_mb,
    }


def _slope(period: Sequence[Sample], figure: Literal["memory_mb", "files"]) -> float:
    """Return the slope of a straight line through the samples, per second."""
    return linear_regression([each.at_s for each in period], [getattr(each, figure) for each in period]).slope


async def _sample(site: Deployment, samples: list[Sample]) -> None:
    started = perf_counter()
    while True:
        at_s = perf_counter() - started
        samples.append(Sample(at_s=at_s, memory_mb=site.memory_mb(), files=site.servers[0].open_files()))
        await asyncio.sleep(LOOK_S)


async def _take_redis_away(site: Deployment, seconds: float) -> None:
    assert site.layer
    killed, started = (share * seconds for share in AWAY)
    await asyncio.sleep(killed)
    site.layer.kill()
    await asyncio.sleep(started - killed)
    await asyncio.to_thread(site.layer.start)


def _faults(site: Deployment, offered: Sequence[Offered], *, said: int) -> Iterator[tuple[str, float]]:
    """Yield how often something went wrong that must not."""
    yield "messages lost, refused or failed", sum(each.status not in ("done", "degraded") for each in offered)
    yield "events missing, doubled or out of order", sum(len(each.faults) for each in offered)
    for claim, query in MISSING.items():
        yield claim, site.rows(query)[0][0]
    yield "messages acknowledged and not stored once", abs(site.rows(SAID)[0][0] - said)
    yield "faults of budgets and costs", len(list(ledger_faults(Path(site.place.folder))))
