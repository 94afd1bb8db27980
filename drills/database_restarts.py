"""PostgreSQL crashes and comes back while turns stream: the server of the place lives on, and nothing is lost (G10)."""

import json
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from time import monotonic

from drills import storage_checks
from drills.client import Client, ClientTranscript
from drills.data_folder import LEARNERS, SPOKEN, PreparedFolder
from drills.result import DrillResult
from drills.server import Server
from drills.server import run as run_command
from tests import postgres

SETTLED_WITHIN_S = 60.0


def run(prepared: PreparedFolder) -> Iterator[DrillResult]:
    data = prepared.folder.parent / "database-restarted"
    data.mkdir(mode=0o700)
    with postgres.running() as database:
        database.create_database()
        (data / storage_checks.ADDRESS).write_text(database.url)
        tokens = json.loads(run_command([sys.executable, "-m", "drills.learners", *LEARNERS], data))["tokens"]
        yield database_restarted(data, database, tokens)


def database_restarted(data: Path, database: postgres.Server, tokens: list[str]) -> DrillResult:
    """Crash the database with five turns streaming, and start it again; each is read to its end on its socket."""
    readings = [ClientTranscript(text=SPOKEN, client_id=f"streaming-{number}") for number in range(len(tokens))]
    faults: list[str] = []
    with Server(data, pace_s=0.5) as server:
        server.wait_until_ready()
        took_s = _read_through_a_crash(server, database, readings, tokens)
        faults += [fault for reading in readings for fault in reading.faults]
        faults += [f"{reading.client_id} has no end" for reading in readings if reading.finished is None]
        faults += _goes_on(server, tokens)
        server.end()
    for number in range(len(readings)):
        faults += storage_checks.faults(data, said=[SPOKEN, "Thank you"], session=f"streams-{number}", attempts=0)
    if took_s > SETTLED_WITHIN_S:
        faults.append("the turns took too long to end")
    return DrillResult(name="database restarted, five turns streaming", faults=tuple(faults), seconds=took_s)


def _read_through_a_crash(
    server: Server, database: postgres.Server, readings: list[ClientTranscript], tokens: list[str]
) -> float:
    """Read the turns until all of them speak, restart the database, and read on; return the seconds from its crash."""
    with ExitStack() as sockets:
        clients = [
            sockets.enter_context(Client(server.port, token, session=f"streams-{number}"))
            for number, token in enumerate(tokens)
        ]
        for client, reading in zip(clients, readings, strict=True):
            client.say(reading)
        for client, reading in zip(clients, readings, strict=True):
            client.read(reading, until="reply_text")
            if reading.finished:
                reading.faults.append("it was over before the database crashed: the drill says nothing")
        crashed_at = monotonic()
        database.stop(how="immediate")
        database.start()
        for client, reading in zip(clients, readings, strict=True):
            client.read(reading)
        return monotonic() - crashed_at


def _goes_on(server: Server, tokens: list[str]) -> Iterator[str]:
    """Say the next thing on new sockets; yield what is wrong with its turns."""
    for number, token in enumerate(tokens):
        after = ClientTranscript(text="Thank you", client_id="after")
        with Client(server.port, token, session=f"streams-{number}") as client:
            client.say(after)
            client.read(after)
        yield from after.faults
        if not after.finished or after.finished["status"] != "done":
            yield f"streams-{number} does not go on"
