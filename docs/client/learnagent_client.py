"""A client of the learnagent API in one file. It needs Python 3.11 or later and the packages httpx and websockets.

Copy this file into your project. Ask one agent, or let the server choose between one agent and the team:

>>> from learnagent_client import Learnagent
>>> with Learnagent(SERVER, TOKEN) as api:
...     answer = api.ask("hello", session_id="monday")
...     smart = api.ask_smart("hello", session_id="monday")
>>> answer["session_id"], smart["served_by"]
('monday', 'v1')

Get the team's whole answer. The client sends the message again if the connection breaks; the server answers it once:

>>> with Learnagent(SERVER, TOKEN) as api:
...     whole = api.converse("Why must the parts be equal?", session_id="monday")
>>> whole["status"]
'done'

Read what was said, and search it:

>>> with Learnagent(SERVER, TOKEN) as api:
...     history = api.history("monday")
...     hits = api.search("equal parts")
...     stats = api.stats()
>>> [each["user_text"] for each in history]
['hello', 'hello', 'Why must the parts be equal?']
>>> hits[0]["user_snippet"]
'Why must the <mark>parts</mark> be <mark>equal</mark>?'
>>> stats["database"]["total_captures"]
3

Errors say what to do:

>>> with Learnagent(SERVER, TOKEN) as api:
...     api.ask(" ")
Traceback (most recent call last):
learnagent_client.ApiError: Write a message first. (422 invalid_input)

Follow a reply as it is written:

>>> async def show() -> None:
...     async for event in stream(SERVER, TOKEN, "tuesday", "hello"):
...         if event["type"] == "reply_text":
...             print(event["text"], end="")
"""

import asyncio
import base64
import json
import time
import uuid
from collections.abc import AsyncIterator, Callable
from types import TracebackType
from typing import Any, Literal, NotRequired, Self, TypedDict
from urllib.parse import quote

import httpx
import websockets

TRIES = 10
"""How often a request is sent at most, if the server is busy or cannot be reached."""
TIMEOUT_S = 400.0
"""How long an answer may take: a turn lasts up to five minutes, and may have to run again."""


class Exchange(TypedDict):
    """A message and its reply."""

    session_id: str
    user_text: str
    agent_text: str
    """The whole reply, as Markdown."""
    intent: Literal["question", "statement", "request", "greeting", "goodbye"]
    timestamp: str
    """ISO 8601, in UTC."""


class SmartExchange(Exchange):
    served_by: Literal["v1", "v2"]
    v2: "Answer | None"


class Answer(TypedDict):
    """The team's answer: its most important fields. `/v2/docs` lists them all."""

    session_id: str
    turn_id: str
    response: str
    """The whole reply, as Markdown."""
    status: Literal["done", "stopped", "degraded", "failed", "interrupted"]
    follow_ups: list[str]
    facts: list[dict[str, Any]]
    sources: list[dict[str, Any]]
    errors: list[dict[str, Any]]
    cards: list[dict[str, Any]]
    metadata: dict[str, Any]


class PastExchange(TypedDict):
    id: str
    timestamp: str
    user_text: str
    agent_text: str
    metadata: dict[str, Any]


class Hit(TypedDict):
    id: str
    session_id: str
    timestamp: str
    user_text: str
    agent_text: str
    user_snippet: str
    """Safe HTML, with the matches in `<mark>`."""
    agent_snippet: str


class StoredFigures(TypedDict):
    total_captures: int
    unique_sessions: int
    last_capture: str | None


class SessionFigures(TypedDict):
    active: int
    ids: list[str]


class Stats(TypedDict):
    database: StoredFigures
    sessions: SessionFigures


class Event(TypedDict):
    """An event of a turn. `/v2/docs` lists the fields of each type."""

    type: str
    seq: int
    turn_id: str
    at: str
    text: NotRequired[str]
    reply: NotRequired[str]
    status: NotRequired[str]


class ApiError(Exception):
    """The server refused a request."""

    def __init__(self, status: int, error: dict[str, Any]) -> None:
        super().__init__(f"{error['message']} ({status} {error['code']})")
        self.status = status
        self.code: str = error["code"]
        self.message: str = error["message"]
        """Show this to the person."""
        self.fields: dict[str, str] = error.get("fields", {})
        self.ref: str = error["ref"]
        """Tell this to the operator of the server."""
        self.retry_after_s: float | None = error.get("retry_after_s")
        """Seconds to wait before the same request may succeed; None if it would fail again."""


