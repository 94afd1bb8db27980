"""Jobs run by Celery's workers and the embedded one, over PostgreSQL and Redis, while either is killed, stopped or emptied."""

import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Self

from redis import Redis

from drills import storage_checks
from drills.data_folder import PreparedFolder
from drills.result import DrillResult
from drills.server import ROOT, environment
from drills.server import run as run_command
from tests import postgres, redis

CELERY = ("-m", "celery", "-A", "drills.celery_app")
WORKER = (*CELERY, "worker", "--concurrency", "2")
BEAT = (*CELERY, "beat")
EMBEDDED = ("manage.py", "work")
MANY = [f"many-{number}" for number in range(20)]
PERIODS = 4
PATIENCE_S = 120.0
QUEUE, UNACKNOWLEDGED = "celery", "unacked_index"
"""Redis's keys for the messages that wait, and for those that a worker has."""
FORGET = "from django_tasks_db.models import DBTaskResult; DBTaskResult.objects.all().delete()"
STATUS = "SELECT status FROM django_tasks_database_dbtaskresult WHERE args_kwargs->'args'->>0 = ?"


class Process:
    """A worker or a beat that lives as long as its `with` block."""

    def __init__(self, place: "Place", command: tuple[str, ...], *, limit_s: str = "") -> None:
        """`limit_s`: after how many seconds Celery ends a job; empty for its own time."""
        self._place, self._command, self._limit_s = place, command, limit_s

    def __enter__(self) -> Self:
        data = self._place.data
        with (data / "processes.log").open("a") as log:
            self.process = subprocess.Popen(
                [sys.executable, *self._command],
                env=environment(data, REDIS_URL=self._place.broker.url, DRILL_JOB_LIMIT_S=self._limit_s),
                cwd=ROOT,
                stdout=log,
                stderr=log,
            )
        return self

    def __exit__(self, *_: Any) -> None:
        self.kill()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def terminate(self) -> None:
        self.process.send_signal(signal.SIGTERM)

    def wait(self) -> int:
        return self.process.wait(PATIENCE_S)


class Place:
    """A data folder with its database and its Redis, where each job writes down its runs."""

    def __init__(self, data: Path, database: postgres.Server, broker: redis.Server) -> None:
        self.data, self.database, self.broker = data, database, broker

    def enqueue(self, *names: str) -> None:
        code = f"from drills.counted_jobs import run; [run.enqueue(name) for name in {names}]"
        run_command([sys.executable, "manage.py", "shell", "--verbosity", "0", "--command", code], self.data)

    def hold(self, name: str) -> None:
        """Enqueue a job that does not end before it is released, and wait until it has begun."""
        (self.data / f"hold-{name}").touch()
        self.enqueue(name)
        self.wait_for("began", name)

    def release(self, name: str) -> None:
        (self.data / f"hold-{name}").unlink()

    def runs(self) -> list[tuple[str, str, int]]:
        """Return what was written down: what happened, to which job, in which process."""
        file = self.data / "runs"
        lines = file.read_text().splitlines() if file.exists() else []
        return [(what, name, int(process)) for what, name, process in map(str.split, lines)]

    def count(self, what: str) -> Counter[str]:
        """Return how often it happened to each job."""
        return Counter(name for happened, name, _process in self.runs() if happened == what)

    def process_of(self, name: str) -> int:
        return [process for what, of, process in self.runs() if (what, of) == ("began", name)][-1]

    def wait_for(self, what: str, *names: str, times: int = 1) -> None:
        self.wait_until(lambda: all(self.count(what)[name] >= times for name in names), f"{what} {' '.join(names)}")

    def wait_until(self, is_so: Callable[[], bool], what: str) -> None:
        """Raise TimeoutError where it never is."""
        ends = monotonic() + PATIENCE_S
        while not is_so():
            if monotonic() > ends:
                raise TimeoutError(f"never: {what}")
            sleep(0.05)

    def faults(self, *names: str, began: int = 1, ended: int = 1) -> Iterator[str]:
        """Yield which jobs did not begin and end so often."""
        for name in names:
            self.wait_until(lambda name=name: self._status(name) == "SUCCESSFUL", f"{name} is done")  # type: ignore[misc]
            found = (self.count("began")[name], self.count("ended")[name])
            if found != (began, ended):
                yield f"{name} began {found[0]} times and ended {found[1]} times"

    def _status(self, name: str) -> str:
        [(status,)] = storage_checks.rows(self.data, STATUS, name)
        return str(status)


def run(base: PreparedFolder) -> Iterator[DrillResult]:
    data = base.folder.parent / "jobs"
    data.mkdir(mode=0o700)
    with postgres.running() as database, ExitStack() as stack:
        database.create_database()
        (data / storage_checks.ADDRESS).write_text(database.url)
        run_command([sys.executable, "manage.py", "migrate", "--verbosity", "0"], data)
        broker = redis.Server(data)
        broker.start()
        stack.callback(lambda: broker.kill())
        place = Place(data, database, broker)
        for name, scenario in SCENARIOS.items():
            yield _result(name, scenario, place)


def _result(name: str, scenario: Callable[[Place, ExitStack], Iterator[str]], place: Place) -> DrillResult:
    started = monotonic()
    with ExitStack() as stack:
        faults = []
        try:
            faults += scenario(place, stack)
        except TimeoutError as error:
            faults.append(str(error))
    (place.data / "runs").unlink(missing_ok=True)
    run_command([sys.executable, "manage.py", "shell", "--verbosity", "0", "--command", FORGET], place.data)
    return DrillResult(name=name, faults=tuple(faults), seconds=monotonic() - started, measured="took")


