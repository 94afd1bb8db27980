"""Drill: backups of a server to which several people write and upload; one is killed on the way, and each is restored (F11, G5).

Everything that was acknowledged before a backup began must be in it, whole; on SQLite and on PostgreSQL.
"""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from threading import Event, Thread
from time import monotonic, sleep

from drills import storage_checks
from drills.client import Client, ClientTranscript
from drills.data_folder import LEARNERS, SPOKEN, PreparedFolder
from drills.hostile_uploads import Sender
from drills.message_kills import SETTLED_WITHIN_S
from drills.result import DrillResult
from drills.server import NO_VARIABLES, ROOT, Server, environment
from drills.server import run as run_command
from drills.server_watch import Worker
from tests import postgres

BACKUPS = 4
KILLED = 2
"""After so many backups, the next one is killed."""
WRITERS = 4
MEANWHILE, UPLOAD_EVERY = 6, 3
"""Messages that each writer sends at least between two backups, and after how many of them a file."""
ENDS_WITHIN_S = 120.0


@dataclass(slots=True)
class _Writer:
    """What one person sent, and what of it was acknowledged."""

    number: int
    token: str
    browser: str
    texts: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    """The client ids of acknowledged messages."""
    uploads: list[str] = field(default_factory=list)
    """The digests of acknowledged files."""
    faults: list[str] = field(default_factory=list)

    @property
    def session(self) -> str:
        return f"writer-{self.number}"

    def write(self, port: int, over: Event) -> None:
        """Send messages and files until it is over."""
        sender = Sender(address=f"http://127.0.0.1:{port}", token=self.token, session=self.browser)
        with Client(port, self.token, session=self.session) as client:
            while not over.is_set():
                text = f"{SPOKEN} ({len(self.texts)})"
                reading = ClientTranscript(text=text, client_id=f"{self.session}-{len(self.texts)}")
                self.texts.append(text)
                client.say(reading)
                client.read(reading, until="turn_started")
                self.said.append(reading.client_id)
                if len(self.texts) % UPLOAD_EVERY == 0:
                    content = f"Note {len(self.texts)} of writer {self.number}. ".encode() * 400
                    # A worker that is slower than its writers lets them wait.
                    if sender.by_token(content, "note.txt") == 201:
                        self.uploads.append(sha256(content).hexdigest())
                client.read(reading)
                self.faults += reading.faults


@dataclass(frozen=True, slots=True, kw_only=True)
class _Backup:
    """A backup, and what had been acknowledged before it began."""

    path: Path
    said: frozenset[str]
    uploads: frozenset[str]


def run(prepared: PreparedFolder) -> Iterator[DrillResult]:
    yield from _drilled("SQLite", prepared.copy("backup"), prepared.tokens, prepared.browsers)
    data = prepared.folder.parent / "backup-postgresql"
    data.mkdir(mode=0o700)
    with postgres.running() as database:
        database.create_database()
        (data / storage_checks.ADDRESS).write_text(database.url)
        known = json.loads(run_command([sys.executable, "-m", "drills.learners", *LEARNERS], data))
        yield from _drilled("PostgreSQL", data, known["tokens"], known["browsers"], database=database)


def _drilled(
    name: str, data: Path, tokens: Sequence[str], browsers: Sequence[str], *, database: postgres.Server | None = None
) -> Iterator[DrillResult]:
    variables = {"PATH": database.variables["PATH"]} if database else NO_VARIABLES
    writers = [_Writer(number, tokens[number], browsers[number]) for number in range(WRITERS)]
    folder = data.with_name(f"{data.name}-files")
    folder.mkdir()
    started, over = monotonic(), Event()
    with Server(data, pace_s=0.02) as server, Worker(data):
        server.wait_until_ready()
        threads = [Thread(target=writer.write, args=(server.port, over)) for writer in writers]
        for thread in threads:
            thread.start()
        try:
            made, faults = _backups(data, folder, writers, variables)
        finally:
            over.set()
            for thread in threads:
                thread.join()
        server.end()
    faults += [fault for writer in writers for fault in writer.faults]
    yield DrillResult(
        name=f"{len(made)} backups, {name}",
        faults=tuple(faults),
        seconds=monotonic() - started,
        measured="made in",
        note=f"{sum(len(writer.said) for writer in writers)} messages and {sum(len(w.uploads) for w in writers)} files",
    )
    for number, backup in enumerate(made):
        restored = data.with_name(f"{data.name}-restored-{number}")
        restored.mkdir(mode=0o700)
        if database:
            database.create_database(restored.name)
            (restored / storage_checks.ADDRESS).write_text(database.url_of(restored.name))
        yield _restored(f"backup {number}, {name}", backup, restored, variables)
    yield _goes_on(f"restored site, {name}", restored, writers)


