"""Drill: Schemathesis makes requests from `/v2/openapi.json`, good and bad ones, and holds every answer against it."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

from drills.data_folder import PreparedFolder
from drills.result import DrillResult
from drills.server import ROOT, Server

SECONDS = int(os.environ.get("DRILL_API_S", "300"))
"""How long requests are made; other drills are shorter, so this one is played only when named."""
AFTERWARDS_S = 300
"""More time that a run has to come to its end, and to make its failures smaller."""
NO_SERVICES = {"WIKIPEDIA_URL": "off", "ARXIV_URL": "off"}
"""Nothing that a made-up message asks for may leave the machine."""
COUNTS = re.compile(r"^\s*\d+ generated\b")


def run(base: PreparedFolder) -> Iterator[DrillResult]:
    folder = base.copy("api")
    with Server(folder, pace_s=0, variables=NO_SERVICES) as server:
        server.wait_until_ready()
        began = monotonic()
        output = folder / "schemathesis.log"
        code = _try_calls(_command(server.port, base.tokens[1]), output)
        seconds = monotonic() - began
        server.end()
    said = output.read_text()
    faults = [f"see {output}"] if code else []
    faults += _faults_in((folder / "server.log").read_text())
    note = "; ".join(" ".join(line.split()) for line in said.splitlines()[-25:] if COUNTS.match(line))
    yield DrillResult(
        name="api by its description", faults=tuple(faults), seconds=seconds, measured="tried for", note=note
    )


def _try_calls(command: list[str], output: Path) -> int:
    """Run Schemathesis; return its exit code."""
    with output.open("w") as log:
        return subprocess.run(
            command,
            cwd=output.parent,
            env={**os.environ, "SCHEMATHESIS_HOOKS": "drills.api_hooks", "PYTHONPATH": str(ROOT), "COLUMNS": "160"},
            stdout=log,
            stderr=subprocess.STDOUT,
            timeout=SECONDS + AFTERWARDS_S,
            check=False,
        ).returncode


def _command(port: int, token: str) -> list[str]:
    beside = Path(sys.executable).with_name("schemathesis")
    return [
        os.environ.get("SCHEMATHESIS", str(beside)),
        f"--config-file={ROOT}/drills/schemathesis.toml",
        "run",
        f"http://127.0.0.1:{port}/v2/openapi.json",
        f"--header=Authorization:Bearer {token}",
        "--checks=all",
        f"--max-time={SECONDS}",
        "--request-timeout=30",
    ]


def _faults_in(log: str) -> list[str]:
    """Return what the server itself calls an error; a refusal is none."""
    errors = [line for line in log.splitlines() if " ERROR " in line]
    return [f"{len(errors)} errors in the server's log, the first: {errors[0]}"] if errors else []
