"""`kill -9` in round two of three: the table goes on by itself, nothing is said twice, and no event is missed."""

import shutil
import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from time import monotonic, sleep
from typing import Final

from drills import storage_checks
from drills.client import Client, ClientTranscript, get
from drills.data_folder import PreparedFolder
from drills.result import DrillResult
from drills.server import Server
from drills.tables.checks import record_faults
from drills.tables.folder import variables
from drills.tables.models import QUESTION, VOICES, TableModels, TableRequests
from drills.tables.reading import HeldTable, hold
from tests.provider import Provider

ROUNDS: Final = 3
LATE_S: Final = 0.4
"""Between the answers of two voices in round two of a table that is killed: time to kill it in between."""
KILLED_AFTER: Final = (0, 2, 4)
"""Contributions of round two that the client has seen when the server is killed."""


def kills(base: PreparedFolder, filled: Path) -> Iterator[DrillResult]:
    for after in KILLED_AFTER:
        for returns in (False, True):
            yield _killed(base, filled, after=after, returns=returns)


def _killed(base: PreparedFolder, filled: Path, *, after: int, returns: bool) -> DrillResult:
    """Kill the server in round two of three; it goes on alone, or while its client reads on."""
    data = filled.with_name(f"round-table-{after}-{returns:d}")
    _copy(filled, data)
    models = TableModels()
    asked = models.begin(late_s=LATE_S)
    with Provider() as provider:
        provider.otherwise(models)
        environment = variables(provider, data)
        seen, reading = _until_killed(base, data, environment, after=after)
        began = monotonic()
        before = Counter(asked.asked)
        with Server(data, pace_s=0, variables=environment) as server:
            server.wait_until_ready()
            if not returns:
                _wait_until_settled(data, seen.turn)
            with Client(server.port, base.tokens[0], session=seen.session) as client:
                client.resume(reading)
                client.read(reading)
            seen.read_record(data)
            page = get(server.port, base.browsers[0], f"/round-table/{reading.turn_id}/")
            # The other learner's turn goes on after the kill, too.
            for (turn,) in storage_checks.rows(data, "SELECT id FROM conversations_turn"):
                _wait_until_settled(data, turn)
            server.end()
    faults = [*_went_on(seen, reading, before, asked), *_shown_once(seen, page)]
    faults += storage_checks.faults(data, said=[QUESTION], session=seen.session, attempts=0)
    name = f"round_table, killed after {after} of round two, {'client returns' if returns else 'recovers alone'}"
    again = sum(max(0, times - 1) for times in asked.asked.values())
    return DrillResult(
        name=name, faults=tuple(faults), seconds=monotonic() - began, starting_s=server.starting_s,
        note=f"{len(seen.events)} events, {again} asked again",
    )  # fmt: skip


def _copy(filled: Path, data: Path) -> None:
    shutil.rmtree(data, ignore_errors=True)
    shutil.copytree(filled, data)


def _until_killed(
    base: PreparedFolder, data: Path, environment: Mapping[str, str], *, after: int
) -> tuple[HeldTable, ClientTranscript]:
    """Hold a table, followed by a socket, and kill the server when this much of round two was seen."""
    reading = ClientTranscript(text=QUESTION, client_id="followed")
    following: list[threading.Thread] = []
    with Server(data, pace_s=0, variables=environment) as server:
        server.wait_until_ready()

        def follow(held: HeldTable) -> None:
            with Client(server.port, base.tokens[0], session=held.session) as client:
                client.resume(reading)
                client.read(reading)

        def look(held: HeldTable) -> None:
            if not following:
                held.read_record(data)
                reading.turn_id = held.turn_id
                following.append(threading.Thread(target=follow, args=(held,)))
                following[0].start()
            if held.is_in_round(2) and sum(number == 2 for number, *_ in held.responses) == after:
                server.process.kill()

        seen = hold(server.port, base.tokens[0], data, seen=look)
        server.process.wait()
        for each in following:
            each.join()
    return seen, reading


def _wait_until_settled(data: Path, turn: str) -> None:
    """Return once the turn has ended by itself. Raise TimeoutError after a minute."""
    ends = monotonic() + 60
    while not (found := storage_checks.rows(data, "SELECT status FROM conversations_turn WHERE id = ?", turn)) or (
        found[0][0] not in storage_checks.SETTLED
    ):
        if monotonic() > ends:
            raise TimeoutError(f"the turn is {found} after a minute")
        sleep(0.05)


def _went_on(
    seen: HeldTable, reading: ClientTranscript, before: Mapping[tuple[int, str], int], asked: TableRequests
) -> Iterator[str]:
    yield from reading.faults
    if reading.finished is None or reading.finished["status"] != "done":
        yield f"the table ended as {reading.finished and reading.finished['status']}"
    due = [(number, voice) for number in range(1, ROUNDS + 1) for voice in VOICES]
    yield from record_faults(seen, due=due)
    for number, agent, _words in seen.responses:
        if asked.asked[number, agent] != before[number, agent]:
            yield f"{agent} was asked again for round {number}, which its client had seen"
    for number in (1, ROUNDS):
        if again := [each for each in VOICES if asked.asked[number, each] != 1]:
            yield f"asked again in round {number}: {again}"


def _shown_once(seen: HeldTable, page: str) -> Iterator[str]:
    """Yield the contributions that the client has seen and the page does not show exactly once."""
    for number, agent, words in seen.responses:
        first = words.partition(".")[0]
        if (times := page.count(first)) != 1:
            yield f"the page shows {times} times what {agent} said in round {number}"
