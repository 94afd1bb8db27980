"""A browser or an API client of a drill: one base address, cookies with a CSRF proof, or a token."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any

import httpx2

from drills.data_folder import PreparedFolder
from drills.result import DrillResult
from drills.server import Server

ANSWER_WITHIN_S = 60.0


class Visitor:
    """Sends requests to one server; signed in by a session cookie, by a token, or not at all."""

    def __init__(self, server: Server, *, session: str = "", token: str = "", address: str = "") -> None:
        """`address`: the client address that a proxy before the server would name."""
        proof = secrets.token_hex(16)
        headers = {"X-CSRFToken": proof, "Cookie": f"csrftoken={proof}" + (f"; sessionid={session}" if session else "")}
        if token:
            headers = {"Authorization": f"Bearer {token}"}
        if address:
            headers["X-Forwarded-For"] = address
        self._headers = headers
        self._base = f"http://127.0.0.1:{server.port}"

    def get(self, path: str, **headers: str) -> httpx2.Response:
        return httpx2.get(self._base + path, headers=self._headers | headers, timeout=ANSWER_WITHIN_S)

    def post(self, path: str, fields: dict[str, str] | None = None, **more: Any) -> httpx2.Response:
        headers = self._headers | more.pop("headers", {})
        return httpx2.post(self._base + path, data=fields, headers=headers, timeout=ANSWER_WITHIN_S, **more)


@contextmanager
def served(base: PreparedFolder, name: str, **variables: str) -> Iterator[Server]:
    """Serve a copy of the prepared folder."""
    with Server(base.copy(f"trial-{name}"), pace_s=0, variables=variables) as server:
        server.wait_until_ready()
        yield server


class TrialChecks:
    """Collects what goes wrong in one line of the drill."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.faults: list[str] = []
        self.notes: list[str] = []
        self._began = monotonic()

    def expect(self, holds: bool, otherwise: str) -> None:
        if not holds:
            self.faults.append(otherwise)

    def note(self, words: str) -> None:
        self.notes.append(words)

    def result(self) -> DrillResult:
        return DrillResult(
            name=self.name,
            faults=tuple(self.faults),
            seconds=monotonic() - self._began,
            measured="played in",
            note="; ".join(self.notes),
        )
