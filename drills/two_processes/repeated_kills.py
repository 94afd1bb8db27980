"""Twenty conversations while one of the two processes is killed again and again: nothing lost, nothing twice."""

from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Condition
from time import monotonic, sleep
from typing import Final

from websockets.exceptions import InvalidHandshake

from drills.client import Client, ClientTranscript
from drills.model_connection import QUESTIONS, ledger_faults
from drills.result import DrillResult, summarize
from drills.server import Server
from drills.two_processes.handovers import Servers
from drills.two_processes.site import Pupil, Site

CONVERSATIONS: Final = 20
KILLS: Final = 8
TURNS_BETWEEN: Final = 4
"""Turns that begin at the process that is killed, before each kill."""
ANSWERED: Final = frozenset({"done", "degraded"})
"""A busy machine makes a model late, and then the words are authored."""
TURNS_AT_LEAST: Final = 4
"""In each conversation."""
GONE = (OSError, InvalidHandshake)
TRIED_EVERY_S: Final = 0.05
DONE_WITHIN_S: Final = 900.0


class Killer:
    """Kills a process whenever so many turns have begun there, and starts it again, until that was often enough."""

    def __init__(self, victim: Server) -> None:
        self.victim = victim
        self.kills = 0
        self._begun = 0
        self._changed = Condition()

    @property
    def is_over(self) -> bool:
        return self.kills >= KILLS

    def note_begun(self, server: Server) -> None:
        """Count a turn that has begun to speak."""
        if server is self.victim:
            with self._changed:
                self._begun += 1
                self._changed.notify()

    def run(self) -> None:
        while not self.is_over:
            with self._changed:
                if not self._changed.wait_for(lambda: self._begun >= TURNS_BETWEEN, DONE_WITHIN_S):
                    raise TimeoutError("no more turns began at the process to be killed")
            self.victim.kill()
            self.kills += 1
            with self._changed:
                self._begun = 0
            self.victim.start()
            self.victim.wait_until_ready()


def conversations(site: Site, servers: Servers) -> DrillResult:
    started = monotonic()
    killer = Killer(servers[0])
    everybody = site.pupils(CONVERSATIONS)
    with ThreadPoolExecutor(CONVERSATIONS + 1) as pool:
        killing = pool.submit(killer.run)
        talks = list(pool.map(lambda pupil: _converse(servers, killer, pupil), everybody))
        killing.result()
    readings = [reading for talk in talks for reading in talk]
    faults = [f"{reading.client_id}: {fault}" for reading in readings for fault in reading.faults]
    statuses = Counter(reading.finished["status"] if reading.finished else "no end" for reading in readings)
    if not set(statuses) <= ANSWERED:
        faults.append(f"the turns ended as {dict(statuses)}")
    faults += site.faults(
        {_session(pupil): [reading.text for reading in talk] for pupil, talk in zip(everybody, talks, strict=True)}
    )
    faults += ledger_faults(site.data)
    resumed = sum(reading.resumptions > 0 for reading in readings)
    lost = site.rows("SELECT COUNT(*) FROM agents_modelcall WHERE status = 'lost'")[0][0]
    return DrillResult(
        name="killed again and again",
        faults=tuple(faults),
        seconds=monotonic() - started,
        measured="took",
        note=f"{summarize(statuses)}; {killer.kills} kills, {resumed} turns resumed, {lost} calls lost and counted",
    )


def _converse(servers: Servers, killer: Killer, pupil: Pupil) -> Sequence[ClientTranscript]:
    """Say one thing after the other until the killing is over; return the turns as their learner has read them."""
    readings: list[ClientTranscript] = []
    while len(readings) < TURNS_AT_LEAST or not killer.is_over:
        text = QUESTIONS[len(readings) % len(QUESTIONS)]
        reading = ClientTranscript(text=text, client_id=f"{pupil.name}-{len(readings)}", is_asked_for=True)
        _deliver(servers, killer, pupil, reading)
        readings.append(reading)
    return readings


def _deliver(servers: Servers, killer: Killer, pupil: Pupil, reading: ClientTranscript) -> None:
    """Send a message, and read its turn to the end, at whichever process is there; the one to be killed comes first."""
    ends = monotonic() + DONE_WITHIN_S
    while reading.finished is None:
        for server in servers:
            try:
                with Client(server.port, pupil.token, session=_session(pupil)) as client:
                    if _read(client, killer, server, reading):
                        return
            except GONE:
                continue
        if monotonic() > ends:
            raise TimeoutError(f"{reading.client_id} has no end")
        sleep(TRIED_EVERY_S)


def _read(client: Client, killer: Killer, server: Server, reading: ClientTranscript) -> bool:
    """Send the message, or ask for the rest where it was acknowledged; tell whether its end has come."""
    if reading.acknowledged:
        client.resume(reading)
    else:
        client.say(reading)
    if not client.read(reading, until=("reply_text", "card", "turn_finished")):
        return False
    killer.note_begun(server)
    return reading.finished is not None or client.read(reading)


def _session(pupil: Pupil) -> str:
    return f"killed-{pupil.name}"