class Learnagent:
    """The calls of the API. Use it as a context manager."""

    def __init__(
        self,
        server: str,
        token: str,
        *,
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        self._http = httpx.Client(
            base_url=server, headers={"Authorization": f"Bearer {token}"}, timeout=TIMEOUT_S, transport=transport
        )
        self._sleep = sleep

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._http.close()

    def ask(self, text: str, session_id: str | None = None) -> Exchange:
        """Return one agent's answer to a message."""
        answer: Exchange = self._post("/api/conversation", _given(text=text, session_id=session_id))
        return answer

    def ask_aloud(self, recording: bytes, session_id: str | None = None) -> Exchange:
        """Return one agent's answer to a recording: WebM, Ogg, WAV or MP4, at most two minutes."""
        audio = base64.b64encode(recording).decode()
        answer: Exchange = self._post("/api/conversation", _given(audio_base64=audio, session_id=session_id))
        return answer

    def ask_smart(self, text: str, session_id: str | None = None) -> SmartExchange:
        """Return the answer of one agent or of the team, whichever fits."""
        answer: SmartExchange = self._post("/api/conversation/smart", _given(text=text, session_id=session_id))
        return answer

    def converse(self, text: str, session_id: str | None = None, *, attachments: list[str] | None = None) -> Answer:
        """Return the team's whole answer. A message is sent again if need be, and answered once."""
        body = _given(text=text, session_id=session_id, attachments=attachments, client_id=uuid.uuid4().hex)
        answer = self._post("/v2/conversation", body, again=True)
        while "queued" in answer:
            # The server is busy and has stored the message.
            self._sleep(1)
            turn = self._get(f"/v2/turns/{answer['turn_id']}")
            answer = turn["answer"] or answer
        whole: Answer = answer
        return whole

    def attach(self, name: str, content: bytes) -> str:
        """Upload a file; return its id for `attachments`."""
        uploaded: str = self._answer("POST", "/v2/attachments", files={"file": (name, content)})["id"]
        return uploaded

    def search(self, query: str, *, limit: int = 20) -> list[Hit]:
        """Return the messages and replies that contain all words, the latest first."""
        hits: list[Hit] = self._post("/api/search", {"query": query, "limit": limit}, again=True)["results"]
        return hits

    def history(self, session_id: str, *, limit: int = 20) -> list[PastExchange]:
        """Return a conversation's latest messages and replies, oldest first."""
        path = f"/api/session/{quote(session_id)}/history"
        history: list[PastExchange] = self._get(path, limit=limit)["history"]
        return history

    def stats(self) -> Stats:
        stats: Stats = self._get("/api/stats")
        return stats

    def _post(self, path: str, body: dict[str, Any], *, again: bool = False) -> Any:
        return self._answer("POST", path, json=body, again=again)

    def _get(self, path: str, **query: Any) -> Any:
        return self._answer("GET", path, params=query, again=True)

    def _answer(self, method: str, path: str, *, again: bool = False, **request: Any) -> Any:
        """Return the answer's JSON. Raises ApiError, or HTTPStatusError if not the server answered but a proxy.

        A request that the server has refused for now is sent again. One whose connection broke is sent again only with
        `again`: it may have been carried out.
        """
        for tries in range(1, TRIES + 1):
            try:
                response = self._http.request(method, path, **request)
            except httpx.TransportError:
                if not again or tries == TRIES:
                    raise
                self._sleep(1)
                continue
            if response.is_success:
                return response.json()
            error = _error_of(response)
            if error.retry_after_s is None or tries == TRIES:
                raise error
            self._sleep(error.retry_after_s)
        raise AssertionError("unreachable")


def _error_of(response: httpx.Response) -> ApiError:
    try:
        return ApiError(response.status_code, response.json()["error"])
    except (ValueError, KeyError, TypeError):
        response.raise_for_status()
        raise


async def stream(server: str, token: str, session_id: str, text: str) -> AsyncIterator[Event]:
    """Send a message and yield the events of its turn up to `turn_finished`, also across broken connections.

    After `turn_resumed`, drop the text that came before. Raises ApiError.
    """
    address = f"{server.replace('http', 'ws', 1)}/v2/ws/{quote(session_id)}"
    headers = {"Authorization": f"Bearer {token}"}
    said = {"type": "message", "text": text, "client_id": uuid.uuid4().hex}
    turn_id, seq = "", 0
    for tries in range(1, TRIES + 1):
        try:
            async with websockets.connect(address, additional_headers=headers) as socket:
                first = {"type": "resume", "turn_id": turn_id, "after": seq} if turn_id else said
                await socket.send(json.dumps(first))
                async for raw in socket:
                    frame = json.loads(raw)
                    if frame["type"] == "error":
                        await _wait_or_raise(ApiError(0, frame["error"]))
                        await socket.send(json.dumps(first))
                    elif frame["type"] == "refetch":
                        await socket.send(json.dumps({"type": "resume", "turn_id": turn_id, "after": seq}))
                    elif frame["type"] == "turn_started" and frame["client_id"] == said["client_id"]:
                        turn_id = frame["turn_id"]
                    if "seq" not in frame or frame["turn_id"] != turn_id:
                        continue
                    seq = frame["seq"]
                    yield frame
                    if frame["type"] == "turn_finished":
                        return
        except (OSError, websockets.ConnectionClosed):
            if tries == TRIES:
                raise
        await asyncio.sleep(1)


async def _wait_or_raise(error: ApiError) -> None:
    if error.retry_after_s is None:
        raise error
    await asyncio.sleep(error.retry_after_s)


def _given(**fields: Any) -> dict[str, Any]:
    """Return the fields that are not None."""
    return {name: value for name, value in fields.items() if value is not None}
