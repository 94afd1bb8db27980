"""The world outside, on this machine: a server that answers as told, and a network on which every address leads to it."""

import asyncio
import ssl
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

import httpcore2

from agents.net.base import FetchedPage
from agents.net.client import fetch

PUBLIC = "93.184.216.34"


@dataclass(frozen=True, kw_only=True)
class Reply:
    status: int = 200
    body: bytes | Iterable[bytes] = b""
    """Pieces are sent as they come; the answer then has no length."""
    headers: dict[str, str] = field(default_factory=dict)


def html(text: str, **headers: str) -> Reply:
    return Reply(body=text.encode(), headers={"content-type": "text/html; charset=utf-8"} | headers)


def redirect(to: str, *, status: int = 302) -> Reply:
    return Reply(status=status, headers={"location": to})


@dataclass(frozen=True, kw_only=True)
class Request:
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    """By their names in lower case."""


Answering = Reply | Callable[[Request], Reply]


class FakeServer:
    """A web server, for as long as its `with` block runs. What it has no answer for is 404."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self.answers: dict[str, Answering] = {}
        self.requests: list[Request] = []
        self.closing = threading.Event()
        """Set when nobody waits for an answer any more."""
        outside = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                outside.answer(self)

            def log_message(self, format: str, *args: Any) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, request: Any, client_address: Any) -> None:
                """A client that leaves is no news here."""

        self.server = Server(("127.0.0.1", 0), Handler)
        if tls:
            self.server.socket = tls.wrap_socket(self.server.socket, server_side=True, do_handshake_on_connect=False)
        self.port = self.server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        threading.Thread(target=partial(self.server.serve_forever, poll_interval=0.005), daemon=True).start()
        return self

    def __exit__(self, *exc: object) -> None:
        self.closing.set()
        self.server.shutdown()
        self.server.server_close()

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        parts = urlsplit(handler.path)
        query = {name: values[-1] for name, values in parse_qs(parts.query, keep_blank_values=True).items()}
        headers = {name.lower(): value for name, value in handler.headers.items()}
        request = Request(path=parts.path, query=query, headers=headers)
        self.requests.append(request)
        answering = self.answers.get(request.path, Reply(status=404))
        reply = answering if isinstance(answering, Reply) else answering(request)
        handler.send_response(reply.status)
        for name, value in reply.headers.items():
            handler.send_header(name, value)
        if isinstance(reply.body, bytes):
            if "content-length" not in reply.headers:
                handler.send_header("content-length", str(len(reply.body)))
            handler.end_headers()
            handler.wfile.write(reply.body)
            return
        handler.close_connection = True
        handler.send_header("connection", "close")
        handler.end_headers()
        for piece in reply.body:
            handler.wfile.write(piece)

    def slowly(self, *pieces: bytes) -> Iterator[bytes]:
        """Yield these, and then nothing more for as long as anybody waits."""
        yield from pieces
        self.closing.wait()


class Detour(httpcore2.AnyIOBackend):
    """A network on which every address that is connected to is the same server."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.connected: list[tuple[str, int]] = []
        self.silent: set[str] = set()
        """Addresses that take no connection."""

    async def connect_tcp(self, host: str, port: int, *args: Any, **kwargs: Any) -> httpcore2.AsyncNetworkStream:
        self.connected.append((host, port))
        if host in self.silent:
            raise httpcore2.ConnectError("nobody there")
        return await super().connect_tcp("127.0.0.1", self.port, *args, **kwargs)


class World:
    """The server under public addresses, and the names that lead to it."""

    def __init__(self, server: FakeServer) -> None:
        self.server = server
        self.network = Detour(server.port)
        self.names: dict[str, list[Sequence[str] | OSError]] = {"page.example": [[PUBLIC]]}
        """Name → what it resolves to: in order, the last again and again."""
        self.looked_up: list[str] = []

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        await asyncio.sleep(0)
        self.looked_up.append(host)
        answers = self.names[host]
        answer = answers.pop(0) if len(answers) > 1 else answers[0]
        if isinstance(answer, OSError):
            raise answer
        return answer

    async def fetch(
        self, url: str, *, media_types: Any = ("text/html", "text/plain"), service: str = ""
    ) -> FetchedPage:
        return await fetch(url, media_types=media_types, service=service, resolve=self.resolve, network=self.network)
