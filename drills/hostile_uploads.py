"""Drill: hostile files by every route that takes files, a thousand at once, one deleted while it is read; two workers read.

What is taken must be read to nothing, and the server neither grows nor stalls, nor keeps what no row names.
"""

import secrets
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from time import monotonic, sleep
from uuid import UUID

import httpx2

from drills import storage_checks
from drills.data_folder import PreparedFolder
from drills.result import DrillResult
from drills.server import Server
from drills.server_watch import ServerWatch, Worker

UPLOADS = 1_000
# After 200 a server still grew by 50 MB and after 1,000 by 28; it no longer grew after 2,000 (2026-11-28).
WARMING = 1_000
AT_ONCE = 8
ANSWER_WITHIN_S = 180.0
READ_WITHIN_S = 900.0
GROWTH_MB, STALL_S = 50.0, 1.0
REFUSED = frozenset({400, 413, 415, 422, 429})
CANARY = "heliotropecanary"
WAITING = "SELECT COUNT(*) FROM conversations_document WHERE status IN ('waiting', 'reading')"
OUTCOME = """
    SELECT status, problem, (SELECT COUNT(*) FROM conversations_passage AS p WHERE p.document_id = d.id)
    FROM conversations_document AS d WHERE digest = ?"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sender:
    """One person, signed in on the page and with a token."""

    address: str
    token: str
    session: str

    def by_token(self, content: bytes, name: str = "file") -> int:
        return self._sent("/v2/attachments", content, name, {}, {"Authorization": f"Bearer {self.token}"})

    def by_library(self, content: bytes, name: str = "file") -> int:
        return self._sent("/library/", content, name, {}, self._headers)

    def by_composer(self, content: bytes, name: str = "file") -> int:
        headers = self._headers | {"Accept": "application/json"}
        return self._sent("/library/", content, name, {"to": "message"}, headers)

    def delete(self, document: str) -> int:
        return self._sent(f"/library/{document}/delete/", b"", "", {}, self._headers)

    def finds(self, query: str, *, mode: str = "keyword") -> int:
        """Return in how many places a search finds the words."""
        headers = {"Authorization": f"Bearer {self.token}"}
        answer = httpx2.post(
            f"{self.address}/v2/search",
            json={"query": query, "mode": mode},
            headers=headers,
            timeout=ANSWER_WITHIN_S,
        )
        return int(answer.raise_for_status().json()["count"])

    @property
    def _headers(self) -> dict[str, str]:
        proof = secrets.token_hex(16)
        return {"Cookie": f"sessionid={self.session}; csrftoken={proof}", "X-CSRFToken": proof}

    def _sent(self, path: str, content: bytes, name: str, fields: dict[str, str], headers: dict[str, str]) -> int:
        """Return the status; 413 where the server hung up on what is too long to be read, which is a refusal too."""
        files = {"file": (name, content)} if name else None
        try:
            return httpx2.post(
                self.address + path, data=fields, files=files, headers=headers, timeout=ANSWER_WITHIN_S
            ).status_code
        except (httpx2.WriteError, httpx2.RemoteProtocolError):
            return 413


def run(base: PreparedFolder) -> Iterator[DrillResult]:
    data = base.copy("hands")
    with Server(data) as server:
        server.wait_until_ready()
        address = f"http://127.0.0.1:{server.port}"
        senders = [
            Sender(address=address, token=token, session=session)
            for token, session in zip(base.tokens, base.browsers, strict=True)
        ]
        with Worker(data), Worker(data), ServerWatch(server, base.tokens[0]) as watching:
            yield from _drilled(data, senders, watching)


def _drilled(data: Path, senders: list[Sender], watching: ServerWatch) -> Iterator[DrillResult]:
    from tests.conversations.readers.hostile_files import ALL
    from tests.conversations.readers.sample_files import image

    for send in _routes(senders):
        send(b"A half is one of two equal parts.")
        send(image())
    _settled(data)
    # Threads, with memory of their own, connections to the database and the sentence model stay in any server that is used.
    _all_at_once(senders, range(WARMING))
    senders[0].finds("half", mode="hybrid")
    _settled(data)
    watching.begin()
    for name, make in ALL.items():
        yield _hostile(data, senders, name, make(), watching)
    yield _many(data, senders, watching)
    yield _twice(data, senders[3])
    yield _deleted(data, senders[4])
    yield _left(data, watching)


def _routes(senders: list[Sender]) -> tuple[Callable[[bytes], int], ...]:
    """Return the three ways in, each by a person of its own: a file of one's own would be known already."""
    return senders[0].by_token, senders[1].by_library, senders[2].by_composer


def _hostile(data: Path, senders: list[Sender], name: str, content: bytes, watching: ServerWatch) -> DrillResult:
    started = monotonic()
    with ThreadPoolExecutor(3) as pool:
        statuses = list(pool.map(lambda send: send(content), _routes(senders)))
    faults = [f"answered {status}" for status in statuses if status not in REFUSED | {200, 201, 302}]
    if not _settled(data):
        faults.append("it is still being read")
    found = storage_checks.rows(data, OUTCOME, sha256(content).hexdigest())
    faults += [f"read to {passages} passages" for _status, _problem, passages in found if passages]
    ends = sorted({f"{status} {problem}" for status, problem, _passages in found})
    note = f"{len(content) // 1024} KB; {' '.join(map(str, statuses))}; {', '.join(ends) or 'nothing kept'}"
    return DrillResult(
        name=name,
        faults=tuple(faults),
        seconds=monotonic() - started,
        measured="contained in",
        note=f"{note}; {watching.told()}",
    )


