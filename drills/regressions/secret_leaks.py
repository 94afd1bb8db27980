"""Rows of the trial: who may read the data folder, what stands in it in clear text, and what the log tells."""

import stat
from collections.abc import Callable
from pathlib import Path

import httpx2

from drills import storage_checks
from drills.data_folder import PreparedFolder
from drills.regressions.visitor import TrialChecks, Visitor, served
from drills.result import DrillResult

OTHERS = stat.S_IRWXG | stat.S_IRWXO
SECRET = "canary0123456789abcdefcanary"


def data_folder(base: PreparedFolder) -> DrillResult:
    """The data folder and its files are its owner's alone."""
    row = TrialChecks("data folder readable by its owner only")
    with served(base, "files") as server:
        Visitor(server, token=base.tokens[0]).post(
            "/v2/attachments", files={"file": ("note.txt", b"One half is one of two equal parts.")}
        )
        for path in (server.data, *server.data.rglob("*")):
            # The drill's own log.
            if path.name != "server.log" and path.stat().st_mode & OTHERS:
                row.faults.append(f"{path.relative_to(server.data)} is {stat.filemode(path.stat().st_mode)}")
    return row.result()


def session_keys(base: PreparedFolder) -> DrillResult:
    """No session cookie stands in the database as it is, and each still signs in."""
    row = TrialChecks("session keys stored hashed")
    with served(base, "sessions") as server:
        status = Visitor(server, session=base.browsers[0]).get("/accounts/profile/").status_code
        row.expect(status == 200, f"the cookie signs nobody in ({status})")
        storage_checks.empty_log(server.data)
        for path in _files(server.data):
            held = path.read_bytes()
            row.expect(not any(cookie.encode() in held for cookie in base.browsers), f"a cookie is in {path.name}")
    return row.result()


def log_lines(base: PreparedFolder) -> DrillResult:
    """Links that sign in, tokens in addresses and the names people give their sessions are in no log line."""
    row = TrialChecks("no secrets in the log")
    with served(base, "log", LOG_LEVEL="DEBUG") as server:
        address = f"http://127.0.0.1:{server.port}"
        for path in (f"/accounts/link/{SECRET}/", f"/accounts/reset/{SECRET}/", f"/c/{SECRET}/rename/"):
            # Without a CSRF cookie, with one, and with a method that is not allowed.
            httpx2.post(address + path, data={})
            Visitor(server).post(path, {"password": "x"})
            httpx2.delete(address + path)
            httpx2.get(address + path)
        visitor = Visitor(server, token=base.tokens[0])
        for path in (f"/v2/sessions/{SECRET}/turns", f"/ws/{SECRET}?token={SECRET}"):
            visitor.get(path)
        for path in _files(server.data):
            # Nothing that was sent here is worth keeping, so that any place is one too many.
            row.expect(SECRET.encode() not in path.read_bytes(), f"a secret is in {path.name}")
    return row.result()


ROWS: tuple[Callable[[PreparedFolder], DrillResult], ...] = (data_folder, session_keys, log_lines)


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]
