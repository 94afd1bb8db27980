"""A client of `/v2/ws/` that keeps to the contracts to the letter, and notes where the server does not."""

import json
import secrets
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from socket import SHUT_RDWR
from time import monotonic
from types import MappingProxyType
from typing import Any, Self

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.typing import Origin

SILENCE_S = 60.0
"""How long a client waits for the next event of an unfinished turn."""
CLOSE_WITHOUT_CODE = 1006
NO_FIELDS: Mapping[str, str] = MappingProxyType({})

REPLIES = ("reply_text", "card")
"""Events that show something of the reply: a step of a lesson may be a card alone."""


@dataclass(slots=True, kw_only=True)
class ClientTranscript:
    """One turn as its client has read it so far."""

    text: str
    """What the learner said in it."""
    client_id: str
    turn_id: str = ""
    """Empty until it is acknowledged."""
    seq: int = 0
    reply: str = ""
    cards: list[dict[str, Any]] = field(default_factory=list)
    finished: dict[str, Any] | None = None
    resumptions: int = 0
    is_asked_for: bool = False
    """Whether the client asks for a turn from its beginning that may also come by itself meanwhile."""
    faults: list[str] = field(default_factory=list)

    @property
    def acknowledged(self) -> bool:
        return bool(self.turn_id)

    def anew(self) -> "ClientTranscript":
        """Return the turn as a client reads it that sends its message again."""
        return ClientTranscript(text=self.text, client_id=self.client_id)

    def _check_place(self, event: dict[str, Any]) -> None:
        seq, expected = event["seq"], self.seq + 1
        if self.finished:
            self.faults.append(f"event {seq} came after turn_finished")
        if event["type"] == "turn_resumed":
            if seq > expected:
                self.faults.append(f"turn_resumed is event {seq}, and {expected} was never seen")
        elif seq != expected:
            self.faults.append(f"event {seq} came where {expected} was due")
        self.seq = seq

    def take(self, event: dict[str, Any]) -> None:
        """Read on by one event."""
        if self.is_asked_for and event["seq"] <= self.seq and event["type"] != "turn_resumed":
            return
        self._check_place(event)
        match event["type"]:
            case "turn_resumed":
                self.reply, self.cards, self.resumptions = "", [], self.resumptions + 1
            case "turn_started":
                self.turn_id = event["turn_id"]
            case "reply_text":
                self.reply += event["text"]
            case "card":
                self.cards.append(event)
            case "turn_finished":
                self.finished = event
                if event["reply"] != self.reply:
                    self.faults.append(f"the reply is {event['reply']!r}, and its pieces were {self.reply!r}")


class Client:
    """One person's socket in one session."""

    def __init__(self, port: int, token: str, *, session: str, browser: str = "") -> None:
        """`browser`: the key of a browser's session, which signs the socket in instead of a token."""
        place = f"127.0.0.1:{port}"
        headers = by_browser(browser) if browser else {"Authorization": f"Bearer {token}"}
        self._opening = connect(
            f"ws://{place}/v2/ws/{session}",
            additional_headers=headers,
            origin=Origin(f"http://{place}") if browser else None,
        )

    def __enter__(self) -> Self:
        self.socket = self._opening.__enter__()
        return self

    def __exit__(self, *_: Any) -> None:
        """Be gone without a word, as a client whose network went away."""
        with suppress(OSError):
            self.socket.socket.shutdown(SHUT_RDWR)
        self._opening.__exit__(None, None, None)

    def say(self, reading: ClientTranscript, **more: str) -> None:
        """`more`: the drawing (`board`) that goes with it, the turn that it `replaces`."""
        self._send({"type": "message", "text": reading.text, "client_id": reading.client_id} | more)

    def stop(self, reading: ClientTranscript) -> None:
        """Ask for an end of the turn, wherever it runs."""
        self._send({"type": "stop", "turn_id": reading.turn_id})

    def resume(self, reading: ClientTranscript) -> None:
        """Ask for the rest of a turn; for the latest turn where none is known yet."""
        turn = {"turn_id": reading.turn_id} if reading.turn_id else {}
        self._send({"type": "resume", "after": reading.seq} | turn)

    def wait_until_listening(self) -> None:
        """Return once the socket hears of the turns that others begin, which is a moment after it was accepted."""
        self._send({"type": "ping"})
        while json.loads(self.socket.recv(timeout=SILENCE_S))["type"] != "pong":
            pass

    def read(self, reading: ClientTranscript, *, until: str | Collection[str] = "turn_finished") -> bool:
        """Read the turn until an event of this type, or of one of these; False if the server is gone before."""
        types = (until,) if isinstance(until, str) else until
        try:
            while True:
                event = json.loads(self.socket.recv(timeout=SILENCE_S))
                if event["type"] == "error":
                    raise RuntimeError(f"the server refused: {event['error']}")
                if event["type"] == "turn_started" and event["client_id"] == reading.client_id:
                    reading.turn_id = event["turn_id"]
                if event["turn_id"] != reading.turn_id:
                    continue
                reading.take(event)
                if event["type"] in types:
                    return True
        except ConnectionClosed:
            return False

    def wait_until_closed(self, *, within_s: float) -> int | None:
        """Return the code with which the server closes the socket; None if it does not within the time."""
        ends = monotonic() + within_s
        try:
            while True:
                self.socket.recv(timeout=max(0.0, ends - monotonic()))
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else CLOSE_WITHOUT_CODE
        except TimeoutError:
            return None

    def _send(self, frame: dict[str, Any]) -> None:
        self.socket.send(json.dumps(frame))


def by_browser(browser: str) -> dict[str, str]:
    """Return the headers of a page's script in the browser whose session has this key; empty: nobody is signed in."""
    proof = secrets.token_hex(16)
    session = f"sessionid={browser}; " if browser else ""
    return {"Cookie": f"{session}csrftoken={proof}", "X-CSRFToken": proof}


def call(port: int, token: str, path: str, body: dict[str, Any]) -> tuple[int, Any]:
    """Post JSON as a program does; return the status and the answer."""
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", json.dumps(body).encode(), headers)
    try:
        with urllib.request.urlopen(request, timeout=SILENCE_S) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as refusal:
        return refusal.code, json.load(refusal)


def submit(port: int, browser: str, path: str, fields: Mapping[str, str] = NO_FIELDS) -> int:
    """Send a form as a page does, without a session if `browser` is empty; return the status of its answer."""
    form = urllib.parse.urlencode(fields).encode()
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", form, by_browser(browser))
    try:
        with urllib.request.urlopen(request, timeout=SILENCE_S) as response:
            status: int = response.status
            return status
    except urllib.error.HTTPError as refusal:
        return refusal.code


def post(port: int, browser: str, path: str, body: dict[str, Any]) -> dict[str, Any] | None:
    """Post JSON as a page does; return the answer, None if the server is gone. Raise HTTPError for a refusal."""
    headers = by_browser(browser) | {"Content-Type": "application/json"}
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", json.dumps(body).encode(), headers)
    try:
        with urllib.request.urlopen(request, timeout=SILENCE_S) as response:
            answer: dict[str, Any] = json.load(response)
            return answer
    except urllib.error.HTTPError:
        raise
    except OSError:
        return None


def get(port: int, browser: str, path: str) -> str:
    """Return a page. Raise HTTPError for a refusal."""
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers=by_browser(browser))
    with urllib.request.urlopen(request, timeout=SILENCE_S) as response:
        page: str = response.read().decode()
        return page
