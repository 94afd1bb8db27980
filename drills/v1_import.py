"""Drill: a v1 file with everything that may be wrong in it is imported beside a running server, killed twice on the way.

Every row must come over once or be told, `verify_v1` must say equal, and importing again must change nothing.
"""

import hashlib
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread
from time import monotonic, sleep
from typing import Any

from drills import storage_checks
from drills.client import Client, ClientTranscript
from drills.data_folder import LEARNERS, SPOKEN, PreparedFolder
from drills.result import DrillResult
from drills.server import ROOT, Server, environment
from drills.v1_file_maker import MadeFile, make_v1_file

ROWS = int(os.environ.get("DRILL_V1_ROWS", "100000"))
"""Each has two messages."""
KILLED_AT = (0.3, 0.7)
"""Shares of the rows after which the import is killed."""
CPU_S_PER_100_000_MESSAGES = 150.0
MEMORY_MB = 300.0
READ_BOTH = ("flag", "v2_storage", "--mode", "dual")
SESSION = "session-0"
"""A conversation of the file that the learner goes on with meanwhile."""
TABLES = (
    "captures", "conversations_session", "conversations_turn", "conversations_message", "conversations_event",
    "conversations_v1import", "conversations_v1rowproblem", "conversations_storagetask",
)  # fmt: skip


@dataclass(slots=True)
class _Cost:
    """What the import's processes took together."""

    cpu_s: float = 0.0
    memory_mb: float = 0.0


def run(base: PreparedFolder) -> Iterator[DrillResult]:
    data = base.copy("v1-import")
    path, owners = data / "v1.sqlite3", data / "owners.csv"
    made = make_v1_file(path, rows=ROWS, owners=LEARNERS)
    owners.write_text(made.mapping)
    importing = ["import_v1", str(path), "--owners", str(owners)]
    cost, started = _Cost(), monotonic()
    _manage(data, READ_BOTH, _Cost())
    with Server(data, pace_s=0) as server:
        server.wait_until_ready()
        over, said = Event(), list[str]()
        talking = Thread(target=_talk, args=(server.port, base.tokens[0], over, said))
        talking.start()
        for share in KILLED_AT:
            _kill(data, importing, at=int(share * ROWS), cost=cost)
        out, code = _manage(data, importing, cost)
        took = monotonic() - started
        over.set()
        talking.join()
        server.end()
    found = [] if code == 0 else [f"the import ended with {code}: {out}"]
    found += [*_counts(data, made), *_conversation(data, said), *_costs(cost)]
    note = f"{ROWS} rows, {made.rejected} rejected, {made.orphans} orphans; {cost.cpu_s:.0f} s CPU; {cost.memory_mb:.0f} MB"
    yield DrillResult(name="v1 import", faults=tuple(found), seconds=took, measured="imported in", note=note)
    yield _verified(data, path)
    yield _again(data, importing)


def _talk(port: int, token: str, over: Event, said: list[str]) -> None:
    """Send messages in one of the conversations until the import is over."""
    with Client(port, token, session=SESSION) as client:
        while not over.is_set():
            reading = ClientTranscript(text=SPOKEN, client_id=f"meanwhile-{len(said)}")
            client.say(reading)
            client.read(reading)
            said.append(SPOKEN)
            over.wait(2.0)


def _kill(data: Path, command: Sequence[str], *, at: int, cost: _Cost) -> None:
    """Run the import, and end it with `kill -9` once so many rows are handled."""
    process = _start(data, command)
    while process.poll() is None and _handled(data) < at:
        sleep(0.02)
    process.send_signal(signal.SIGKILL)
    _settle(process, cost)
    if _handled(data) >= ROWS:
        raise RuntimeError("the import was over before it could be killed")


def _handled(data: Path) -> int:
    rows = storage_checks.rows(data, "SELECT handled FROM conversations_v1import")
    return int(rows[0][0]) if rows else 0


