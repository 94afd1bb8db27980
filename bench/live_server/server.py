"""Starts the real server, Daphne as `serve` starts it or uvicorn, on a data folder of its own."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic, sleep
from types import MappingProxyType

from bench.machine_load import process_cpu_s

ROOT = Path(__file__).resolve().parent.parent.parent
PATIENCE_S = 60.0
"""When a server that should answer is given up."""
SERVERS = ("daphne", "uvicorn")
NO_VARIABLES: Mapping[str, str] = MappingProxyType({})
DAPHNE = """
import django
django.setup()
from learnagent.management.commands.serve import Command
Command().serve()
"""
UVICORN = (
    "--log-level",
    "error",
    "--ws",
    "websockets-sansio",
    "--ws-max-size",
    str(1 << 20),
    "--ws-per-message-deflate",
    "0",
    "--no-proxy-headers",
)
PREPARED = """
import sys
from django.core.management import call_command
from learnagent.accounts.models import Person
from learnagent.accounts.authentication.api_tokens import make_token
from drills.learners import signed_in
call_command("migrate", verbosity=0)
people = [Person.objects.create_user(username=f"person{{number}}") for number in range(int({people}))]
for sign in (make_token, signed_in):
    print(*map(sign, people), sep="\\n")
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A data folder with people in it."""

    folder: str
    settings: str
    tokens: Sequence[str]
    """One of each person's."""
    browsers: Sequence[str] = ()
    """The key of a browser's session of each person."""
    variables: Mapping[str, str] = NO_VARIABLES
    """More of the environment: a database and a channel layer outside the folder."""

    def environment(self, **changes: str) -> dict[str, str]:
        own = {"LEARNAGENT_DATA": self.folder, "DJANGO_SETTINGS_MODULE": self.settings}
        kept = {name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "REDIS_URL"}}
        return kept | own | dict(self.variables) | changes


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """A server that answers."""

    address: str
    process: subprocess.Popen[bytes]

    def memory_mb(self) -> float:
        """Return the memory that the server holds, in MB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024

    def open_files(self) -> int:
        """Return how many files and sockets the server holds open."""
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def cpu_s(self) -> float:
        """Return the CPU time that the server has used, all its threads, in seconds."""
        return process_cpu_s(self.process.pid)


@contextmanager
def prepared_place(
    *,
    people: int,
    settings: str = "bench.live_server.settings",
    empty: Path | None = None,
    variables: Mapping[str, str] = NO_VARIABLES,
) -> Iterator[Place]:
    """Make a data folder with this many people; it goes with the block. `empty`: a database with its tables made."""
    with tempfile.TemporaryDirectory(prefix="served-") as folder:
        if empty:
            shutil.copy(empty, folder)
        bare = Place(folder=folder, settings=settings, tokens=(), variables=variables)
        made = run_in_place(bare, PREPARED.format(people=people))
        signed = made.split()[-2 * people :]
        yield replace(bare, tokens=signed[:people], browsers=signed[people:])


def run_in_place(place: Place, program: str) -> str:
    """Run a program with the place's models at hand; return what it printed. Raises CalledProcessError if it fails."""
    command = [sys.executable, "manage.py", "shell", "-v0", "-c", program]
    return subprocess.run(
        command, cwd=ROOT, env=place.environment(), check=True, stdout=subprocess.PIPE, text=True
    ).stdout


@contextmanager
def served(place: Place, *, by: str, **environment: str) -> Iterator[Served]:
    """Serve the place by Daphne or uvicorn until the block ends."""
    port = free_port()
    command = (
        [sys.executable, "-c", DAPHNE]
        if by == "daphne"
        else [sys.executable, "-m", "uvicorn", "learnagent.asgi:application", "--port", str(port), *UVICORN]
    )
    environment = place.environment(LEARNAGENT_PORT=str(port), **environment)
    log = Path(place.folder) / f"{by}.log"
    with log.open("ab") as out, subprocess.Popen(command, cwd=ROOT, env=environment, stdout=out, stderr=out) as process:
        try:
            _wait_until_ready(process, f"127.0.0.1:{port}")
            yield Served(address=f"127.0.0.1:{port}", process=process)
        finally:
            process.kill()


def _wait_until_ready(process: subprocess.Popen[bytes], address: str) -> None:
    until = monotonic() + PATIENCE_S
    while monotonic() < until and process.poll() is None:
        try:
            urllib.request.urlopen(f"http://{address}/health", timeout=5).close()
        except (urllib.error.URLError, OSError):
            sleep(0.05)
        else:
            return
    raise TimeoutError("the server never answered")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
