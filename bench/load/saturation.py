"""More and more messages a second, until a site cannot serve them all: what breaks first, and how clients are told."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from time import perf_counter
from typing import Final

from bench.live_server.load_generator import due_times
from bench.live_server.team_script import MODEL_S
from bench.load.callers import LATER, Callers
from bench.load.deployment import LESSONS, SHARED, SIMULATED, SQLITE, Deployment, deployed
from bench.load.learners import PATIENCE_S, Learner, Offered, learners_of, leave, offer, wait_until
from bench.load.measures import Figures, Stage, measured, model_first_s, turn_figures
from bench.report import Gate

RATES: Final = {SIMULATED: (20, 40, 60, 80, 100, 130, 160, 200), LESSONS: (5, 10, 15, 20, 30, 40)}
"""Messages a second."""
STEP_S: Final = 10.0
SITES: Final = ((SQLITE, 1), (SHARED, 1), (SHARED, 2))
"""Stores and web processes."""
PEOPLE: Final = 450
"""For each process: more than it serves and lets wait at the same time."""
CALLERS: Final = 50
"""Those of them who send their messages by HTTP, one message in ten."""
REFUSALS: Final = {"turn_in_progress": 409, "rate_limited": 429, "unavailable": 503}
UNFINISHED: Final = "SELECT COUNT(*) FROM conversations_turn WHERE status IN ('queued', 'running')"
STORED: Final = "SELECT COUNT(*) FROM conversations_turn"


def saturation() -> Stage:
    """Offer more and more to one process and to two: every message is served, told its place, or refused."""
    stage = Stage()
    for team in (SIMULATED, LESSONS):
        for stores, processes in SITES:
            curve = asyncio.run(_curve(team, stores, processes))
            name = f"{team}, {processes} on {stores}"
            stage.rows |= {f"saturation: {name}, {rate}/s": row for rate, row in curve.items()}
            silent = sum(row["lost"] + row["faults"] + row["unstored"] for row in curve.values())
            claim = f"saturation: messages without an answer or with faults, {name}"
            stage.gates.append(Gate(claim=claim, seen=silent, at_most=0))
    return stage


async def _curve(team: str, stores: str, processes: int) -> dict[int, Figures]:
    """Return the figures by the messages offered a second."""
    calling = CALLERS * processes
    with deployed(stores, team, people=PEOPLE * processes, processes=processes) as site:
        callers = Callers(site, site.place.tokens[:calling], team=team)
        learners = await learners_of(site, team, first=calling)
        await offer(learners, due_times(rate=RATES[team][0], seconds=5, seed=99), team=team)
        curve = {
            rate: await _step(site, learners, callers, team=team, rate=rate, seed=number)
            for number, rate in enumerate(RATES[team])
        }
        leave(learners)
        return curve


async def _step(
    site: Deployment, learners: Sequence[Learner], callers: Callers, *, team: str, rate: float, seed: int
) -> Figures:
    due = due_times(rate=rate, seconds=STEP_S, seed=seed)
    spoken = [at for number, at in enumerate(due) if number % 10]
    stored, started = site.rows(STORED)[0][0], perf_counter()
    with measured(site) as use:
        found = await asyncio.gather(offer(learners, spoken, team=team), callers.offer(due[::10]))
        # A caller that was told its place is not told its end.
        await wait_until(lambda: not site.rows(UNFINISHED)[0][0], within_s=PATIENCE_S)
    offered = [*found[0], *found[1]]
    reply_s = site.models.reply_s if site.models else MODEL_S
    codes = Counter(each.refusal for each in offered if each.refusal)
    accepted = sum(bool(each.status) for each in offered)
    return turn_figures(offered, use, model_first_s=model_first_s(site)) | {
        "offered_per_s": len(due) / STEP_S,
        "served_per_s": served_a_second(offered, since=started + reply_s),
        "at_once": at_once(offered),
        "most_place": max(each.place for each in offered),
        "degraded": sum(each.status not in ("done", LATER, "") for each in offered),
        "told_202": sum(each.status == LATER for each in offered),
        **{f"refused_{status}": codes[code] for code, status in REFUSALS.items()},
        "unstored": abs(accepted - (site.rows(STORED)[0][0] - stored)),
        "unfinished": site.rows(UNFINISHED)[0][0],
        "memory_mb": site.memory_mb(),
    }


def served_a_second(offered: Sequence[Offered], *, since: float) -> float:
    """Return how many turns ended a second, from a moment on until the last one ended, or as long as messages came."""
    ends = [each.ended for each in offered if each.ended is not None]
    return len(ends) / max(STEP_S, max(ends, default=since) - since)


def at_once(offered: Sequence[Offered]) -> int:
    """Return how many messages were at most on their way at the same time."""
    changes = [(each.due, 1) for each in offered if each.ended] + [(each.ended, -1) for each in offered if each.ended]
    most = now = 0
    for _moment, change in sorted(changes):
        now += change
        most = max(most, now)
    return most