def redis_away(place: Place, stack: ExitStack) -> Iterator[str]:
    """Enqueue jobs while Redis is down."""
    _start(place, stack, WORKER, BEAT)
    place.hold("before")
    place.broker.kill()
    place.enqueue(*MANY)
    place.release("before")
    place.wait_for("ended", "before")
    place.broker.start()
    yield from place.faults("before", *MANY)


def redis_flushed(place: Place, stack: ExitStack) -> Iterator[str]:
    """Empty Redis while messages wait and others are with the worker."""
    _start(place, stack, WORKER, BEAT)
    for name in ("first", "second"):
        place.hold(name)
    place.enqueue(*MANY)
    with Redis.from_url(place.broker.url) as client:
        place.wait_until(lambda: client.llen(QUEUE) > 0, "messages wait")
        client.flushall()
    for name in ("first", "second"):
        place.release(name)
    yield from place.faults("first", "second", *MANY)


def process_ended(place: Place, stack: ExitStack) -> Iterator[str]:
    """End the process that runs a job, and leave the worker it belongs to."""
    _start(place, stack, WORKER, BEAT)
    for number in (signal.SIGKILL, signal.SIGTERM):
        place.hold(number.name)
        os.kill(place.process_of(number.name), number)
        place.wait_for("began", number.name, times=2)
        place.release(number.name)
        yield from place.faults(number.name, began=2)


def worker_killed(place: Place, stack: ExitStack) -> Iterator[str]:
    """Kill the worker that runs a job, while another one waits for work."""
    worker, _ = _start(place, stack, WORKER, BEAT)
    place.hold("killed")
    _start(place, stack, WORKER)
    worker.kill()
    place.wait_for("began", "killed", times=2)
    place.release("killed")
    yield from place.faults("killed", began=2)


def embedded_worker_killed(place: Place, stack: ExitStack) -> Iterator[str]:
    [worker] = _start(place, stack, EMBEDDED)
    place.hold("killed")
    worker.kill()
    _start(place, stack, EMBEDDED)
    place.wait_for("began", "killed", times=2)
    place.release("killed")
    yield from place.faults("killed", began=2)


def job_over_its_time(place: Place, stack: ExitStack) -> Iterator[str]:
    """Run a job that takes longer than Celery lets it."""
    stack.enter_context(Process(place, WORKER, limit_s="10"))
    _start(place, stack, BEAT)
    place.hold("long")
    place.wait_for("began", "long", times=2)
    place.release("long")
    yield from place.faults("long", began=2)


def database_restarted(place: Place, stack: ExitStack) -> Iterator[str]:
    """Crash the database while a job runs: it ends, but this cannot be stored by its connection."""
    _start(place, stack, WORKER, BEAT)
    place.hold("first")
    place.database.stop(how="immediate")
    place.database.start()
    place.release("first")
    place.wait_for("ended", "first", times=2)
    place.enqueue(*MANY)
    yield from place.faults("first", began=2, ended=2)
    yield from place.faults(*MANY)


def delivered_again(place: Place, stack: ExitStack) -> Iterator[str]:
    """Run a job for longer than Redis waits for its acknowledgement."""
    _start(place, stack, WORKER)
    place.hold("long")
    with Redis.from_url(place.broker.url) as client:
        messages = set(client.zrange(UNACKNOWLEDGED, 0, -1))
        # A worker delivers what is late again soon after it starts, and then every two minutes.
        _start(place, stack, WORKER)
        place.wait_until(lambda: not messages & set(client.zrange(UNACKNOWLEDGED, 0, -1)), "delivered again")
    place.enqueue("other")
    place.wait_for("ended", "other")
    place.release("long")
    yield from place.faults("long", "other")


def everything_twice(place: Place, stack: ExitStack) -> Iterator[str]:
    """Run two workers and two beats."""
    _start(place, stack, WORKER, WORKER, BEAT, BEAT)
    place.enqueue(*MANY)
    place.wait_until(lambda: len(place.count("period")) >= PERIODS, f"{PERIODS} periods")
    yield from place.faults(*MANY)
    yield from (
        f"the job of {period} ran {times} times" for period, times in place.count("period").items() if times > 1
    )


def worker_stopped(place: Place, stack: ExitStack) -> Iterator[str]:
    """Stop a worker in a job; the embedded worker runs what is enqueued after that."""
    [worker] = _start(place, stack, WORKER)
    place.hold("running")
    worker.terminate()
    place.enqueue("later")
    place.release("running")
    if code := worker.wait():
        yield f"the worker ended with {code}"
    if place.count("began")["later"]:
        yield "a worker that was to end began another job"
    _start(place, stack, EMBEDDED)
    yield from place.faults("running", "later")


def _start(place: Place, stack: ExitStack, *commands: tuple[str, ...]) -> list[Process]:
    return [stack.enter_context(Process(place, command)) for command in commands]


SCENARIOS = {
    "Redis away": redis_away,
    "Redis flushed": redis_flushed,
    "process of a worker ended": process_ended,
    "worker killed": worker_killed,
    "embedded worker killed": embedded_worker_killed,
    "job over its time": job_over_its_time,
    "database restarted": database_restarted,
    "message delivered again": delivered_again,
    "two workers, two beats": everything_twice,
    "worker stopped": worker_stopped,
}
