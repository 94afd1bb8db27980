"""`make audit`, asked of a stand-in for osv.dev, which no test can reach."""

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from learnagent.configuration.environment import ROOT

VULNERABILITY = {
    "id": "PYSEC-0000-1",
    "modified": "2026-01-01T00:00:00Z",
    "summary": "Made up.",
    "affected": [{"package": {"ecosystem": "PyPI", "name": "django"}}],
}


@contextmanager
def advisories(*vulnerable: str) -> Iterator[tuple[str, list[str]]]:
    """Serve a made-up vulnerability of the named packages; yield the address, and the names that are asked about."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            queries = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["queries"]
            names = [query["package"]["name"] for query in queries]
            asked.extend(names)
            found = {"vulns": [{name: VULNERABILITY[name] for name in ("id", "modified")}]}
            self._answer({"results": [found if name in vulnerable else {} for name in names]})

        def do_GET(self) -> None:
            self._answer(VULNERABILITY)

        def _answer(self, body: object) -> None:
            content = json.dumps(body).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *args: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", asked
        server.shutdown()


def audit(url: str) -> subprocess.CompletedProcess[str]:
    command = ["make", "--silent", "audit", f"AUDIT_URL={url}"]
    at_once = os.environ | {"UV_HTTP_RETRIES": "0"}
    return subprocess.run(command, cwd=ROOT, env=at_once, capture_output=True, text=True, check=False, timeout=60)


def test_what_is_shipped_is_asked_about_and_what_only_tests_need_is_not() -> None:
    with advisories() as (url, asked):
        audited = audit(url)
    assert audited.returncode == 0, audited.stderr
    assert {"django", "cryptography", "rapidocr"} <= {*asked}
    assert "pytest" not in asked


def test_vulnerability_is_named_and_fails() -> None:
    with advisories("django") as (url, _asked):
        audited = audit(url)
    assert audited.returncode != 0
    assert "PYSEC-0000-1" in audited.stdout


def test_source_that_is_not_reached_fails() -> None:
    """Nothing was checked, so nothing may seem to be well."""
    with advisories() as (url, _asked):
        pass
    audited = audit(url)
    assert audited.returncode != 0
    assert url in audited.stderr
