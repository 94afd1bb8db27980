"""Rows of the trial: a database that is locked, two servers on an empty one, Redis gone, a clock that jumped."""

import json
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from time import monotonic, sleep

from drills import storage_checks
from drills.client import Client, ClientTranscript
from drills.data_folder import PreparedFolder
from drills.regressions.visitor import TrialChecks, Visitor, served
from drills.result import DrillResult
from drills.server import ROOT, Server, environment
from tests import postgres, redis

LOCKED_S = 7.0
"""Longer than a request or a command waits for SQLite's writer."""
NOTICED_WITHIN_S = 30.0
DATABASE = "learnagent.sqlite3"
PROFILE = {
    "display_name": "Ada",
    "level": "beginner",
    "language": "en",
    "zone": "UTC",
    "theme": "system",
    "text_size": "normal",
}
WRITES = (
    ("/accounts/look/", {"theme": "dark"}),
    ("/accounts/profile/", PROFILE),
    ("/library/folders/", {"name": "Books"}),
    ("/c/lesson/rename/", {"title": "Halves"}),
    ("/c/lesson/pin/", {}),
    ("/c/lesson/delete/", {}),
)
PAGES = ("/", "/c/", "/c/lesson/", "/progress/", "/library/", "/learn/fractions/", "/accounts/profile/")


def command_under_a_lock(base: PreparedFolder) -> DrillResult:
    """A command waits while the database is being written, and says one line where that takes too long."""
    row = TrialChecks("commands while the write lock is held")
    data = base.copy("trial-commands")
    for command in (["check"], ["flag", "multi_agent"], ["migrate", "--check"]):
        with _locked(data):
            done = _run_command(command, data)
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        row.expect("JSONField" not in done.stderr + done.stdout, f"{command[0]} doubts JSONField")
        row.expect(done.returncode == 0 or len(lines) == 1, f"{command[0]} failed with {len(lines)} lines")
    return row.result()


def start_under_a_lock(base: PreparedFolder) -> DrillResult:
    """The server starts once the write lock is free again."""
    row = TrialChecks("start while the write lock is held")
    data = base.copy("trial-start")
    with ThreadPoolExecutor(1) as pool, Server(data, pace_s=0) as server:
        with _locked(data):
            ready = pool.submit(server.wait_until_ready)
            sleep(LOCKED_S)
        try:
            ready.result()
        except TimeoutError:
            row.faults.append("it never answered")
        row.expect("JSONField" not in (data / "server.log").read_text(), "it doubts JSONField")
        row.note(f"after {server.starting_s:.1f} s")
    return row.result()


def requests_under_a_lock(base: PreparedFolder) -> DrillResult:
    """What would be written is refused with a time to wait, and every page is read as ever."""
    row = TrialChecks("requests while the write lock is held")
    with served(base, "locked") as server:
        visitor = Visitor(server, session=base.browsers[0])
        idle = Visitor(server, token=base.tokens[0])
        answer = {"action": "check", "answer": base.answer, "idempotency_key": "locked"}
        _write(server.data, "UPDATE accounts_apitoken SET last_used_at = '2020-01-01 00:00:00'")
        with ThreadPoolExecutor(32) as pool, _locked(server.data):
            posts = [
                (f"{path} {kind}".strip(), pool.submit(visitor.post, path, fields, headers=headers))
                for path, fields in (*WRITES, (base.answer_url, answer))
                for kind, headers in (("", {}), ("by htmx", {"HX-Request": "true"}))
            ]
            signing = Visitor(server)
            fields = {"username": "learner1", "password": "wrong password"}
            posts += [("signing in", pool.submit(signing.post, "/accounts/sign-in/", fields))]
            said = {"text": "Hello", "session_id": "locked"}
            posts += [("a turn by API", pool.submit(idle.post, "/v2/conversation", json=said))]
            pages = [(path, pool.submit(visitor.get, path)) for path in PAGES]
            pages += [("/v2/sessions", pool.submit(idle.get, "/v2/sessions"))]
            for path, page in pages:
                row.expect(page.result().status_code == 200, f"reading {path} answered {page.result().status_code}")
            for path, posted in posts:
                answer = posted.result()
                # A wrong password is told without a write; nothing else of this can be done.
                is_told = path == "signing in" and answer.status_code in {422, 503}
                row.expect(is_told or answer.status_code == 503, f"{path} answered {answer.status_code}")
                row.expect(answer.status_code != 503 or "Retry-After" in answer.headers, f"{path} names no time")
    return row.result()


def health_under_a_lock(base: PreparedFolder) -> DrillResult:
    """`/health` is 503 while nothing can be written, and 200 again after it."""
    row = TrialChecks("health while nothing can be written")
    with served(base, "health") as server:
        visitor = Visitor(server)
        with _locked(server.data):
            row.expect(_becomes(visitor, status=503), "it never says that nothing can be written")
        row.expect(_becomes(visitor, status=200), "it does not recover")
    return row.result()


