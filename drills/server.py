"""The server of a drill: `manage.py serve` on a folder and a port of its own."""

import os
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import monotonic, sleep
from types import MappingProxyType
from typing import Any, Self

ROOT = Path(__file__).resolve().parent.parent
START_WITHIN_S = 180.0
DIE_WITHIN_S = 180.0
"""How long a process may take to its end or to the step at which it is killed: on a machine with other work, minutes."""
IDLE_CPU_S = 0.05
"""CPU seconds within a second that a server takes at most while it does nothing."""
PACE_S = 0.1
"""Seconds between two pieces of a reply, unless a drill needs it slower."""
OUTSIDE = frozenset({"DATABASE_URL", "REDIS_URL", "PUBLIC_URL"})
MODELS = ("LLM_", "ANTHROPIC_", "OPENAI_", "OLLAMA_")
"""What the variables begin with that choose a model: no drill may spend money at a real one."""
NO_VARIABLES: Mapping[str, str] = MappingProxyType({})


def environment(data: Path, **changes: str) -> dict[str, str]:
    """Return the environment of a process on this folder, undisturbed by rate limits, outside stores and models."""
    kept = {key: value for key, value in os.environ.items() if key not in OUTSIDE and not key.startswith(MODELS)}
    drill = {
        "LEARNAGENT_DATA": str(data),
        "DATABASE_URL": address.read_text() if (address := data / "postgresql").exists() else "",
        "LEARNAGENT_DRILL": "1",
        "LEARNAGENT_KILL_AT": "",
        "TURN_RATE_LIMIT": "0",
        "MULTI_AGENT_RATE_LIMIT": "0",
        "DJANGO_SETTINGS_MODULE": "drills.settings",
        "DRILL_PACE_S": str(PACE_S),
    }
    return kept | drill | changes


def python_of(root: Path) -> str:
    """Return the interpreter of a checkout of the program."""
    return sys.executable if root == ROOT else str(root / ".venv" / "bin" / "python")


def run(command: Sequence[str], data: Path, *, root: Path = ROOT, **changes: str) -> str:
    """Run a command of the checkout at `root` on the folder; return what it printed.

    `changes` are those of the environment. Raises CalledProcessError where it fails.
    """
    env = environment(data, **changes)
    return subprocess.run(
        command, env=env, cwd=root, stdout=subprocess.PIPE, text=True, check=True, timeout=START_WITHIN_S
    ).stdout


class Server:
    """A server that lives as long as its `with` block, or until its drill kills it."""

    def __init__(
        self,
        data: Path,
        *,
        kill_at: str = "",
        pace_s: float = PACE_S,
        variables: Mapping[str, str] = NO_VARIABLES,
        root: Path = ROOT,
    ) -> None:
        """`variables` are more of the environment; `root` is the checkout that serves, from the next start on."""
        self.data = data
        self.root = root
        self.changes = {"LEARNAGENT_KILL_AT": kill_at, "DRILL_PACE_S": str(pace_s)} | dict(variables)
        self.port = free_port()
        self.started_at = 0.0
        self.starting_s = 0.0
        """How long it took until it answered."""

    def __enter__(self) -> Self:
        self.start()
        return self

    def start(self) -> None:
        """Start it, again after it was killed."""
        self.started_at = monotonic()
        with (self.data / "server.log").open("a") as log:
            self.process = subprocess.Popen(
                [python_of(self.root), "manage.py", "serve"],
                env=environment(self.data, LEARNAGENT_PORT=str(self.port), **self.changes),
                cwd=self.root,
                stdout=log,
                stderr=log,
            )

    def __exit__(self, *_: Any) -> None:
        self.kill()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def wait_until_ready(self) -> None:
        """Return as soon as it answers. Raise TimeoutError if it never does."""
        while monotonic() - self.started_at < START_WITHIN_S and self.process.poll() is None:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health", timeout=5).close()
            except (urllib.error.URLError, OSError):
                sleep(0.05)
            else:
                self.starting_s = self.age_s()
                return
        raise TimeoutError(f"the server never answered; see {self.data}/server.log")

    def wait_until_idle(self) -> None:
        """Return once it has loaded its models and does nothing: for what is measured in milliseconds."""
        while monotonic() - self.started_at < START_WITHIN_S:
            before = self._cpu_s()
            sleep(1.0)
            if self._cpu_s() - before < IDLE_CPU_S:
                return

    def _cpu_s(self) -> float:
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def wait_until_killed(self) -> None:
        """Return once it has killed itself. Raise RuntimeError for any other ending."""
        if (code := self.process.wait(DIE_WITHIN_S)) != -signal.SIGKILL:
            raise RuntimeError(f"the server ended with {code}, not by its drill; see {self.data}/server.log")

    def end(self) -> float:
        """Ask it to end; return the seconds it took."""
        asked_at = monotonic()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(DIE_WITHIN_S)
        return monotonic() - asked_at

    def age_s(self) -> float:
        return monotonic() - self.started_at


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