def _backups(
    data: Path, folder: Path, writers: Sequence[_Writer], variables: Mapping[str, str]
) -> tuple[list[_Backup], list[str]]:
    """Make the backups while the writers write; return them, and what is wrong."""
    made, faults = list[_Backup](), list[str]()
    for number in range(BACKUPS):
        _wait_for_writers(writers)
        if number == KILLED:
            faults += _killed(data, folder, variables)
        backup = _Backup(
            path=folder / f"{number}.zip",
            said=frozenset(each for writer in writers for each in writer.said),
            uploads=frozenset(each for writer in writers for each in writer.uploads),
        )
        process = _start(data, ["backup", str(backup.path)], variables)
        said, _ = process.communicate()
        faults += [] if process.returncode == 0 else [f"backup {number}: {said.strip()}"]
        faults += [f"backup {number}: {said.strip()}"] if "warning" in said else []
        made.append(backup)
    left = sorted(path.name for path in folder.iterdir() if path not in [backup.path for backup in made])
    return made, faults + ([f"left in the folder of backups: {left}"] if left else [])


def _wait_for_writers(writers: Sequence[_Writer]) -> None:
    """Return once each of them has had some more messages and files acknowledged."""
    before = [(len(writer.said), len(writer.uploads)) for writer in writers]
    ends = monotonic() + ENDS_WITHIN_S
    while any(
        len(writer.said) < said + MEANWHILE or len(writer.uploads) < uploads + 1
        for writer, (said, uploads) in zip(writers, before, strict=True)
    ):
        if monotonic() > ends:
            raise TimeoutError("the writers get no acknowledgements")
        sleep(0.02)


def _killed(data: Path, folder: Path, variables: Mapping[str, str]) -> Iterator[str]:
    """End a backup with `kill -9` as soon as its unfinished file is there."""
    path = folder / "killed.zip"
    process = _start(data, ["backup", str(path)], variables)
    while process.poll() is None and not [*folder.glob(".learnagent-*/backup.zip")]:
        sleep(0.001)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    if process.returncode != -signal.SIGKILL:
        yield f"the backup was over before it could be killed: {process.returncode}"
    if path.exists():
        yield "the killed backup left a file under its final name"


def _start(data: Path, command: Sequence[str], variables: Mapping[str, str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "manage.py", *command],
        env=environment(data, **variables),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def _restored(name: str, backup: _Backup, data: Path, variables: Mapping[str, str]) -> DrillResult:
    started = monotonic()
    process = _start(data, ["restore", str(backup.path)], variables)
    said, _ = process.communicate()
    seconds = monotonic() - started
    if process.returncode:
        return DrillResult(name=name, faults=(said.strip(),), seconds=seconds, measured="restored in")
    faults = [*storage_checks.integrity(data)]
    turns = {each for (each,) in storage_checks.rows(data, "SELECT client_id FROM conversations_turn")}
    documents = dict(storage_checks.rows(data, "SELECT digest, stored_as FROM conversations_document"))
    files = {
        path.name: sha256(path.read_bytes()).hexdigest() for path in (data / "uploads").rglob("*") if path.is_file()
    }
    different = sum(files.get(stored_as) != digest for digest, stored_as in documents.items())
    for count, what in (
        (len(backup.said - turns), "acknowledged messages are not in it"),
        (len(backup.uploads - documents.keys()), "acknowledged files are not in it"),
        (different, "files are missing or different"),
        (len(files.keys() - {*documents.values()}), "files have no row"),
    ):
        faults += [f"{count} {what}"] if count else []
    note = f"{len(backup.said)} messages and {len(backup.uploads)} files acknowledged before; {len(turns)} and {len(files)} in it"
    return DrillResult(name=name, faults=tuple(faults), seconds=seconds, measured="restored in", note=note)


def _goes_on(name: str, data: Path, writers: Sequence[_Writer]) -> DrillResult:
    """Start the restored site: turns that ran when the backup was made must end, and everybody can go on."""
    open_turns = "SELECT COUNT(*) FROM conversations_turn WHERE status NOT IN ('{}')".format(
        "', '".join(sorted(storage_checks.SETTLED))
    )
    running = storage_checks.rows(data, open_turns)[0][0]
    texts = {writer.session: writer.texts[: _turns(data, writer)] for writer in writers}
    faults = list[str]()
    with Server(data, pace_s=0) as server:
        server.wait_until_ready()
        while storage_checks.rows(data, open_turns)[0][0] and server.age_s() < SETTLED_WITHIN_S:
            sleep(0.05)
        settled_s = server.age_s()
        for writer in writers:
            after = ClientTranscript(text="Thank you", client_id="after")
            with Client(server.port, writer.token, session=writer.session) as client:
                client.say(after)
                client.read(after)
            faults += after.faults + ([] if after.finished else [f"{writer.session} does not go on"])
        server.end()
    for writer in writers:
        said = [*texts[writer.session], "Thank you"]
        faults += storage_checks.faults(data, said=said, session=writer.session, attempts=0)
    return DrillResult(
        name=name,
        faults=tuple(dict.fromkeys(faults)),
        seconds=settled_s,
        starting_s=server.starting_s,
        note=f"{running} turns ran when the backup was made",
    )


def _turns(data: Path, writer: _Writer) -> int:
    query = (
        "SELECT COUNT(*) FROM conversations_turn t JOIN conversations_session s ON s.id = t.session_id WHERE s.key = ?"
    )
    number: int = storage_checks.rows(data, query, writer.session)[0][0]
    return number