def redis_gone(base: PreparedFolder) -> DrillResult:
    """`/health` is degraded while Redis is gone, and `doctor` calls it no success."""
    row = TrialChecks("health and doctor without Redis")
    with tempfile.TemporaryDirectory() as folder:
        store = redis.Server(Path(folder))
        store.start()
        try:
            with served(base, "redis", REDIS_URL=store.url) as server:
                store.kill()
                row.expect(_becomes(Visitor(server), status=200, says="degraded"), "health is not degraded")
                done = subprocess.run(
                    [sys.executable, "manage.py", "doctor"],
                    cwd=ROOT,
                    env=environment(server.data, REDIS_URL=store.url),
                    capture_output=True,
                    text=True,
                    timeout=90,
                    check=False,
                )
                wrong = [line for line in done.stdout.splitlines() if "ok" in line.split()[:2] and "cannot" in line]
                row.expect(not wrong, f"doctor says {wrong}")
                row.expect(done.returncode == 1, f"doctor exits with {done.returncode}")
        finally:
            store.kill()
    return row.result()


def clock_jumped(base: PreparedFolder) -> DrillResult:
    """Turns of a clock that was days ahead are no reason to refuse the next one."""
    row = TrialChecks("rates after a clock jumped forward and back")
    with (
        served(base, "clock", TURN_RATE_LIMIT="3") as server,
        Client(server.port, base.tokens[2], session="clock") as client,
    ):
        for number in range(3):
            _play(client, f"Hello {number}")
        for table in ("conversations_turn", "conversations_message"):
            _write(server.data, f"UPDATE {table} SET created_at = datetime(created_at, '+3 days')")
        try:
            _play(client, "Hello again")
        except RuntimeError as error:
            row.faults.append(str(error))
    return row.result()


def demo_class(base: PreparedFolder) -> DrillResult:
    """The simulated class is made beside a running server whose learners go on."""
    row = TrialChecks("make_demo_class beside a server")
    with served(base, "demo") as server:
        command = [sys.executable, "manage.py", "make_demo_class"]
        making = subprocess.Popen(
            command, cwd=ROOT, env=environment(server.data), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        slowest, turns = 0.0, 0
        with Client(server.port, base.tokens[3], session="beside") as client:
            while making.poll() is None:
                began = monotonic()
                try:
                    _play(client, f"Hello {turns}")
                except RuntimeError as error:
                    row.faults.append(str(error))
                slowest, turns = max(slowest, monotonic() - began), turns + 1
        row.expect(making.returncode == 0, f"it failed: {((making.stderr and making.stderr.read()) or b'')[-200:]!r}")
        log = (server.data / "server.log").read_text()
        row.expect("database is locked" not in log, "the server's log has a locked database")
        row.expect("Traceback" not in log, "the server's log has a traceback")
        row.note(f"{turns} turns beside it, the slowest {slowest:.1f} s")
    return row.result()


def _run_command(command: list[str], data: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=ROOT,
        env=environment(data),
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )


def two_servers(base: PreparedFolder) -> DrillResult:
    """Two servers that start on one empty PostgreSQL both get ready."""
    row = TrialChecks("two servers on an empty PostgreSQL")
    with postgres.running() as database:
        database.create_database()
        folders = [base.folder.parent / f"trial-two-{number}" for number in (1, 2)]
        for folder in folders:
            folder.mkdir(mode=0o700)
            (folder / storage_checks.ADDRESS).write_text(database.url)
        with Server(folders[0], pace_s=0) as one, Server(folders[1], pace_s=0) as two:
            for server in (one, two):
                try:
                    server.wait_until_ready()
                except TimeoutError as error:
                    row.faults.append(str(error))
                log = (server.data / "server.log").read_text()
                row.expect("Traceback" not in log, "a log has a traceback")
    return row.result()


ROWS: tuple[Callable[[PreparedFolder], DrillResult], ...] = (
    command_under_a_lock,
    start_under_a_lock,
    requests_under_a_lock,
    health_under_a_lock,
    redis_gone,
    clock_jumped,
    demo_class,
    two_servers,
)


@contextmanager
def _locked(data: Path) -> Iterator[None]:
    """Hold the write lock of SQLite for the block."""
    with closing(sqlite3.connect(data / DATABASE, timeout=30, isolation_level=None)) as file:
        file.execute("BEGIN IMMEDIATE")
        try:
            yield
        finally:
            file.execute("ROLLBACK")


def _write(data: Path, statement: str) -> None:
    with closing(sqlite3.connect(data / DATABASE, timeout=30)) as file, file:
        file.execute(statement)


def _becomes(visitor: Visitor, *, status: int, says: str = "") -> bool:
    """Tell whether `/health` comes to say so in time."""
    ends = monotonic() + NOTICED_WITHIN_S
    while monotonic() < ends:
        answer = visitor.get("/health")
        if answer.status_code == status and says in json.loads(answer.text)["status"]:
            return True
        sleep(0.5)
    return False


def _play(client: Client, text: str) -> None:
    """Play a turn to its end. Raise RuntimeError where the server refuses it or it does not end as it should."""
    reading = ClientTranscript(text=text, client_id=text)
    client.say(reading)
    client.read(reading)
    if (reading.finished or {}).get("status") != "done":
        raise RuntimeError(f"{text!r} ended as {reading.finished}")
