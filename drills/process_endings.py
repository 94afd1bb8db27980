"""Endings other than a single kill: asked to end while turns stream, killed again and again, a client that vanishes."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from time import monotonic

from drills import storage_checks
from drills.client import Client, ClientTranscript
from drills.data_folder import BEFORE_THE_QUESTION, SESSION, SPOKEN, PreparedFolder
from drills.message_kills import client_returns, compared, wait_until_settled
from drills.result import DrillResult
from drills.server import NO_VARIABLES, Server
from drills.server import run as run_command

EXIT_WITHIN_S = 10.0
LONG_TURN_PACE_S = 2.0
"""A turn at this pace outlives the ten seconds that Daphne gives a socket's own tasks after it is gone."""
ATTEMPTS_AT_MOST = 3


def run(prepared: PreparedFolder) -> Iterator[DrillResult]:
    yield asked_to_end(prepared)
    yield killed_again_and_again(prepared)
    yield settled_by_command(prepared)
    yield client_vanishes(prepared)


def asked_to_end(
    prepared: PreparedFolder,
    *,
    folder: str = "asked-to-end",
    said: Sequence[str] = (SPOKEN,),
    by: str = "",
    variables: Mapping[str, str] = NO_VARIABLES,
) -> DrillResult:
    """SIGTERM with five turns streaming: a prompt end, all that was shown is stored, the next process goes on (F13).

    `said`: by each learner; the reply to the last message is streaming.
    """
    data = prepared.copy(folder)
    learners = range(len(prepared.tokens))
    readings = [ClientTranscript(text=said[-1], client_id=f"streaming-{number}") for number in learners]
    with Server(data, pace_s=0.5, variables=variables) as server, ExitStack() as sockets:
        server.wait_until_ready()
        clients = [
            sockets.enter_context(Client(server.port, token, session=f"streams-{number}"))
            for number, token in enumerate(prepared.tokens)
        ]
        for number, client in enumerate(clients):
            for place, text in enumerate(said[:-1]):
                before = ClientTranscript(text=text, client_id=f"before-{number}-{place}")
                client.say(before)
                client.read(before)
        for client, reading in zip(clients, readings, strict=True):
            client.say(reading)
        for client, reading in zip(clients, readings, strict=True):
            client.read(reading, until="reply_text")
        took_s = server.end()
        for client, reading in zip(clients, readings, strict=True):
            client.read(reading)
    faults = [] if took_s <= EXIT_WITHIN_S else ["the process took too long to end"]
    faults += [fault for reading in readings for fault in flushed(data, reading)]
    faults += _all_continued(data, prepared, readings, variables)
    for number in learners:
        faults += storage_checks.faults(data, said=said, session=f"streams-{number}", attempts=0)
    name = f"asked to end, five turns streaming{by}"
    return DrillResult(name=name, faults=tuple(faults), seconds=took_s, measured="ended in")


def flushed(data: Path, reading: ClientTranscript) -> Iterator[str]:
    """Yield what the old process left undone of a turn: its end, text that was shown, its lease."""
    if reading.finished:
        yield "a turn was over before the process was asked to end: the drill says nothing"
    stored, held = storage_checks.rows(
        data,
        "SELECT MAX(e.seq), t.lease_until >= STRFTIME('%Y-%m-%d %H:%M:%f', 'now') "
        "FROM conversations_turn t JOIN conversations_event e ON e.turn_id = t.id WHERE t.client_id = ?",
        reading.client_id,
    )[0]
    if stored < reading.seq:
        yield f"shown up to event {reading.seq}, stored up to {stored}"
    if held:
        yield "a lease was not given back"


def _all_continued(
    data: Path, prepared: PreparedFolder, readings: list[ClientTranscript], variables: Mapping[str, str]
) -> Iterator[str]:
    with Server(data, variables=variables) as server:
        server.wait_until_ready()
        for number, (token, reading) in enumerate(zip(prepared.tokens, readings, strict=True)):
            yield from continued(server, token, reading, session=f"streams-{number}")
        server.end()


def continued(server: Server, token: str, reading: ClientTranscript, *, session: str) -> list[str]:
    with Client(server.port, token, session=session) as client:
        client.resume(reading)
        client.read(reading)
    with Client(server.port, token, session=session) as client:
        again = reading.anew()
        client.say(again)
        client.read(again)
    return compared(again, reading)


def killed_again_and_again(prepared: PreparedFolder) -> DrillResult:
    """Kill every process that takes the turn up: after three attempts it is given up, and the learner is told (F14)."""
    data = prepared.copy("again-and-again")
    reading = ClientTranscript(text=prepared.answer, client_id="killed")
    with Server(data, kill_at="mid_stream") as server:
        server.wait_until_ready()
        with Client(server.port, prepared.tokens[0], session=SESSION) as client:
            client.say(reading)
            client.read(reading)
        server.wait_until_killed()
    for _ in range(ATTEMPTS_AT_MOST - 1):
        with Server(data, kill_at="mid_stream") as server:
            server.wait_until_killed()
    with Server(data) as server:
        server.wait_until_ready()
        wait_until_settled(data, reading.client_id)
        settled_s = server.age_s()
        faults = client_returns(server, prepared, reading)
        server.end()
    if (status := storage_checks.status_of(data, reading.client_id)) != "failed" or not reading.reply:
        faults.append(f"the turn is {status}, and its learner was told {reading.reply!r}")
    said = [*BEFORE_THE_QUESTION, reading.text]
    faults += storage_checks.faults(data, said=said, session=SESSION, attempts=1)
    return DrillResult(
        name="killed at every attempt", faults=tuple(faults), seconds=settled_s, starting_s=server.starting_s
    )


def settled_by_command(prepared: PreparedFolder) -> DrillResult:
    """Kill the server and start none: `recover_turns` settles the turn."""
    data = prepared.copy("by-command")
    reading = ClientTranscript(text=prepared.answer, client_id="killed")
    with Server(data, kill_at="mid_stream") as server:
        server.wait_until_ready()
        with Client(server.port, prepared.tokens[0], session=SESSION) as client:
            client.say(reading)
            client.read(reading)
        server.wait_until_killed()
    started_at = monotonic()
    run_command([sys.executable, "manage.py", "recover_turns"], data)
    took_s = monotonic() - started_at
    faults = list(reading.faults)
    faults += storage_checks.faults(data, said=[*BEFORE_THE_QUESTION, reading.text], session=SESSION, attempts=1)
    return DrillResult(name="settled by recover_turns", faults=tuple(faults), seconds=took_s)


def client_vanishes(prepared: PreparedFolder) -> DrillResult:
    """Lose the client in the middle of a long turn: the turn goes on without it, and is there when it returns (G14)."""
    data = prepared.copy("vanishes")
    reading = ClientTranscript(text=prepared.answer, client_id="unwatched")
    with Server(data, pace_s=LONG_TURN_PACE_S) as server:
        server.wait_until_ready()
        with Client(server.port, prepared.tokens[0], session=SESSION) as client:
            client.say(reading)
            client.read(reading, until="reply_text")
        vanished_at = monotonic()
        wait_until_settled(data, reading.client_id)
        took_s = monotonic() - vanished_at
        faults = client_returns(server, prepared, reading)
        server.end()
    if reading.resumptions:
        faults.append("the turn was begun anew, though its process lived")
    said = [*BEFORE_THE_QUESTION, reading.text]
    faults += storage_checks.faults(data, said=said, session=SESSION, attempts=1)
    return DrillResult(name="client vanishes in a turn", faults=tuple(faults), seconds=took_s, measured="turn went on")
