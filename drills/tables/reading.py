"""A round table as its client asks for it, and as it is on record."""

import json
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from typing import Any, Final

from drills import storage_checks
from drills.client import SILENCE_S
from drills.tables.models import QUESTION, VOICES

_LATEST: Final = (
    "SELECT t.id, s.key FROM conversations_turn t JOIN conversations_session s ON s.id = t.session_id "
    "ORDER BY t.created_at DESC LIMIT 1"
)
_EVENTS: Final = "SELECT body FROM conversations_event WHERE turn_id = ? ORDER BY seq"

type StreamEvent = Mapping[str, Any]


@dataclass(slots=True, kw_only=True)
class HeldTable:
    """What a client has seen of a table, and what is stored of it."""

    stream: list[StreamEvent] = field(default_factory=list)
    turn: str = ""
    """Its id, in hex."""
    session: str = ""
    events: list[Mapping[str, Any]] = field(default_factory=list)

    @property
    def turn_id(self) -> str:
        """The turn's id as clients spell it."""
        return str(uuid.UUID(self.turn))

    def is_in_round(self, number: int) -> bool:
        """Tell whether the stream has shown the beginning of a round."""
        return any(each["type"] == "round_start" and each["data"]["round"] == number for each in self.stream)

    @property
    def responses(self) -> list[tuple[int, str, str]]:
        """Round, agent and words of each contribution, in the order of the stream."""
        return [_said(each["data"]) for each in self.stream if each["type"] == "agent_response"]

    def read_record(self, data: Path) -> None:
        """Read what is stored of the latest table of the folder."""
        self.turn, self.session = storage_checks.rows(data, _LATEST)[0]
        bodies = [body for (body,) in storage_checks.rows(data, _EVENTS, self.turn)]
        self.events = [body if isinstance(body, dict) else json.loads(body) for body in bodies]


def _said(data: Mapping[str, Any]) -> tuple[int, str, str]:
    return data["round"], data["agent"].replace("-", "_"), data["content"]


def asked_body(**changes: Any) -> dict[str, Any]:
    """Return the request for a table of five voices and three rounds, with some fields changed."""
    return {
        "agents": list(VOICES),
        "rounds": 3,
        "messages": [{"role": "user", "content": QUESTION}],
    } | changes


def hold(
    port: int, token: str, data: Path, *, seen: Callable[[HeldTable], None] = lambda _held: None, **changes: Any
) -> HeldTable:
    """Hold a table and read its stream to the end, or until the server is gone; `seen` is called after each event.

    Raises HTTPError for a refusal.
    """
    held = HeldTable()
    try:
        for event in _lines(port, token, asked_body(**changes)):
            held.stream.append(event)
            seen(held)
    except urllib.error.HTTPError:
        raise
    except (OSError, HTTPException, json.JSONDecodeError):
        # Cut off with the server, maybe within a line.
        pass
    held.read_record(data)
    return held


def refusal(port: int, token: str, body: Any) -> tuple[int, str]:
    """Return the status and the words with which a request is refused; 200 and nothing if it is not."""
    try:
        for _event in _lines(port, token, body):
            pass
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()
    return 200, ""


def _lines(port: int, token: str, body: Any) -> Iterator[StreamEvent]:
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    request = urllib.request.Request(f"http://127.0.0.1:{port}/api/chat/multi", json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=SILENCE_S) as response:
        for line in response:
            if line.strip():
                yield json.loads(line.removeprefix(b"data: "))


def contributions(events: Sequence[Mapping[str, Any]]) -> list[tuple[int, str]]:
    """Return the round and the agent of each contribution on record."""
    said = [each for each in events if each["type"] == "agent_finished" and "quotes" in each["result"]]
    return [(each["result"]["round"], each["agent"]) for each in said]
