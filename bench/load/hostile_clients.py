"""Clients that do harm: one that asks for much and reads nothing, and one that sends without end."""

import asyncio
from contextlib import suppress
from typing import Any, Final

from bench.live_server.load_generator import due_times, masked, open_client, open_socket
from bench.live_server.server import Served
from bench.live_server.team_script import TORRENT
from bench.load.deployment import SIMULATED, SQLITE, deployed
from bench.load.learners import Learner, Offered, learners_of, leave, offer, say
from bench.load.measures import Figures, Stage, measured, model_first_s, turn_figures
from bench.report import Gate

MOST_MB: Final = 10.0
LOOK_S: Final = 0.05
HARM_S: Final = 10.0
RATE: Final = 5.0
"""Turns a second of the learners beside them."""
FLOOD: Final = b"".join(masked(b'{"type":"ping"}') for _ in range(1_000))


def hostile_clients() -> Stage:
    """The memory that a slow reader and a flooder cost, and what the learners beside them notice."""
    stage = Stage()
    for name, client in (("a slow reader", slow_reader), ("a flooder", flooder)):
        row = stage.rows[f"harm: {name}, {SQLITE}"] = asyncio.run(_harmed(client))
        stage.gates += [
            Gate(claim=f"harm: MB that {name} costs", seen=row["grown_mb"], at_most=MOST_MB),
            Gate(claim=f"harm: messages of others lost beside {name}", seen=row["lost"] + row["faults"], at_most=0),
        ]
    return stage


async def _harmed(client: Any) -> Figures:
    with deployed(SQLITE, SIMULATED, people=41) as site:
        learners = await learners_of(site, SIMULATED, count=40)
        # All that is loaded for such a turn is loaded, and read.
        await say(learners[0], Offered(due=0.0, text=TORRENT))
        await offer(learners, due_times(rate=RATE, seconds=HARM_S, seed=1), team=SIMULATED)
        before = most = site.memory_mb()
        with measured(site) as use:
            harming = asyncio.create_task(client(site.servers[0], site.place.tokens[-1]))
            offering = asyncio.create_task(
                offer(learners, due_times(rate=RATE, seconds=HARM_S, seed=0), team=SIMULATED)
            )
            while not offering.done():
                await asyncio.sleep(LOOK_S)
                most = max(most, site.memory_mb())
            harming.cancel()
        leave(learners)
        row = turn_figures(offering.result(), use, model_first_s=model_first_s(site))
        return row | {"grown_mb": most - before}


async def slow_reader(server: Served, token: str) -> None:
    """Ask for 200 KB, and read nothing."""
    socket = await open_client(server, token, Learner)
    socket.transport.pause_reading()
    socket.transport.write(masked(b'{"type":"message","text":"%b"}' % TORRENT.encode()))
    await asyncio.Event().wait()


async def flooder(server: Served, token: str) -> None:
    """Send frames as fast as the server takes them, and come back whenever it closes the socket."""
    while True:
        with suppress(OSError, RuntimeError):
            socket = await open_socket(server, token)
            while not socket.transport.is_closing():
                socket.transport.write(FLOOD)
                await _drained(socket.transport)


async def _drained(transport: asyncio.Transport) -> None:
    while transport.get_write_buffer_size() and not transport.is_closing():  # noqa: ASYNC110  # It tells nobody.
        await asyncio.sleep(0.001)
