"""Rows of the trial: floods of sign-ins, large and slow anonymous requests, tokens on pages."""

import socket
import tempfile
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic, sleep

import httpx2

from drills.client import Client, ClientTranscript
from drills.data_folder import PreparedFolder
from drills.regressions.visitor import TrialChecks, Visitor, served
from drills.result import DrillResult
from drills.server import Server

ATTEMPTS = 60
HASHED_AT_MOST = 30
"""Wrong passwords of one address that are checked at once, whatever the names; whoever comes late is told to wait."""
IN_A_ROW = 120
"""Wrong passwords of one address, one after the other, of which the last ones are refused."""
TURN_WITHIN_S = 20.0
BODY_BYTES = 10_000_000
HELD_AT_MOST = 20_000_000
"""Bytes of temporary files that the large bodies may leave for a moment."""
DRIP_EVERY_S, DRIP_AT_MOST_S = 2.0, 90.0
SIGN_IN = "/accounts/sign-in/"


def sign_in_flood(base: PreparedFolder) -> DrillResult:
    """A learner's turn ends while one address tries random names, and most of the tries are told to wait."""
    row = TrialChecks("sign-in flood from one address")
    with served(base, "flood") as server, ThreadPoolExecutor(ATTEMPTS) as pool:
        visitor = Visitor(server)
        tries = [pool.submit(_wrong_password, visitor, number) for number in range(ATTEMPTS)]
        turn_s = _turn(server, base.tokens[1], row)
        answers = [each.result() for each in tries]
        statuses = Counter(answer.status_code for answer in answers)
        row.expect(turn_s < TURN_WITHIN_S, f"a turn beside it took {turn_s:.0f} s")
        row.expect(statuses[422] <= HASHED_AT_MOST, f"{statuses[422]} passwords were checked")
        row.expect(set(statuses) <= {422, 429, 503}, f"answered {dict(statuses)}")
        waits = [answer.headers.get("Retry-After") for answer in answers if answer.status_code in {429, 503}]
        row.expect(all(waits) and bool(waits), "a refusal names no time to wait")
        row.note(f"{dict(statuses)}, a turn beside it {turn_s:.1f} s")
    return row.result()


def clients_behind_a_proxy(base: PreparedFolder) -> DrillResult:
    """Behind a named proxy each client has a limit of its own; without one the header is not believed."""
    row = TrialChecks("clients behind a proxy")
    for proxies, is_shared in (("127.0.0.1", False), ("", True)):
        with served(base, "proxy", TRUSTED_PROXIES=proxies) as server:
            flooding, other = Visitor(server, address="203.0.113.7"), Visitor(server, address="203.0.113.8")
            tried = next((n for n in range(IN_A_ROW) if _wrong_password(flooding, n).status_code == 429), None)
            row.expect(tried is not None, f"{IN_A_ROW} wrong passwords in a row were checked")
            row.note(f"proxies {proxies!r}: {tried} in a row")
            status = _wrong_password(other, 0).status_code
            wanted = 429 if is_shared else 422
            row.expect(status == wanted, f"proxies {proxies!r}: another client is answered {status}, not {wanted}")
    return row.result()


def large_bodies(base: PreparedFolder) -> DrillResult:
    """Large anonymous posts are refused before they are read: nothing of them lies in temporary files."""
    row = TrialChecks("large anonymous bodies")
    with tempfile.TemporaryDirectory() as folder, served(base, "bodies", TMPDIR=folder) as server:
        largest = _LargestFolder(Path(folder))
        with ThreadPoolExecutor(ATTEMPTS // 2) as pool:
            statuses = Counter(pool.map(lambda _: _large_post(server), range(ATTEMPTS)))
        row.expect(set(statuses) <= {413, 0}, f"answered {dict(statuses)}")
        held = largest.stop()
        row.expect(held < HELD_AT_MOST, f"{held / 1e6:.0f} MB of temporary files")
        row.note(f"{dict(statuses)}, {held / 1e6:.1f} MB of temporary files at most")
    return row.result()


def slow_requests(base: PreparedFolder) -> DrillResult:
    """A client that drips its head or its body is shown out within a minute or so."""
    row = TrialChecks("slow head and slow body")
    head = b"POST " + SIGN_IN.encode() + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    whole = head + b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\n"
    with served(base, "slow") as server, ThreadPoolExecutor(2) as pool:
        ends = pool.map(lambda begun: _drip(server, begun), (head, whole))
        for name, seconds in zip(("head", "body"), ends, strict=True):
            row.expect(seconds < DRIP_AT_MOST_S, f"a dripped {name} stayed for {seconds:.0f} s")
            row.note(f"{name} {seconds:.0f} s")
    return row.result()


def tokens_on_pages(base: PreparedFolder) -> DrillResult:
    """A token opens the API and no page."""
    row = TrialChecks("tokens open the API only")
    with served(base, "tokens") as server:
        visitor = Visitor(server, token=base.tokens[0])
        row.expect(visitor.get("/v2/sessions").status_code == 200, "the API is closed to it")
        for page in ("/", "/c/", "/progress/", "/library/", "/accounts/profile/", "/accounts/tokens/", "/admin/"):
            status = visitor.get(page).status_code
            row.expect(status in {302, 401, 404}, f"{page} answered {status}")
    return row.result()


ROWS: tuple[Callable[[PreparedFolder], DrillResult], ...] = (
    sign_in_flood,
    clients_behind_a_proxy,
    large_bodies,
    slow_requests,
    tokens_on_pages,
)


def _wrong_password(visitor: Visitor, number: int) -> httpx2.Response:
    return visitor.post(SIGN_IN, {"username": f"nobody{number}", "password": "not a password"})


def _turn(server: Server, token: str, row: TrialChecks) -> float:
    """Play a turn; return how long it took."""
    began = monotonic()
    reading = ClientTranscript(text="Hello", client_id="beside")
    with Client(server.port, token, session="beside") as client:
        client.say(reading)
        client.read(reading)
    row.expect((reading.finished or {}).get("status") == "done", "a turn beside it did not end")
    return monotonic() - began


def _large_post(server: Server) -> int:
    """Return the status; 0 where the server hung up on the body."""
    try:
        return Visitor(server).post(SIGN_IN, {"username": "x" * BODY_BYTES, "password": "y"}).status_code
    except httpx2.TransportError:
        return 0


def _drip(server: Server, begun: bytes) -> float:
    """Send a request's beginning and then a byte now and then; return how long the server bears it, in seconds."""
    began = monotonic()
    with socket.create_connection(("127.0.0.1", server.port), timeout=DRIP_EVERY_S) as connection:
        connection.sendall(begun)
        while monotonic() - began < DRIP_AT_MOST_S:
            try:
                connection.sendall(b"x")
                # An answer ends it as well as a closed connection does.
                connection.recv(1000)
            except TimeoutError:
                continue
            except OSError:
                pass
            break
    return monotonic() - began


class _LargestFolder:
    """The most bytes that lay in a folder at once, files that are deleted but open included."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._most = 0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def stop(self) -> int:
        self._ended.set()
        self._thread.join()
        return self._most

    def _watch(self) -> None:
        while not self._ended.is_set():
            self._most = max(self._most, _bytes_in(self._folder))
            sleep(0.02)


def _bytes_in(folder: Path) -> int:
    held = 0
    for link in Path("/proc").glob("[0-9]*/fd/*"):
        try:
            if str(link.readlink()).startswith(str(folder)):
                held += link.stat().st_size
        except OSError:
            continue
    return held
