"""`kill -9` at each step of a message's turn; then the server recovers alone, or the client sends again."""

from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep

from drills import storage_checks
from drills.client import Client, ClientTranscript
from drills.data_folder import BEFORE_THE_QUESTION, SESSION, SPOKEN, PreparedFolder
from drills.result import DrillResult
from drills.server import Server

STEPS = (
    "before_accept",
    "mid_accept",
    "after_accept",
    "after_ack",
    "after_lease",
    "after_reading",
    "mid_apply",
    "mid_stream",
    "mid_finish",
    "after_finish",
)
VARIANTS = ("recovers alone", "sent again")
STORED_BEFORE = frozenset({"before_accept", "mid_accept"})
"""Steps at which nothing is stored yet."""
ACKNOWLEDGED = frozenset({"after_ack", "mid_stream", "mid_finish", "after_finish"})
"""Steps before which the client must have had its acknowledgement."""
SETTLED_WITHIN_S = 60.0


def run(prepared: PreparedFolder) -> Iterator[DrillResult]:
    for step in STEPS:
        for variant in VARIANTS:
            yield message_killed(prepared, step=step, variant=variant)


def message_killed(prepared: PreparedFolder, *, step: str, variant: str) -> DrillResult:
    """Kill the server in the turn of an answer typed as a message; return whether all is there, once."""
    data = prepared.copy(f"{step}-{VARIANTS.index(variant)}")
    reading = ClientTranscript(text=prepared.answer or SPOKEN, client_id="killed")
    faults = _killed(data, prepared, reading, step=step)
    with Server(data) as server:
        server.wait_until_ready()
        if variant == "recovers alone" and step not in STORED_BEFORE:
            wait_until_settled(data, reading.client_id)
            settled_s = server.age_s()
            faults += client_returns(server, prepared, reading)
        else:
            faults += client_returns(server, prepared, reading)
            settled_s = server.age_s()
        faults += goes_on(server, prepared)
        server.end()
    before = BEFORE_THE_QUESTION if prepared.answer else ()
    said = [*before, reading.text, "Thank you"]
    faults += storage_checks.faults(data, said=said, session=SESSION, attempts=bool(prepared.answer))
    return DrillResult(name=f"{step}, {variant}", faults=tuple(faults), seconds=settled_s, starting_s=server.starting_s)


def _killed(data: Path, prepared: PreparedFolder, reading: ClientTranscript, *, step: str) -> list[str]:
    with Server(data, kill_at=step) as server:
        server.wait_until_ready()
        with Client(server.port, prepared.tokens[0], session=SESSION) as client:
            client.say(reading)
            client.read(reading)
        server.wait_until_killed()
    faults = list(reading.faults)
    if step in ACKNOWLEDGED and not reading.acknowledged:
        faults.append("died before its client had the acknowledgement")
    if step in STORED_BEFORE and (reading.acknowledged or storage_checks.status_of(data, reading.client_id)):
        faults.append("something was acknowledged or stored too early")
    if step not in STORED_BEFORE and not storage_checks.status_of(data, reading.client_id):
        faults.append("the turn is lost")
    return faults


def wait_until_settled(data: Path, client_id: str) -> None:
    """Return once the turn has ended by itself. Raise TimeoutError after a minute."""
    ends = monotonic() + SETTLED_WITHIN_S
    while storage_checks.status_of(data, client_id) not in storage_checks.SETTLED:
        if monotonic() > ends:
            raise TimeoutError(f"turn {client_id} is {storage_checks.status_of(data, client_id)} after a minute")
        sleep(0.05)


def client_returns(
    server: Server, prepared: PreparedFolder, reading: ClientTranscript, *, session: str = SESSION
) -> list[str]:
    """Send the message again on one socket, and read on on another where it was acknowledged; return what is wrong."""
    again = reading.anew()
    token = prepared.tokens[0]
    with (
        Client(server.port, token, session=session) as sender,
        Client(server.port, token, session=session) as reader,
    ):
        if reading.acknowledged:
            reader.resume(reading)
        sender.say(again)
        sender.read(again)
        if reading.acknowledged:
            reader.read(reading)
    return compared(again, reading)


def compared(again: ClientTranscript, reading: ClientTranscript) -> list[str]:
    """Return where the two readings of a turn have faults or differ; one never acknowledged has nothing to compare."""
    faults = [*again.faults, *reading.faults]
    if again.finished is None:
        faults.append("sent again, and no end seen")
    if reading.acknowledged and (reading.turn_id, reading.reply) != (again.turn_id, again.reply):
        faults.append(f"read on to {reading.reply!r}, sent again to {again.reply!r}")
    return faults


def goes_on(server: Server, prepared: PreparedFolder) -> list[str]:
    """Say the next thing, as a learner would; return what is wrong with its turn."""
    after = ClientTranscript(text="Thank you", client_id="after")
    with Client(server.port, prepared.tokens[0], session=SESSION) as client:
        client.say(after)
        client.read(after)
    return after.faults + ([] if after.finished else ["the lesson does not go on"])
