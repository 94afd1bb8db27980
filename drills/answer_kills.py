"""`kill -9` in the turn of an answer posted to its card; then the server recovers alone, or the answer is sent again."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from drills import storage_checks
from drills.client import Client, ClientTranscript, post
from drills.data_folder import BEFORE_THE_QUESTION, SESSION, PreparedFolder
from drills.message_kills import STORED_BEFORE, VARIANTS, goes_on, wait_until_settled
from drills.result import DrillResult
from drills.server import Server

STEPS = (
    "before_accept",
    "mid_accept",
    "after_accept",
    "after_lease",
    "after_reading",
    "mid_apply",
    "mid_stream",
    "mid_finish",
    "after_finish",
)
CLIENT_ID = "answer-1"
"""What the turn of the first attempt is called."""


def run(prepared: PreparedFolder) -> Iterator[DrillResult]:
    for step in STEPS:
        for variant in VARIANTS:
            yield answer_killed(prepared, step=step, variant=variant)


def answer_killed(prepared: PreparedFolder, *, step: str, variant: str) -> DrillResult:
    """Kill the server in an answer's turn; return whether it counted once."""
    data = prepared.copy(f"answer-{step}-{VARIANTS.index(variant)}")
    body = {"action": "check", "answer": prepared.answer, "idempotency_key": "once"}
    with Server(data, kill_at=step) as server:
        server.wait_until_ready()
        first = post(server.port, prepared.browsers[0], prepared.answer_url, body)
        server.wait_until_killed()
    faults = _stored(data, step=step, first=first)
    with Server(data) as server:
        server.wait_until_ready()
        if variant == "recovers alone" and step not in STORED_BEFORE:
            wait_until_settled(data, CLIENT_ID)
        again = post(server.port, prepared.browsers[0], prepared.answer_url, body)
        if first and again and first["verdict"] != again["verdict"]:
            faults.append(f"judged {first['verdict']}, then {again['verdict']}")
        faults += _read(server, prepared)
        settled_s = server.age_s()
        faults += goes_on(server, prepared)
        server.end()
    said = [*BEFORE_THE_QUESTION, prepared.answer, "Thank you"]
    faults += storage_checks.faults(data, said=said, session=SESSION, attempts=1)
    return DrillResult(
        name=f"answer {step}, {variant}", faults=tuple(faults), seconds=settled_s, starting_s=server.starting_s
    )


def _stored(data: Path, *, step: str, first: dict[str, Any] | None) -> list[str]:
    """Return what is wrong with what the dead process left: answer and turn are there, or neither."""
    expected = 0 if step in STORED_BEFORE else 1
    faults = []
    if first is not None and not expected:
        faults.append("answered before anything was stored")
    found = (storage_checks.count(data, "tutoring_attempt"), len(storage_checks.status_of(data, CLIENT_ID)) > 0)
    if found != (expected, bool(expected)):
        faults.append(f"{found[0]} attempts stored, {'a' if found[1] else 'no'} turn")
    return faults


def _read(server: Server, prepared: PreparedFolder) -> list[str]:
    """Read the latest turn, whichever it is, to its end, as a client that knows nothing of it."""
    reading = ClientTranscript(text=prepared.answer, client_id=CLIENT_ID)
    with Client(server.port, prepared.tokens[0], session=SESSION) as client:
        client.resume(reading)
        client.read(reading)
    return reading.faults + ([] if reading.finished else ["the answer's turn has no end"])
