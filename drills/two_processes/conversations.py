"""Conversations that go on while the web processes change: each message goes to whichever process answers."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from time import monotonic, sleep
from typing import Final, Protocol

from websockets.exceptions import InvalidHandshake

from drills.client import Client, ClientTranscript
from drills.server import Server
from drills.two_processes.handovers import Servers
from drills.two_processes.site import Pupil, Site

TURNS_AT_LEAST: Final = 4
"""In each conversation."""
DONE_WITHIN_S: Final = 900.0
_GONE = (OSError, InvalidHandshake)
_TRIED_EVERY_S: Final = 0.05


class Changes(Protocol):
    """What happens to the processes meanwhile."""

    @property
    def is_over(self) -> bool: ...

    def note_begun(self, server: Server) -> None:
        """Count a turn that has begun to speak."""

    def run(self) -> None:
        """Make the changes, after some turns each."""


def converse_during(
    changes: Changes, site: Site, servers: Servers, *, pupils: int, named: str, texts: Sequence[str]
) -> tuple[list[ClientTranscript], list[str]]:
    """Let so many people converse until the changes are over; return their turns, and what is wrong with them.

    The conversations are called by `named` and the person.
    """
    everybody = site.pupils(pupils)
    sessions = [f"{named}-{pupil.name}" for pupil in everybody]

    def talk(pupil: Pupil, session: str) -> Sequence[ClientTranscript]:
        return _converse(servers, changes, pupil, session=session, texts=texts)

    with ThreadPoolExecutor(pupils + 1) as pool:
        changing = pool.submit(changes.run)
        talks = list(pool.map(talk, everybody, sessions))
        changing.result()
    readings = [reading for talk in talks for reading in talk]
    faults = [f"{reading.client_id}: {fault}" for reading in readings for fault in reading.faults]
    said = {session: [reading.text for reading in talk] for session, talk in zip(sessions, talks, strict=True)}
    return readings, [*faults, *site.faults(said)]


def _converse(
    servers: Servers, changes: Changes, pupil: Pupil, *, session: str, texts: Sequence[str]
) -> Sequence[ClientTranscript]:
    """Say the texts in turn until the changes are over; return the turns as their learner has read them."""
    readings: list[ClientTranscript] = []
    while len(readings) < TURNS_AT_LEAST or not changes.is_over:
        text = texts[len(readings) % len(texts)]
        reading = ClientTranscript(text=text, client_id=f"{pupil.name}-{len(readings)}", is_asked_for=True)
        _deliver(servers, changes, pupil, session, reading)
        readings.append(reading)
    return readings


def _deliver(servers: Servers, changes: Changes, pupil: Pupil, session: str, reading: ClientTranscript) -> None:
    """Send a message, and read its turn to the end, at the first process that is there."""
    ends = monotonic() + DONE_WITHIN_S
    while reading.finished is None:
        for server in servers:
            try:
                with Client(server.port, pupil.token, session=session) as client:
                    if _read(client, changes, server, reading):
                        return
            except _GONE:
                continue
        if monotonic() > ends:
            raise TimeoutError(f"{reading.client_id} has no end")
        sleep(_TRIED_EVERY_S)


def _read(client: Client, changes: Changes, server: Server, reading: ClientTranscript) -> bool:
    """Send the message, or ask for the rest where it was acknowledged; tell whether its end has come."""
    if reading.acknowledged:
        client.resume(reading)
    else:
        client.say(reading)
    if not client.read(reading, until=("reply_text", "card", "turn_finished")):
        return False
    changes.note_begun(server)
    return reading.finished is not None or client.read(reading)