def _start(data: Path, command: Sequence[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "manage.py", *command],
        env=environment(data),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def _settle(process: subprocess.Popen[str], cost: _Cost) -> int:
    """Wait for the process's end and add what it took; return its exit code."""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    cost.cpu_s += usage.ru_utime + usage.ru_stime
    cost.memory_mb = max(cost.memory_mb, usage.ru_maxrss / 1024)
    return process.returncode


def _manage(data: Path, command: Sequence[str], cost: _Cost) -> tuple[str, int]:
    process = _start(data, command)
    assert process.stdout
    out = process.stdout.read()
    return out, _settle(process, cost)


def _counts(data: Path, made: MadeFile) -> Iterator[str]:
    [run] = storage_checks.rows(
        data, "SELECT total, handled, imported, already_there, orphaned, rejected FROM conversations_v1import"
    )
    expected = (made.rows, made.rows, made.rows - made.rejected - made.orphans, 0, made.orphans, made.rejected)
    if run != expected:
        yield f"the import counts {run}, not {expected}"
    told = storage_checks.rows(
        data, "SELECT COUNT(DISTINCT row) FROM conversations_v1rowproblem WHERE is_rejected = ?", True
    )[0][0]
    if told != made.rejected:
        yield f"{told} rejected rows are reported, not {made.rejected}"
    stored = storage_checks.rows(data, "SELECT COUNT(*) FROM captures WHERE origin <> ''")[0][0]
    if stored != made.rows - made.rejected:
        yield f"{stored} rows are in v1's storage, not {made.rows - made.rejected}"


def _conversation(data: Path, said: Sequence[str]) -> Iterator[str]:
    """Yield what is wrong with the conversation that went on meanwhile."""
    numbers = storage_checks.rows(
        data,
        "SELECT t.number, t.client_id FROM conversations_turn t JOIN conversations_session s ON s.id = t.session_id "
        "WHERE s.key = ? ORDER BY t.number",
        SESSION,
    )
    if [number for number, _ in numbers] != list(range(1, len(numbers) + 1)):
        yield "the turns written to meanwhile are not numbered without gaps"
    written = sum(client_id.startswith("meanwhile-") for _, client_id in numbers)
    if written != len(said) or not said:
        yield f"{len(said)} messages were sent meanwhile, {written} are stored"


def _costs(cost: _Cost) -> Iterator[str]:
    at_most = CPU_S_PER_100_000_MESSAGES * max(1.0, 2 * ROWS / 100_000)
    if cost.cpu_s > at_most:
        yield f"{cost.cpu_s:.0f} s CPU, not {at_most:.0f}"
    if cost.memory_mb > MEMORY_MB:
        yield f"{cost.memory_mb:.0f} MB, not {MEMORY_MB:.0f}"


def _verified(data: Path, path: Path) -> DrillResult:
    started, cost = monotonic(), _Cost()
    out, code = _manage(data, ["verify_v1", str(path)], cost)
    storages, same = _manage(data, ["verify_v1"], _Cost())
    faults = [] if code == 0 and out.startswith("equal") else [f"verify_v1 says {out}"]
    faults += [] if same == 0 else [f"the storages differ: {storages}"]
    return DrillResult(
        name="v1 import, verified", faults=tuple(faults), seconds=monotonic() - started, measured="verified in",
        note=f"{out.splitlines()[0] if out else ''}; {cost.cpu_s:.0f} s CPU; {cost.memory_mb:.0f} MB",
    )  # fmt: skip


def _again(data: Path, importing: Sequence[str]) -> DrillResult:
    before, started = _digests(data), monotonic()
    out, code = _manage(data, importing, _Cost())
    took = monotonic() - started
    changed = [table for table, digest in _digests(data).items() if digest != before[table]]
    faults = [f"it changed {', '.join(changed)}"] if changed else []
    faults += [] if code == 0 else [f"it ended with {code}: {out}"]
    return DrillResult(name="v1 import, again", faults=tuple(faults), seconds=took, measured="changed none in")


def _digests(data: Path) -> dict[str, str]:
    """Return a SHA-256 of each table's rows."""
    with closing(sqlite3.connect(f"file:{data}/learnagent.sqlite3?mode=ro", uri=True, timeout=30)) as file:
        return {table: _digest(file.execute(f"SELECT * FROM {table} ORDER BY 1")) for table in TABLES}


def _digest(rows: Iterable[tuple[Any, ...]]) -> str:
    digest = hashlib.sha256()
    for row in rows:
        digest.update(repr(row).encode())
    return digest.hexdigest()
