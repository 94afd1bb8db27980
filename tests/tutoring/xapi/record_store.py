"""A record store on this machine that takes statements by the rules of the xAPI specification, and refuses others."""

import base64
import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

KEY, SECRET = "school", "a secret of the school"
PARTS = {"id", "actor", "verb", "object", "result", "context", "timestamp"}
DURATION = re.compile(r"PT\d+(\.\d+)?S")
LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")


def is_iri(value: Any) -> bool:
    parts = urlsplit(value) if isinstance(value, str) else None
    return bool(parts and parts.scheme and parts.netloc)


def check_statement(said: dict[str, Any]) -> None:
    """Raise AssertionError or ValueError for a statement that the specification does not allow."""
    assert said.keys() <= PARTS
    assert {"actor", "verb", "object"} <= said.keys()
    assert str(UUID(said["id"])) == said["id"]
    _check_actor(said["actor"])
    assert is_iri(said["verb"]["id"])
    _check_languages(said["verb"]["display"])
    _check_activity(said["object"])
    _check_result(said.get("result", {}))
    _check_context(said.get("context", {}))
    assert datetime.fromisoformat(said["timestamp"]).tzinfo is not None


def _check_actor(actor: dict[str, Any]) -> None:
    """One inverse functional identifier, and here it must be an account."""
    assert actor.keys() == {"objectType", "account"}
    assert actor["objectType"] == "Agent"
    assert actor["account"].keys() == {"homePage", "name"}
    assert is_iri(actor["account"]["homePage"])
    assert isinstance(actor["account"]["name"], str)


def _check_activity(activity: dict[str, Any]) -> None:
    assert activity.keys() <= {"objectType", "id", "definition"}
    assert activity["objectType"] == "Activity"
    assert is_iri(activity["id"])
    assert is_iri(activity["definition"]["type"])
    _check_languages(activity["definition"].get("name", {}))


def _check_languages(words: dict[str, str]) -> None:
    assert all(LANGUAGE.fullmatch(tag) and isinstance(text, str) for tag, text in words.items())


def _check_result(result: dict[str, Any]) -> None:
    assert result.keys() <= {"success", "completion", "score", "duration"}
    assert all(isinstance(result[name], bool) for name in result.keys() & {"success", "completion"})
    assert -1 <= result.get("score", {"scaled": 0})["scaled"] <= 1
    assert DURATION.fullmatch(result.get("duration", "PT1S"))


def _check_context(context: dict[str, Any]) -> None:
    assert context.keys() <= {"platform", "language", "contextActivities"}
    assert LANGUAGE.fullmatch(context["language"])
    for kind, activities in context["contextActivities"].items():
        assert kind in {"parent", "grouping", "category", "other"}
        for activity in activities:
            _check_activity(activity)


class RecordStore:
    """What it has stored, and what it answers instead if `status` is set."""

    def __init__(self) -> None:
        self.url = ""
        self.status = 0
        self.statements: dict[str, dict[str, Any]] = {}
        self.sizes: list[int] = []
        self.refused: set[str] = set()
        """Verbs that it does not take."""

    def take(self, statements: list[dict[str, Any]]) -> tuple[int, Any]:
        """Store all of a batch or nothing."""
        self.sizes.append(len(statements))
        if self.status:
            return self.status, {"message": "not now"}
        try:
            for said in statements:
                check_statement(said)
                assert said["verb"]["id"].rpartition("/")[2] not in self.refused
        except (AssertionError, ValueError, KeyError, TypeError):
            return 400, {"message": "statement\nnot valid"}
        if any(self.statements.get(said["id"], said) != said for said in statements):
            return 409, None
        self.statements |= {said["id"]: said for said in statements}
        return 200, [said["id"] for said in statements]


class _Handler(BaseHTTPRequestHandler):
    store: RecordStore

    def do_GET(self) -> None:
        self._answer(200, {"version": ["1.0.3", "2.0.0"]})

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        expected = "Basic " + base64.b64encode(f"{KEY}:{SECRET}".encode()).decode()
        if self.headers["Authorization"] != expected:
            self._answer(401, None)
        elif self.headers["X-Experience-API-Version"] not in ("1.0.3", "2.0.0") or self.path != "/xapi/statements":
            self._answer(400, {"message": "no such version or address"})
        else:
            self._answer(*self.store.take(json.loads(body)))

    def _answer(self, status: int, value: Any) -> None:
        content = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Write nothing to the tests' output."""


@contextmanager
def record_store() -> Iterator[RecordStore]:
    """Serve until the block ends."""
    store = RecordStore()
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"store": store}))
    server.daemon_threads = True
    store.url = f"http://127.0.0.1:{server.server_port}/xapi"
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    try:
        yield store
    finally:
        server.shutdown()
        server.server_close()
