"""Processes that end while a model answers: a tool acts twice under one key, every real call is counted once."""

import http.server
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Self

from drills import storage_checks
from drills.client import Client, ClientTranscript
from drills.data_folder import BEFORE_THE_QUESTION, OPENING, SESSION, PreparedFolder
from drills.message_kills import client_returns, wait_until_settled
from drills.model_connection import (
    FLAVOURS,
    QUESTION,
    READER,
    WORDS,
    Call,
    calls_of,
    connected,
    ledger_faults,
    miscounted,
    summarize_calls,
)
from drills.process_endings import ATTEMPTS_AT_MOST, asked_to_end
from drills.result import DrillResult
from drills.ring_tool import RingResult
from drills.server import Server
from tests.provider import Answer, Provider
from tests.provider.model_request import ProviderRequest

SLOW_S = 0.25
"""Between two words of a model that is still speaking when its process ends."""


def run(base: PreparedFolder) -> Iterator[DrillResult]:
    with ThreadPoolExecutor(len(FLAVOURS)) as pool:
        for drill in (rung_twice, killed_at_every_attempt, asked_to_end_by_a_model):
            yield from pool.map(partial(drill, base), FLAVOURS)


class Bell:
    """What a tool acts on: notes the key of each request."""

    def __init__(self) -> None:
        self.keys: list[str] = []
        keys = self.keys

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                keys.append(self.headers.get("Idempotency-Key", ""))
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                """Say nothing."""

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/"

    def __enter__(self) -> Self:
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: Any) -> None:
        self.server.shutdown()
        self.server.server_close()


def ringing(asked: ProviderRequest) -> Answer:
    """Ask for the bell, and speak once it has rung."""
    return Answer(text=WORDS) if RingResult().said in asked.everything else Answer(tools=(("ring", {}),))


def rung_twice(base: PreparedFolder, speaks: str) -> DrillResult:
    """Kill the server between a tool's effect and its record: it may act twice, under one key (F6)."""
    data = base.copy(f"rung-{speaks}")
    reading = ClientTranscript(text=QUESTION, client_id="rings")
    with Provider() as provider, Bell() as bell:
        provider.otherwise(ringing)
        variables = connected(speaks, provider.url) | {"DRILL_RING": bell.url}
        _killed(data, base, reading, kill_at="tool_effect", variables=variables)
        faults, settled_s, starting_s = _settled(data, base, reading, variables=variables)
    if len(bell.keys) != 2 or len(set(bell.keys)) != 1 or reading.turn_id not in bell.keys[0]:
        faults.append(f"the bell was rung by {bell.keys}")
    if reading.finished is None or reading.finished["status"] != "done" or WORDS not in reading.reply:
        faults.append(f"the turn ended {reading.finished}")
    note, more = _record(data, reading, provider, endings=["answered"] * 3)
    return DrillResult(
        name=f"a tool rings, {speaks}",
        faults=(*faults, *more),
        seconds=settled_s,
        starting_s=starting_s,
        note=f"{len(bell.keys)} rings, {len(set(bell.keys))} key; {note}",
    )


def killed_at_every_attempt(base: PreparedFolder, speaks: str) -> DrillResult:
    """Kill every process that takes the turn up while a model speaks: given up, honestly, each call counted once (F14)."""
    data = base.copy(f"spoken-{speaks}")
    reading = ClientTranscript(text=QUESTION, client_id="killed")
    with Provider(pace_s=SLOW_S) as provider:
        provider.otherwise(Answer(text=WORDS))
        variables = connected(speaks, provider.url)
        _killed(data, base, reading, kill_at="mid_stream", variables=variables)
        for _ in range(ATTEMPTS_AT_MOST - 1):
            with Server(data, kill_at="mid_stream", variables=variables) as server:
                server.wait_until_killed()
        faults, settled_s, starting_s = _settled(data, base, reading, variables=variables)
    if reading.finished is None or reading.finished["status"] != "failed" or "saved" not in reading.reply:
        faults.append(f"the turn ended {reading.finished}, and its learner was told {reading.reply!r}")
    note, more = _record(data, reading, provider, endings=["lost"] * ATTEMPTS_AT_MOST)
    return DrillResult(
        name=f"killed at every attempt, {speaks}",
        faults=(*faults, *more),
        seconds=settled_s,
        starting_s=starting_s,
        note=note,
    )


def asked_to_end_by_a_model(base: PreparedFolder, speaks: str) -> DrillResult:
    """SIGTERM with five turns streaming from a model: a prompt end, and all go on in the next process (F13)."""
    folder = f"streams-{speaks}"
    with Provider(pace_s=SLOW_S) as provider:
        provider.otherwise(Answer(text=WORDS))
        variables = connected(speaks, provider.url)
        result = asked_to_end(base, folder=folder, said=(OPENING, QUESTION), by=f", {speaks}", variables=variables)
    data = base.folder.parent / folder
    turns = storage_checks.rows(
        data, "SELECT id, status, attempt FROM conversations_turn WHERE client_id LIKE 'streaming-%'"
    )
    faults = [
        f"a turn is {status} after {attempt} attempts"
        for _, status, attempt in turns
        if (status, attempt) != ("done", 2)
    ]
    calls = [call for turn_id, *_ in turns for call in _spoken(data, turn_id)]
    if sorted(call.ending for call in calls) != ["answered"] * len(turns) + ["cancelled"] * len(turns):
        faults.append("the record does not tell what happened")
    faults += [*miscounted(calls), *ledger_faults(data)]
    note = f"{provider.attempts} requests: {summarize_calls(calls)}"
    return replace(result, faults=(*result.faults, *faults), note=note)


def _killed(
    data: Path, base: PreparedFolder, reading: ClientTranscript, *, kill_at: str, variables: Mapping[str, str]
) -> None:
    """Let a learner say it in the lesson, where the tutor answers, to a server that dies of it."""
    with Server(data, kill_at=kill_at, variables=variables) as server:
        server.wait_until_ready()
        with Client(server.port, base.tokens[0], session=SESSION) as client:
            client.say(reading)
            client.read(reading)
        server.wait_until_killed()


def _settled(
    data: Path, base: PreparedFolder, reading: ClientTranscript, *, variables: Mapping[str, str]
) -> tuple[list[str], float, float]:
    """Let the next server settle the turn; return what is wrong, and after how long it was settled and was ready."""
    with Server(data, variables=variables) as server:
        server.wait_until_ready()
        wait_until_settled(data, reading.client_id)
        settled_s = server.age_s()
        faults = client_returns(server, base, reading)
        server.end()
    said = [*BEFORE_THE_QUESTION, reading.text]
    faults += storage_checks.faults(data, said=said, session=SESSION, attempts=0)
    return faults, settled_s, server.starting_s


def _record(data: Path, reading: ClientTranscript, provider: Provider, *, endings: list[str]) -> tuple[str, list[str]]:
    """Return the record of a turn's calls as a line, and what is wrong with it."""
    calls = _spoken(data, reading.turn_id)
    faults = [*miscounted(calls), *ledger_faults(data)]
    if [call.ending for call in calls] != endings:
        faults.append("the record does not tell what happened")
    requests = sum(each.asked is not None and each.asked.schema is None for each in provider.requests)
    if len(calls) != requests:
        faults.append(f"{len(calls)} calls on record for {requests} requests")
    return f"{requests} requests: {summarize_calls(calls)}", faults


def _spoken(data: Path, turn_id: str) -> list[Call]:
    """Return the calls for the words of a turn's reply, without those that only read the message."""
    return [call for call in calls_of(data, turn_id) if call.agent != READER]
