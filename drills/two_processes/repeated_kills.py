"""Twenty conversations while one of the two processes is killed again and again: nothing lost, nothing twice."""

from collections import Counter
from threading import Condition
from time import monotonic
from typing import Final

from drills.model_connection import QUESTIONS, ledger_faults
from drills.result import DrillResult, summarize
from drills.server import Server
from drills.two_processes.conversations import DONE_WITHIN_S, converse_during
from drills.two_processes.handovers import Servers
from drills.two_processes.site import Site

CONVERSATIONS: Final = 20
KILLS: Final = 8
TURNS_BETWEEN: Final = 4
"""Turns that begin at the process that is killed, before each kill."""
ANSWERED: Final = frozenset({"done", "degraded"})
"""A busy machine makes a model late, and then the words are authored."""


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
    readings, faults = converse_during(killer, site, servers, pupils=CONVERSATIONS, named="killed", texts=QUESTIONS)
    statuses = Counter(reading.finished["status"] if reading.finished else "no end" for reading in readings)
    if not set(statuses) <= ANSWERED:
        faults.append(f"the turns ended as {dict(statuses)}")
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
