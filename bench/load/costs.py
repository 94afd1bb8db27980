"""What a turn of a lesson costs each part of a site, and whether that tells what larger sites use."""

import asyncio
from collections.abc import Awaitable
from typing import Final

from bench.live_server.load_generator import due_times, open_socket
from bench.live_server.panel_load import run_panel_load
from bench.live_server.panel_models import UNDERSTANDING_S, model_settings, script_models
from bench.live_server.panel_place import prepared_panel_place
from bench.live_server.server import served
from bench.load.deployment import LESSONS, SHARED, Deployment, deployed
from bench.load.learners import learners_of, leave, offer
from bench.load.measures import Figures, Stage, measured
from bench.load.scaling import Costs, per_s, predict
from bench.load.sizes import SECONDS
from bench.report import Gate
from drills.client import get
from tests.provider import Provider

RATE: Final = 3.0
PEOPLE: Final = 30
IDLE_S: Final = 10.0
SETTLED_S: Final = 3.0
"""Until side agents have ended and PostgreSQL has counted its rows."""
TURNS_AN_HOUR: Final = 120.0
"""Of a learner in the check: many, so that few learners are a load."""
CHECKED: Final = (60, 180)
"""Learners."""
PANEL_RATE: Final = 1.0
OFF_BY: Final = 0.25
"""How far measurements may be from predictions."""
PANEL_PEOPLE: Final = 10
TABS: Final = 10
"""Further sockets of each learner, for what a socket takes."""
PAGES: Final = ("/", "/learn/", "/c/load/", "/progress/")
PAGE_ROUNDS: Final = 5
NOT_PER_TURN: Final = ("seconds", "others_percent", "generator_cpu_ms", "models_cpu_ms")
COUNTED: Final = {"events": "conversations_event", "model_calls": "agents_modelcall"}


def costs() -> Stage:
    """Measure a lesson's turn under a small load, then check the sums with two larger sites."""
    stage = Stage()
    row = stage.rows["costs: a turn of a lesson"] = asyncio.run(_lesson_costs())
    stage.rows["costs: a turn of the panel"] = _panel_costs()
    for learners in CHECKED:
        told = predict(Costs.from_row(row), learners=learners, turns_an_hour=TURNS_AN_HOUR)
        seen = asyncio.run(_checked(learners))
        stage.rows |= {f"costs: {learners} learners, predicted": told, f"costs: {learners} learners, measured": seen}
        stage.goals += [
            Gate(
                claim=f"costs: {figure} of {learners} learners, off by",
                seen=abs(seen[figure] / told[figure] - 1),
                at_most=OFF_BY,
            )
            for figure in told
        ]
    return stage


async def _lesson_costs() -> Figures:
    with deployed(SHARED, LESSONS, people=PEOPLE) as site:
        learners = await learners_of(site, LESSONS)
        # What the first turns load stays.
        await offer(learners, due_times(rate=RATE, seconds=SECONDS, seed=1), team=LESSONS)
        await asyncio.sleep(SETTLED_S)
        base_mb = site.memory_mb()
        idle = await _spent(site, asyncio.sleep(IDLE_S))
        due = due_times(rate=RATE, seconds=2 * SECONDS, seed=0)
        spent = await _spent(site, offer(learners, due, team=LESSONS))
        warm_mb = site.memory_mb()
        tabs = [await open_socket(site.servers[0], token) for token in site.place.tokens for _ in range(TABS)]
        sockets_mb = site.memory_mb() - warm_mb
        leave((*learners, *tabs))
        page_cpu_ms = await asyncio.to_thread(_page_cpu_ms, site)
        assert site.models
    share = spent["seconds"] / idle["seconds"]
    # What costs almost nothing may have cost more while the site was idle.
    a_turn = {name: max(0.0, spent[name] - idle[name] * share) / len(due) for name in spent if name not in NOT_PER_TURN}
    return a_turn | {
        "idle_cpu_percent": idle["web_cpu_ms"] / idle["seconds"] / 10,
        "base_mb": base_mb,
        "socket_kb": sockets_mb * 1024 / len(tabs),
        "turn_s": site.models.reply_s,
        "page_cpu_ms": page_cpu_ms,
        "others_percent": spent["others_percent"],
    }


def _page_cpu_ms(site: Deployment) -> float:
    """Return what a page costs a web process, for a learner in a lesson."""
    browser = site.place.browsers[0]
    port = int(site.servers[0].address.rpartition(":")[2])

    def load() -> None:
        for path in PAGES:
            get(port, browser, path)

    load()
    before = site.servers[0].cpu_s()
    for _ in range(PAGE_ROUNDS):
        load()
    return (site.servers[0].cpu_s() - before) / (PAGE_ROUNDS * len(PAGES)) * 1000


async def _checked(learners: int) -> Figures:
    """Return what so many learners use, by the names of the prediction."""
    with deployed(SHARED, LESSONS, people=learners) as site:
        sockets = await learners_of(site, LESSONS)
        rate = per_s(learners, TURNS_AN_HOUR)
        await offer(sockets, due_times(rate=rate, seconds=SECONDS / 2, seed=1), team=LESSONS)
        due = due_times(rate=rate, seconds=2 * SECONDS, seed=0)
        spent = await _spent(site, offer(sockets, due, team=LESSONS))
        memory_mb = site.memory_mb()
        leave(sockets)
    # What was offered within this time; the last turns end a little later.
    seconds = 2 * SECONDS
    return {
        "turns_per_s": len(due) / seconds,
        "web_cores": spent["web_cpu_ms"] / 1000 / seconds,
        "database_cores": spent["database_cpu_ms"] / 1000 / seconds,
        "memory_mb": memory_mb,
        "rows_per_s": (spent["rows_inserted"] + spent["rows_updated"]) / seconds,
        "logged_kb_per_s": spent["logged_kb"] / seconds,
        "events_per_s": spent["events"] / seconds,
        "redis_commands_per_s": spent["redis_commands"] / seconds,
    }


async def _spent(site: Deployment, work: Awaitable[object]) -> Figures:
    """Await the work; return what the site used meanwhile, and until nothing of it goes on."""
    before = _counts(site)
    with measured(site) as use:
        await work
        await asyncio.sleep(SETTLED_S)
    spent = {name: count - before[name] for name, count in _counts(site).items()}
    cpu = {f"{part}_cpu_ms": used * 1000 for part, used in use.cpu_s.items()}
    return spent | cpu | {"seconds": use.seconds, "others_percent": use.others_percent}


def _counts(site: Deployment) -> Figures:
    writes = site.writes()
    counts = {name: float(site.rows(f"SELECT COUNT(*) FROM {table}")[0][0]) for name, table in COUNTED.items()}
    return counts | {
        "rows_inserted": writes["inserted"],
        "rows_updated": writes["updated"],
        "logged_kb": writes["logged"] / 1024,
        "stored_kb": writes["size"] / 1024,
        "redis_commands": float(site.redis_commands()),
    }


def _panel_costs() -> Figures:
    """Return what a turn of the panel costs a web process."""
    with Provider() as provider, prepared_panel_place(people=PANEL_PEOPLE) as panel:
        script_models(provider, understanding_s=UNDERSTANDING_S)
        with served(panel.place, by="daphne", **model_settings(provider)) as running:
            run_panel_load(running, panel, due=range(8))
            load = run_panel_load(running, panel, due=due_times(rate=PANEL_RATE, seconds=2 * SECONDS, seed=0))
    return {"web_cpu_ms": load.cpu_ms, "errors": load.errors, "others_percent": load.others_percent}
