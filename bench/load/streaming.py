"""T1: conversations that stream at the same time. T2: many sockets to which text streams, none of which may miss any."""

import asyncio
from typing import Final

from bench.live_server.load_generator import END, SocketClient, due_times, open_client
from bench.live_server.team_script import PACE_S, TOKENS
from bench.load.deployment import LESSONS, SHARED, SIMULATED, SQLITE, deployed
from bench.load.learners import learners_of, leave, offer, wait_until
from bench.load.lesson_models import FIRST_WORD_S, REPLY
from bench.load.measures import Figures, Stage, measured, model_first_s, turn_figures
from bench.load.sizes import SECONDS
from bench.report import Gate

AT_ONCE: Final = 50
PEOPLE: Final = 80
"""More than wait for a reply at once: messages come at random."""
REPLY_S: Final = {SIMULATED: TOKENS * PACE_S, LESSONS: 5.0}
"""How long a reply streams: so many more begin meanwhile that 50 stream at any time."""
LESSON_GAP_S: Final = (REPLY_S[LESSONS] - FIRST_WORD_S) / len(REPLY.split())
FIRST_P95_MS: Final = 800.0
WANTED_FIRST_P95_MS: Final = 100.0
"""A goal only, because most of this time is CPU time, which depends on the machine."""

CONVERSATIONS: Final = 200
"""The turns that a process serves at once."""
SOCKETS: Final = (200, 500)
"""To which they stream; those beyond the conversations are further tabs."""
LONG_PACE_S: Final = 0.2
STARTED_WITHIN_S: Final = 8.0
"""Turns of 10 s that begin within 8 s: all of them stream at the end of those."""
SHOWN_P95_MS: Final = 2000.0
TAB_PATIENCE_S: Final = 10.0


def many_at_once() -> Stage:
    """T1: 50 conversations stream at any time; how long until the first words, beside the model."""
    stage = Stage()
    for stores in (SQLITE, SHARED):
        for team in (SIMULATED, LESSONS):
            name = f"T1: {AT_ONCE} {team} at once, {stores}"
            row = stage.rows[name] = asyncio.run(_many_at_once(stores, team))
            stage.gates.append(Gate(claim=f"{name}: lost or faulty", seen=row["lost"] + row["faults"], at_most=0))
            claim = f"{name}: p95 of the first words beside the model, ms"
            stage.limit(
                claim, row["first_p95_ms"], FIRST_P95_MS, others_percent=row["others_percent"], slowness=row["slowness"]
            )
            stage.goals.append(Gate(claim=claim, seen=row["first_p95_ms"], at_most=WANTED_FIRST_P95_MS))
    return stage


async def _many_at_once(stores: str, team: str) -> Figures:
    with deployed(stores, team, people=PEOPLE, gap_s=LESSON_GAP_S) as site:
        learners = await learners_of(site, team)
        rate = AT_ONCE / REPLY_S[team]
        # The first turns import and connect, and until one reply's time has passed, fewer stream.
        await offer(learners, due_times(rate=rate, seconds=REPLY_S[team] + 3, seed=1), team=team)
        with measured(site) as use:
            offered = await offer(learners, due_times(rate=rate, seconds=SECONDS, seed=0), team=team)
        leave(learners)
        return turn_figures(offered, use, model_first_s=model_first_s(site))


def many_sockets() -> Stage:
    """T2: text streams to 200 and to 500 sockets; none misses any."""
    stage = Stage()
    for sockets in SOCKETS:
        name = f"T2: {sockets} streaming sockets, {SQLITE}"
        row = stage.rows[name] = asyncio.run(_many_sockets(sockets))
        missed = row["lost"] + row["faults"] + row["tabs_missed"]
        stage.gates.append(Gate(claim=f"{name}: messages or events missed", seen=missed, at_most=0))
        claim = f"{name}: p95 of the first words beside the model, ms"
        stage.limit(
            claim, row["first_p95_ms"], SHOWN_P95_MS, others_percent=row["others_percent"], slowness=row["slowness"]
        )
    return stage


async def _many_sockets(sockets: int) -> Figures:
    with deployed(SQLITE, SIMULATED, people=CONVERSATIONS, BENCH_PACE_S=str(LONG_PACE_S)) as site:
        learners = await learners_of(site, SIMULATED)
        due = [STARTED_WITHIN_S * number / CONVERSATIONS for number in range(CONVERSATIONS)]
        await offer(learners, due[:20], team=SIMULATED)
        tokens = [site.place.tokens[number % CONVERSATIONS] for number in range(sockets - CONVERSATIONS)]
        tabs = [await open_client(site.servers[0], token, Tab) for token in tokens]
        with measured(site) as use:
            offered = await offer(learners, due, team=SIMULATED)
            await wait_until(lambda: all(tab.turns for tab in tabs), within_s=TAB_PATIENCE_S)
        row = turn_figures(offered, use, model_first_s=LONG_PACE_S)
        row["tabs_missed"] = sum(tab.turns != 1 or tab.faults > 0 for tab in tabs)
        row["events"] = sum(socket.frames for socket in (*learners, *tabs))
        leave((*learners, *tabs))
        return row


class Tab(SocketClient):
    """A further socket of a conversation, which follows the turns that the first one begins."""

    turns = 0
    """Those that it has seen to their end."""
    faults = 0
    """Events missing, doubled or out of order."""

    def frame(self, payload: bytes) -> None:
        self.frames += 1
        if not payload.startswith(b'{"seq":'):
            self.faults += 1
            return
        seq = int(payload[7 : payload.index(b",")])
        self.faults += seq != self.seq + 1
        self.seq = seq
        if END in payload:
            self.turns, self.seq = self.turns + 1, 0
