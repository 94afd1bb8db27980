"""`make cluster`, as a person runs it: both web processes answer, one shows what the other says, and Ctrl+C ends all."""

import json
import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep

from drills.client import Client, ClientTranscript
from drills.data_folder import SPOKEN, PreparedFolder
from drills.result import DrillResult
from drills.server import ROOT, environment, free_port
from drills.server import run as run_command

STARTED = "The cluster is running."
HEALTHY_WITHIN_S, LOOK_EVERY_S = 60.0, 0.5
STOP_WITHIN_S = 60.0


def run(prepared: PreparedFolder) -> Iterator[DrillResult]:
    with TemporaryDirectory(prefix="cluster-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # Where we are root, PostgreSQL runs as another user.
        yield cluster_started(folder, name="cluster started")
        yield cluster_started(folder, name="cluster started on its old data")


def cluster_started(folder: Path, *, name: str) -> DrillResult:
    """Start it, send a message to one web process, watch it on the other, and stop it."""
    started, ports = monotonic(), [free_port(), free_port()]
    command = [sys.executable, "-m", "deploy.cluster", str(folder), *map(str, ports)]
    with subprocess.Popen(
        command, cwd=ROOT, env=environment(folder / "data"), stdout=subprocess.PIPE, text=True
    ) as cluster:
        assert cluster.stdout
        is_running = any(line.startswith(STARTED) for line in cluster.stdout)
        starting_s = monotonic() - started
        faults = _faults(folder, ports) if is_running else ["it did not start"]
        cluster.send_signal(signal.SIGINT)
        cluster.communicate(timeout=STOP_WITHIN_S)
    if cluster.returncode:
        faults.append(f"it ended with {cluster.returncode}")
    if (folder / "postgresql" / "data" / "postmaster.pid").exists():
        faults.append("PostgreSQL runs on")
    return DrillResult(
        name=name, faults=tuple(faults), seconds=monotonic() - started, starting_s=starting_s, measured="took"
    )


def _faults(folder: Path, ports: list[int]) -> list[str]:
    database = f"postgresql://postgres:@/learnagent?host={folder / 'postgresql'}"
    (folder / "data" / "postgresql").write_text(database)
    token = run_command([sys.executable, "manage.py", "create_token", "ben"], folder / "data").strip()
    faults = [f"port {port}: {health}" for port in ports if (health := _health(port))]
    here, there = (Client(port, token, session=folder.name) for port in ports)
    with here, there:
        there.wait_until_listening()
        client_id = os.urandom(4).hex()
        said, seen = (ClientTranscript(text=SPOKEN, client_id=client_id) for _ in range(2))
        here.say(said)
        here.read(said)
        there.read(seen)
    if (said.seq, said.reply) != (seen.seq, seen.reply):
        faults.append(f"{said.seq} events here, {seen.seq} there")
    return faults + said.faults + seen.faults


def _health(port: int) -> str:
    """Return what stays wrong by `/health`, empty if nothing does; a worker starts after the web processes."""
    ends = monotonic() + HEALTHY_WITHIN_S
    while (wrong := _unhealthy(port)) and monotonic() < ends:
        sleep(LOOK_EVERY_S)
    return wrong


def _unhealthy(port: int) -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5) as answer:
        body = json.load(answer)
    checks = body["checks"]
    is_whole = checks["web_processes"] == 2 and checks["redis"] == "ok"
    return "" if body["status"] == "healthy" and is_whole else json.dumps(checks)
