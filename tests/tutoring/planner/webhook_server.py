"""A workflow server on this machine, which behaves as it is told."""

import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any


class WorkflowServer:
    """What it was sent, and what it answers: a status, `hang`, `redirect` or `slow body`."""

    def __init__(self) -> None:
        self.behavior: int | str = 200
        self.requests: list[tuple[dict[str, str], bytes]] = []
        self.over = threading.Event()
        """Ends what hangs."""
        self.url = ""


class _Handler(BaseHTTPRequestHandler):
    workflow: WorkflowServer

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.workflow.requests.append(({name.lower(): value for name, value in self.headers.items()}, body))
        behavior = self.workflow.behavior
        if behavior == "hang":
            self.workflow.over.wait()
            return
        self.send_response(behavior if isinstance(behavior, int) else 302 if behavior == "redirect" else 200)
        if behavior == "redirect":
            self.send_header("Location", f"{self.workflow.url}/elsewhere")
        self.send_header("Content-Length", "1000000" if behavior == "slow body" else "0")
        self.end_headers()
        if behavior == "slow body":
            self.wfile.flush()
            self.workflow.over.wait()

    def log_message(self, format: str, *args: Any) -> None:
        """Write nothing to the tests' output."""


@contextmanager
def workflow_server(*, certificate: Path | None = None) -> Iterator[WorkflowServer]:
    """Serve until the block ends; with a certificate (and its key in the same file), over TLS."""
    workflow = WorkflowServer()
    handler = type("Handler", (_Handler,), {"workflow": workflow})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    workflow.url = f"http{'s' if certificate else ''}://127.0.0.1:{server.server_port}/webhook/planner"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield workflow
    finally:
        workflow.over.set()
        server.shutdown()
        server.server_close()


def closed_port() -> int:
    """Return a port at which nothing listens."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return int(held.getsockname()[1])
