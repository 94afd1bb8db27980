"""Two faults at once: a provider that is overloaded, while the database is locked. (Redis and a worker: see `jobs`.)"""

import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from time import monotonic, sleep

from drills import storage_checks
from drills.client import Client, ClientTranscript
from drills.data_folder import PreparedFolder
from drills.model_connection import QUESTIONS, connected, ledger_faults
from drills.result import DrillResult
from drills.server import Server
from tests.provider import Answer, Provider

LOCKED_S = 4.0
"""Less than what a write waits for the lock, so that nothing has to be refused."""
OVERLOADED = "V4:529"
DATABASE = "learnagent.sqlite3"


def run(prepared: PreparedFolder) -> Iterator[DrillResult]:
    """Let everybody say something, and lock the database as soon as all turns have begun; then let them go on."""
    data, started = prepared.copy("two_faults"), monotonic()
    with (
        Provider() as provider,
        Server(data, variables=connected("anthropic", provider.url)) as server,
        ExitStack() as stack,
    ):
        provider.otherwise(Answer(fault=OVERLOADED))
        server.wait_until_ready()
        clients = [
            stack.enter_context(Client(server.port, token, session=f"two-faults-{number}"))
            for number, token in enumerate(prepared.tokens)
        ]
        talks = [
            [ClientTranscript(text=text, client_id=f"{number}-{place}") for place, text in enumerate(QUESTIONS[:2])]
            for number in range(len(clients))
        ]
        with ThreadPoolExecutor(len(clients)) as pool:
            begun = list(pool.map(_begin, clients, [first for first, _second in talks]))
            with closing(sqlite3.connect(data / DATABASE, timeout=30, isolation_level=None)) as lock:
                lock.execute("BEGIN IMMEDIATE")
                sleep(LOCKED_S)
                lock.execute("ROLLBACK")
            ended = list(pool.map(_go_on, clients, talks))
        server.end()
    faults = [fault for talk in talks for reading in talk for fault in reading.faults]
    faults += [] if all(begun) and all(ended) else ["the server was gone"]
    statuses = {reading.finished["status"] for talk in talks for reading in talk if reading.finished}
    if statuses != {"degraded"}:
        faults.append(f"the turns ended as {sorted(statuses)}")
    for number, talk in enumerate(talks):
        said = [reading.text for reading in talk]
        faults += storage_checks.order_faults(data, said=said, session=f"two-faults-{number}")
    faults += storage_checks.turn_faults(data, attempts=0)
    faults += ledger_faults(data)
    note = f"{len(talks)} people, locked for {LOCKED_S:.0f} s, every call refused"
    yield DrillResult(
        name="provider overloaded, database locked",
        faults=tuple(dict.fromkeys(faults)),
        seconds=monotonic() - started,
        measured="took",
        note=note,
    )


def _begin(client: Client, reading: ClientTranscript) -> bool:
    client.say(reading)
    return client.read(reading, until="turn_started")


def _go_on(client: Client, talk: list[ClientTranscript]) -> bool:
    """Read the first turn to its end, and have a second one."""
    first, second = talk
    is_there = client.read(first)
    client.say(second)
    return client.read(second) and is_there