def _many(data: Path, senders: list[Sender], watching: ServerWatch) -> DrillResult:
    """Send small files faster than they are read: those beyond a person's unread ones are told to wait."""
    started = monotonic()
    statuses = _all_at_once(senders, range(WARMING, WARMING + UPLOADS))
    sent_s = monotonic() - started
    faults = [f"{count} answered {status}" for status, count in statuses.items() if status not in {201, 429}]
    if not _settled(data):
        faults.append("some are still being read")
    note = (
        f"{statuses[201]} taken, {statuses[429]} told to wait; read in {monotonic() - started:.0f} s; {watching.told()}"
    )
    return DrillResult(
        name=f"{UPLOADS} small files", faults=tuple(faults), seconds=sent_s, measured="answered in", note=note
    )


def _all_at_once(senders: list[Sender], numbers: range) -> Counter[int]:
    def send(number: int) -> int:
        return senders[number % len(senders)].by_token(b"note %d" % number, f"{number}.txt")

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return Counter(pool.map(send, numbers))


def _twice(data: Path, sender: Sender) -> DrillResult:
    started, rows = monotonic(), storage_checks.count(data, "conversations_document")
    with ThreadPoolExecutor(AT_ONCE) as pool:
        statuses = list(pool.map(lambda _: sender.by_library(b"the same file"), range(AT_ONCE)))
    new = storage_checks.count(data, "conversations_document") - rows
    faults = [f"{new} documents"] if new != 1 else []
    faults += [f"answered {status}" for status in statuses if status != 302]
    return DrillResult(
        name=f"the same file {AT_ONCE} times at once",
        faults=tuple(faults),
        seconds=monotonic() - started,
        measured="answered in",
    )


def _deleted(data: Path, sender: Sender) -> DrillResult:
    """Delete a book that was read, and one while it is read: no byte of either is left in the folder."""
    from tests.conversations.readers.sample_files import pages_pdf

    read, unread = (pages_pdf([f"{CANARY} {of} {page}\n" * 30 for page in range(of)]) for of in (60, 300))
    sender.by_library(read, f"{CANARY}.pdf")
    _settled(data)
    faults = [] if sender.finds(CANARY) else ["what was read is not found"]
    sender.by_library(unread, f"{CANARY} again.pdf")
    _wait(lambda: bool(storage_checks.rows(data, "SELECT 1 FROM conversations_document WHERE status = 'reading'")))
    documents = storage_checks.rows(data, "SELECT id FROM conversations_document WHERE name LIKE ?", f"{CANARY}%")
    started = monotonic()
    statuses = [sender.delete(str(UUID(str(key)))) for (key,) in documents]
    seconds = monotonic() - started
    faults += [] if statuses == [302, 302] else [f"answered {statuses}"]
    sleep(3.0)  # A reader notices within one.
    faults += ["it is found after all"] if sender.finds(CANARY) else []
    storage_checks.empty_log(data)
    faults += [f"its words are in {path.name}" for path in _files(data) if CANARY.encode() in path.read_bytes()]
    return DrillResult(name="deleted while it is read", faults=tuple(faults), seconds=seconds, measured="gone in")


def _left(data: Path, watching: ServerWatch) -> DrillResult:
    """Compare what lies in the folder of uploads with the rows, and see what all of it did to the server."""
    _settled(data)
    rows = storage_checks.rows(data, "SELECT stored_as, status FROM conversations_document")
    kept, files = {stored_as for stored_as, _status in rows}, {path.name for path in _files(data / "uploads")}
    texts = "SELECT COUNT(*) FROM conversations_passage AS p JOIN conversations_document AS d ON d.id = p.document_id"
    half_read = storage_checks.rows(data, f"{texts} WHERE d.status <> 'ready'")[0][0]
    faults = [f"{len(files - kept)} files without a row"] if files - kept else []
    faults += [f"{len(kept - files)} rows without a file"] if kept - files else []
    faults += [f"{half_read} passages of what failed"] if half_read else []
    faults += [f"the server grew by {watching.grown_mb:.0f} MB"] if watching.grown_mb > GROWTH_MB else []
    faults += [f"the loop stalled {watching.stalled_s:.1f} s"] if watching.stalled_s > STALL_S else []
    ends = ", ".join(f"{count} {status}" for status, count in Counter(status for _name, status in rows).items())
    return DrillResult(
        name="what is left",
        faults=tuple(faults),
        seconds=watching.seconds,
        measured="in all",
        note=f"{len(rows)} documents ({ends}), {len(files)} files; {watching.told()}",
    )


def _settled(data: Path) -> bool:
    return _wait(lambda: not storage_checks.rows(data, WAITING)[0][0])


def _wait(until: Callable[[], bool]) -> bool:
    """Return whether it came about in time."""
    ends = monotonic() + READ_WITHIN_S
    while not until():
        if monotonic() > ends:
            return False
        sleep(0.05)
    return True


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]
