"""A server watched from outside: how much it grows, and how long its event loop lets a ping wait; and workers beside it."""

import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Self

from websockets.sync.client import connect

from drills.server import NO_VARIABLES, ROOT, Server, environment, python_of

PING_EVERY_S = 0.02
GIVEN_UP_S = 60.0


class ServerWatch:
    """Pings a socket of the server's as long as the `with` block lasts; no thread or database stands behind the answer."""

    def __init__(self, server: Server, token: str) -> None:
        self._status = Path(f"/proc/{server.process.pid}/status")
        self._address = f"ws://127.0.0.1:{server.port}/v2/ws/watched"
        self._token = token

    def __enter__(self) -> Self:
        # In a process of its own: beside a drill's own threads it would measure how long these hold each other up.
        self._pings = subprocess.Popen(
            [sys.executable, "-m", "drills.server_watch", self._address, self._token],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.begin()
        threading.Thread(target=self._listen, daemon=True).start()
        return self

    def __exit__(self, *_: Any) -> None:
        self._pings.kill()
        self._pings.wait()

    def begin(self) -> None:
        """Take what it is now as the beginning: it is warm."""
        self._began, self._before_mb, self.stalled_s = monotonic(), self._resident_mb(), 0.0

    @property
    def seconds(self) -> float:
        return monotonic() - self._began

    @property
    def grown_mb(self) -> float:
        return self._resident_mb() - self._before_mb

    def told(self) -> str:
        return f"server {self.grown_mb:+.0f} MB, loop stalled {self.stalled_s * 1000:.0f} ms at most"

    def _listen(self) -> None:
        assert self._pings.stdout
        for line in self._pings.stdout:
            self.stalled_s = max(self.stalled_s, float(line))

    def _resident_mb(self) -> float:
        lines = self._status.read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


class Worker:
    """A worker that lives as long as its `with` block."""

    def __init__(self, data: Path, *, variables: Mapping[str, str] = NO_VARIABLES, root: Path = ROOT) -> None:
        """`variables` are more of the environment; `root` is the checkout that works."""
        self.data = data
        self.root = root
        self.variables = variables

    def __enter__(self) -> Self:
        with (self.data / "worker.log").open("a") as log:
            self.process = subprocess.Popen(
                [python_of(self.root), "manage.py", "work"],
                env=environment(self.data, **self.variables),
                cwd=self.root,
                stdout=log,
                stderr=log,
            )
        return self

    def __exit__(self, *_: Any) -> None:
        self.process.kill()
        self.process.wait()


def main(address: str, token: str) -> None:
    """Ping for ever; print how long each answer took, in seconds."""
    with connect(address, additional_headers={"Authorization": f"Bearer {token}"}) as socket:
        while True:
            sleep(PING_EVERY_S)
            started = monotonic()
            answered = socket.ping().wait(GIVEN_UP_S)
            print(monotonic() - started if answered else GIVEN_UP_S, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
