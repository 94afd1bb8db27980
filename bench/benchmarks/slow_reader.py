"""What a client that asks for much and reads none of it costs the server in memory."""

import asyncio
import json
from contextlib import AsyncExitStack

import websockets
from websockets.typing import Origin

from bench.harness import Samples
from bench.live_server.server import SERVERS, Place, Served, prepared_place, served
from bench.live_server.team_script import TORRENT
from bench.machine_load import cpu_pressure
from bench.report import Gate, Report, report_of

STALLED = 10
PATHS = ("/v2/ws/", "/live/")
SETTLED_S = 2.0
"""After how long without growth the server holds all that it will hold."""
PATIENCE_S = 90.0


def run() -> Report:
    samples = Samples(taken={f"{by} {path}": [] for by in SERVERS for path in PATHS})
    for by in SERVERS:
        for path in PATHS:
            with prepared_place(people=STALLED) as made, served(made, by=by) as running:
                samples.taken[f"{by} {path}"].append(asyncio.run(_sample(made, running, path)))
        samples.pressure.append(cpu_pressure() or 0.0)
    gates = tuple(
        Gate(claim=f"MB a stalled session, {name}", seen=samples.median(name, "mb_a_session"), at_most=2)
        for name in samples.taken
    )
    return report_of(samples, title=f"{STALLED} sockets with a turn of 200 KB that nobody reads", gates=gates)


async def _sample(made: Place, running: Served, path: str) -> dict[str, float]:
    # The same turns with readers: what they take is the turns' own.
    people = list(zip(made.tokens, made.browsers, strict=True))
    await asyncio.gather(*(_heard(running, person, path) for person in people))
    before = running.memory_mb()
    async with AsyncExitStack() as stack:
        wires = [await stack.enter_async_context(_opened(running, person, f"{path}s")) for person in people]
        for wire in wires:
            await wire.send(_said(path))
        most = await _most_memory_mb(running)
        for wire in wires:
            wire.transport.abort()
    return {"mb_a_session": max(0.0, most - before) / STALLED, "before_mb": before}


async def _most_memory_mb(running: Served) -> float:
    most, unchanged_s = running.memory_mb(), 0.0
    async with asyncio.timeout(PATIENCE_S):
        while unchanged_s < SETTLED_S:
            cpu = running.cpu_s()
            await asyncio.sleep(0.25)
            now = running.memory_mb()
            # Growth ends with the work, not with a pause in it.
            unchanged_s = unchanged_s + 0.25 if now <= most and running.cpu_s() - cpu < 0.05 else 0.0
            most = max(most, now)
    return most


async def _heard(running: Served, person: tuple[str, str], path: str) -> None:
    """Have the turn answered and read it, here and on the page, so that all that the server loads is loaded."""
    async with _opened(running, person, "/v2/ws/s", reads=True) as wire:
        await wire.send(_said("/v2/ws/", "hello"))
        await _read_until_the_end(wire)
        async with _opened(running, person, f"{path}s", reads=True) as beside:
            reading = asyncio.create_task(_read_on(beside))
            await wire.send(_said("/v2/ws/"))
            await _read_until_the_end(wire)
            reading.cancel()


async def _read_until_the_end(wire: websockets.ClientConnection) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while '"turn_finished"' not in str(await wire.recv()):
            pass


async def _read_on(wire: websockets.ClientConnection) -> None:
    while True:
        await wire.recv()


def _said(path: str, text: str = TORRENT) -> str:
    return json.dumps(({"action": "say"} if path == "/live/" else {"type": "message"}) | {"text": text})


def _opened(running: Served, person: tuple[str, str], path: str, *, reads: bool = False) -> websockets.connect:
    """Open a socket of a person, given by a token for the API and the key of a browser's session for a page."""
    token, browser = person
    is_page = path.startswith("/live/")
    return websockets.connect(
        f"ws://{running.address}{path}",
        additional_headers={"Cookie": f"sessionid={browser}"} if is_page else {"Authorization": f"Bearer {token}"},
        origin=Origin(f"http://{running.address}") if is_page else None,
        proxy=None,
        compression=None,
        ping_interval=None,
        max_queue=None if reads else 1,
        max_size=None,
    )
