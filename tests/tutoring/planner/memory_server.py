"""A stand-in for an OpenMemory server on this machine, with the four calls that are used of its API."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit


class MemoryServer:
    """Its memories by id, as `{content, user_id}`, and how it misbehaves: a status, or an answer that is no JSON."""

    def __init__(self) -> None:
        self.memories: dict[str, dict[str, Any]] = {}
        self.keys: list[str] = []
        """The keys that it was asked with."""
        self.status = 200
        self.garbage: bytes | None = None
        self.url = ""
        self.made = 0

    def add(self, body: dict[str, Any]) -> dict[str, Any]:
        self.made += 1
        pk = f"mem-{self.made}"
        self.memories[pk] = {"content": body["content"], "user_id": body["user_id"]}
        return {"id": pk, "primary_sector": "semantic", "sectors": ["semantic"]}

    def query(self, body: dict[str, Any]) -> dict[str, Any]:
        words, user = set(body["query"].casefold().split()), body["filters"]["user_id"]
        found = [
            {"id": pk, "content": each["content"], "score": 0.9}
            for pk, each in self.memories.items()
            if each["user_id"] == user and words & set(each["content"].casefold().rstrip(".").split())
        ]
        return {"query": body["query"], "matches": found[: body["k"]]}

    def all_of(self, user: str) -> dict[str, Any]:
        return {"items": [{"id": pk, **each} for pk, each in self.memories.items() if each["user_id"] == user]}


class _Handler(BaseHTTPRequestHandler):
    server_of: MemoryServer

    def _answer(self, found: Any, status: int = 200) -> None:
        memory = self.server_of
        body = memory.garbage if memory.garbage is not None else json.dumps(found).encode()
        self.send_response(memory.status if memory.status != 200 else status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _asked(self) -> Any:
        self.server_of.keys.append(self.headers.get("Authorization", ""))
        return json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")

    def do_POST(self) -> None:
        body, call = self._asked(), {"/memory/add": self.server_of.add, "/memory/query": self.server_of.query}
        self._answer(call[self.path](body) if self.server_of.status == 200 else {})

    def do_GET(self) -> None:
        self._asked()
        self._answer(self.server_of.all_of(parse_qs(urlsplit(self.path).query)["user_id"][0]))

    def do_DELETE(self) -> None:
        self._asked()
        gone = self.server_of.memories.pop(urlsplit(self.path).path.removeprefix("/memory/"), None)
        self._answer({"ok": True}, 200 if gone else 404)

    def log_message(self, format: str, *args: Any) -> None:
        """Write nothing to the tests' output."""


@contextmanager
def memory_server() -> Iterator[MemoryServer]:
    memory = MemoryServer()
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"server_of": memory}))
    server.daemon_threads = True
    memory.url = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    try:
        yield memory
    finally:
        server.shutdown()
        server.server_close()
