"""T4: sockets that are open and silent."""

import asyncio
from typing import Final

from bench.live_server.load_generator import SocketClient, open_socket
from bench.load.deployment import SIMULATED, SQLITE, Deployment, deployed
from bench.load.learners import leave
from bench.load.measures import Figures, Stage, measured
from bench.load.sizes import SECONDS
from bench.report import Gate

PER_PERSON: Final = 20
MOST_MB: Final = {800: 100.0, 2000: 150.0}
"""Sockets → the memory that they may take."""


def idle_sockets() -> Stage:
    """T4: the memory and the CPU of idle sockets."""
    stage = Stage()
    for name, row in asyncio.run(_idle()).items():
        stage.rows[name] = row
        most = MOST_MB[int(row["sockets"])]
        stage.gates.append(Gate(claim=f"{name}: MB of memory", seen=row["grown_mb"], at_most=most))
    return stage


async def _idle() -> dict[str, Figures]:
    rows = {}
    with deployed(SQLITE, SIMULATED, people=max(MOST_MB) // PER_PERSON) as site:
        # The first sockets load what all need.
        sockets = [await _socket(site, number) for number in range(PER_PERSON)]
        before = site.memory_mb()
        for count in MOST_MB:
            sockets += [await _socket(site, number) for number in range(len(sockets), count)]
            with measured(site) as use:
                await asyncio.sleep(SECONDS)
            rows[f"T4: {count} idle sockets, {SQLITE}"] = {
                "sockets": count,
                "grown_mb": site.memory_mb() - before,
                "kb_a_socket": (site.memory_mb() - before) * 1024 / (count - PER_PERSON),
                "base_mb": before,
                "cpu_percent": use.cpu_s["web"] / use.seconds * 100,
                "others_percent": use.others_percent,
            }
        leave(sockets)
    return rows


async def _socket(site: Deployment, number: int) -> SocketClient:
    token = site.place.tokens[number // PER_PERSON]
    return await open_socket(site.servers[0], token, session=f"s{number % PER_PERSON}")
