"""`make cluster`: two web processes and Celery over PostgreSQL and Redis, on this machine, until Ctrl+C.

`python -m deploy.cluster FOLDER [PORT PORT]`: everything is kept in the folder, and is found again at the next start.
"""

import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from tests import postgres, redis

ROOT = Path(__file__).resolve().parent.parent
PORTS = (8000, 8001)
CELERY = ("-m", "celery", "-A", "learnagent")
DURABLE = postgres.SETTINGS | {"fsync": "on", "full_page_writes": "on"}
READY_WITHIN_S = 300.0
STOP_WITHIN_S = 15.0
"""More than a process takes to give back its turns."""
LOOK_EVERY_S = 0.2

type Process = subprocess.Popen[bytes]


def main(folder: Path, ports: Sequence[int] = PORTS) -> None:
    """Run the cluster until Ctrl+C, or until one of its processes ends."""
    # SIGINT too: a shell lets what it starts in the background ignore it.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)
    folder.mkdir(exist_ok=True)
    try:
        with databases(folder) as variables, processes(variables, ports) as running:
            print(f"The cluster is running. All its data is in {folder}. Press Ctrl+C to stop it.", flush=True)
            wait_for_end(running)
    except KeyboardInterrupt:
        print("The cluster has stopped.")


@contextmanager
def databases(folder: Path) -> Iterator[Mapping[str, str]]:
    """Run PostgreSQL and Redis until the block ends; give the variables that name them and the data folder."""
    with ExitStack() as stack:
        try:
            (folder / "postgresql").mkdir(exist_ok=True)
            database = postgres.Server(folder / "postgresql", settings=DURABLE)
            with suppress(postgres.CannotStart):
                database.stop()  # It may have outlived a cluster that was killed.
            database.start()
            stack.callback(database.stop)
            database.create_database()
            layer = redis.Server(folder)
            layer.start()
            stack.callback(layer.kill)
        except postgres.CannotStart as failure:
            raise SystemExit(f"PostgreSQL cannot be started: {failure}") from None
        except redis.CannotStart as failure:
            raise SystemExit(f"Redis cannot be started: {failure}") from None
        yield {"DATABASE_URL": database.url, "REDIS_URL": layer.url, "LEARNAGENT_DATA": str(folder / "data")}


@contextmanager
def processes(variables: Mapping[str, str], ports: Sequence[int]) -> Iterator[Sequence[Process]]:
    """Run a web process on each port, and Celery's worker and beat once they answer, until the block ends."""
    started: list[Process] = []
    try:
        for port in ports:
            own = {"LEARNAGENT_PORT": str(port), "PUBLIC_URL": f"http://127.0.0.1:{port}", "EMBEDDED_WORKER": "0"}
            started.append(start(variables | own, "manage.py", "serve"))
        for web, port in zip(started, ports, strict=True):
            wait_until_ready(web, port)
        started.append(start(variables, *CELERY, "worker", "--concurrency", "2"))
        started.append(start(variables, *CELERY, "beat"))
        yield started
    finally:
        for each in started:
            each.terminate()
        for each in started:
            end(each)


def start(variables: Mapping[str, str], *command: str) -> Process:
    """Start a Python program in a session of its own, which Ctrl+C does not reach: it ends before the databases."""
    return subprocess.Popen([sys.executable, *command], cwd=ROOT, env=os.environ | variables, start_new_session=True)


def end(process: Process) -> None:
    try:
        process.wait(STOP_WITHIN_S)
    except subprocess.TimeoutExpired:
        process.kill()


def wait_until_ready(web: Process, port: int) -> None:
    """Return once the process answers. Raise SystemExit if it never does."""
    until = time.monotonic() + READY_WITHIN_S
    while web.poll() is None and time.monotonic() < until:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5).close()
        except (urllib.error.URLError, OSError):
            time.sleep(LOOK_EVERY_S)
        else:
            return
    raise SystemExit(f"The web process on port {port} did not start.")


def wait_for_end(running: Sequence[Process]) -> None:
    """Wait until one of the processes ends; then raise SystemExit."""
    while not (ended := [each for each in running if each.poll() is not None]):
        time.sleep(LOOK_EVERY_S)
    raise SystemExit(f"{' '.join(ended[0].args[1:])} ended with exit code {ended[0].returncode}.")


if __name__ == "__main__":
    main(Path(sys.argv[1]).absolute(), [int(port) for port in sys.argv[2:]] or PORTS)
