"""Upgrades a site of the previous release in place, as docs/operations.md says, while people are talking on it; and goes back.

The previous release is a commit of this repository; `DRILL_UPGRADE_FROM` names another one.
"""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Condition
from time import monotonic
from typing import Final

from drills.data_folder import BEFORE_THE_QUESTION, SPOKEN, PreparedFolder
from drills.result import DrillResult
from drills.server import ROOT, Server
from drills.two_processes import site
from drills.two_processes.conversations import DONE_WITHIN_S, converse_during
from drills.two_processes.handovers import Servers
from drills.two_processes.site import Site

PREVIOUS: Final = "5f944153"
"""The last commit before there were backups, a deployment and Celery."""
CONVERSATIONS: Final = 8
TURNS_BETWEEN: Final = 8
"""Turns that begin before each step of the upgrade, and after the last one."""
SAID: Final = (*BEFORE_THE_QUESTION, SPOKEN, "What comes next?")
"""No answer among them: each attempt would have to be counted."""


class Upgrade:
    """Restarts one process after the other with the new program, and then one of them with the previous one again."""

    def __init__(self, servers: Servers, previous: Path) -> None:
        self.steps = [*((server, ROOT) for server in servers), (servers[0], previous)]
        self.is_over = False
        self._begun = 0
        self._changed = Condition()

    def note_begun(self, _server: Server) -> None:
        with self._changed:
            self._begun += 1
            self._changed.notify()

    def run(self) -> None:
        try:
            for server, root in self.steps:
                self._wait_for_turns()
                server.end()
                server.root = root
                server.start()
                server.wait_until_ready()
            self._wait_for_turns()
        finally:
            self.is_over = True

    def _wait_for_turns(self) -> None:
        with self._changed:
            due = self._begun + TURNS_BETWEEN
            if not self._changed.wait_for(lambda: self._begun >= due, DONE_WITHIN_S):
                raise TimeoutError("no more turns begin")


def run(base: PreparedFolder) -> Iterator[DrillResult]:
    commit = os.environ.get("DRILL_UPGRADE_FROM", PREVIOUS)
    folder = base.folder.parent
    with (
        _checkout(commit, folder / "previous") as previous,
        site.running(folder / "upgrade", pupils=CONVERSATIONS, root=previous) as place,
        place.processes(pace_s=0.02) as servers,
    ):
        yield _upgraded(place, servers, commit)


@contextmanager
def _checkout(commit: str, folder: Path) -> Iterator[Path]:
    """Give the program as it was at a commit, with what it needs installed."""
    git = ("git", "-C", str(ROOT), "worktree")
    subprocess.run([*git, "add", "--detach", "--quiet", str(folder), commit], check=True)
    try:
        subprocess.run(["make", "--silent", ".venv/ready"], cwd=folder, check=True)
        yield folder
    finally:
        subprocess.run([*git, "remove", "--force", str(folder)], check=True)


def _upgraded(place: Site, servers: Servers, commit: str) -> DrillResult:
    started = monotonic()
    upgrade = Upgrade(servers, place.root)
    readings, faults = converse_during(upgrade, place, servers, pupils=CONVERSATIONS, named="upgraded", texts=SAID)
    place.root = ROOT
    place.manage("migrate", "--check")
    resumed = sum(reading.resumptions > 0 for reading in readings)
    return DrillResult(
        name=f"upgraded from {commit}, and back",
        faults=tuple(faults),
        seconds=monotonic() - started,
        measured="took",
        note=f"{len(readings)} turns, {resumed} resumed in another process",
    )
