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

    def __init__(self, site: "Site", command: tuple[str, ...], *, limit_s: str = "") -> None:
        """`limit_s`: after how many seconds Celery ends a job; empty for its own time."""
        self._site, self._command, self._limit_s = site, command, limit_s

    def __enter__(self) -> Self:
        data = self._site.data
        with (data / "processes.log").open("a") as log:
            self.process = subprocess.Popen(
                [sys.executable, *self._command],
                env=environment(data, REDIS_URL=self._site.broker.url, DRILL_JOB_LIMIT_S=self._limit_s),
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


class Site:
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
        site = Site(data, database, broker)
        for name, scenario in SCENARIOS.items():
            yield _result(name, scenario, site)


def _result(name: str, scenario: Callable[[Site, ExitStack], Iterator[str]], site: Site) -> DrillResult:
    started = monotonic()
    with ExitStack() as stack:
        faults = []
        try:
            faults += scenario(site, stack)
        except TimeoutError as error:
            faults.append(str(error))
    (site.data / "runs").unlink(missing_ok=True)
    run_command([sys.executable, "manage.py", "shell", "--verbosity", "0", "--command", FORGET], site.data)
    return DrillResult(name=name, faults=tuple(faults), seconds=monotonic() - started, measured="took")


def redis_away(site: Site, stack: ExitStack) -> Iterator[str]:
    """Enqueue jobs while Redis is down."""
    _start(site, stack, WORKER, BEAT)
    site.hold("before")
    site.broker.kill()
    site.enqueue(*MANY)
    site.release("before")
    site.wait_for("ended", "before")
    site.broker.start()
    yield from site.faults("before", *MANY)


def redis_flushed(site: Site, stack: ExitStack) -> Iterator[str]:
    """Empty Redis while messages wait and others are with the worker."""
    _start(site, stack, WORKER, BEAT)
    for name in ("first", "second"):
        site.hold(name)
    site.enqueue(*MANY)
    with Redis.from_url(site.broker.url) as client:
        site.wait_until(lambda: client.llen(QUEUE) > 0, "messages wait")
        client.flushall()
    for name in ("first", "second"):
        site.release(name)
    yield from site.faults("first", "second", *MANY)


def process_ended(site: Site, stack: ExitStack) -> Iterator[str]:
    """End the process that runs a job, and leave the worker it belongs to."""
    _start(site, stack, WORKER, BEAT)
    for number in (signal.SIGKILL, signal.SIGTERM):
        site.hold(number.name)
        os.kill(site.process_of(number.name), number)
        site.wait_for("began", number.name, times=2)
        site.release(number.name)
        yield from site.faults(number.name, began=2)


def worker_killed(site: Site, stack: ExitStack) -> Iterator[str]:
    """Kill the worker that runs a job, while another one waits for work."""
    worker, _ = _start(site, stack, WORKER, BEAT)
    site.hold("killed")
    _start(site, stack, WORKER)
    worker.kill()
    site.wait_for("began", "killed", times=2)
    site.release("killed")
    yield from site.faults("killed", began=2)


def redis_away_and_worker_killed(site: Site, stack: ExitStack) -> Iterator[str]:
    """Lose Redis and the worker that runs a job at the same time, and enqueue more jobs meanwhile."""
    worker, _ = _start(site, stack, WORKER, BEAT)
    site.hold("running")
    site.broker.kill()
    worker.kill()
    site.enqueue(*MANY)
    site.broker.start()
    _start(site, stack, WORKER)
    site.wait_for("began", "running", times=2)
    site.release("running")
    yield from site.faults("running", began=2)
    yield from site.faults(*MANY)


def embedded_worker_killed(site: Site, stack: ExitStack) -> Iterator[str]:
    [worker] = _start(site, stack, EMBEDDED)
    site.hold("killed")
    worker.kill()
    _start(site, stack, EMBEDDED)
    site.wait_for("began", "killed", times=2)
    site.release("killed")
    yield from site.faults("killed", began=2)


def job_over_its_time(site: Site, stack: ExitStack) -> Iterator[str]:
    """Run a job that takes longer than Celery lets it."""
    stack.enter_context(Process(site, WORKER, limit_s="10"))
    _start(site, stack, BEAT)
    site.hold("long")
    site.wait_for("began", "long", times=2)
    site.release("long")
    yield from site.faults("long", began=2)


def database_restarted(site: Site, stack: ExitStack) -> Iterator[str]:
    """Crash the database while a job runs: it ends, but this cannot be stored by its connection."""
    _start(site, stack, WORKER, BEAT)
    site.hold("first")
    site.database.stop(how="immediate")
    site.database.start()
    site.release("first")
    site.wait_for("ended", "first", times=2)
    site.enqueue(*MANY)
    yield from site.faults("first", began=2, ended=2)
    yield from site.faults(*MANY)


def delivered_again(site: Site, stack: ExitStack) -> Iterator[str]:
    """Run a job for longer than Redis waits for its acknowledgement."""
    _start(site, stack, WORKER)
    site.hold("long")
    with Redis.from_url(site.broker.url) as client:
        messages = set(client.zrange(UNACKNOWLEDGED, 0, -1))
        # A worker delivers what is late again soon after it starts, and then every two minutes.
        _start(site, stack, WORKER)
        site.wait_until(lambda: not messages & set(client.zrange(UNACKNOWLEDGED, 0, -1)), "delivered again")
    site.enqueue("other")
    site.wait_for("ended", "other")
    site.release("long")
    yield from site.faults("long", "other")


def everything_twice(site: Site, stack: ExitStack) -> Iterator[str]:
    """Run two workers and two beats."""
    _start(site, stack, WORKER, WORKER, BEAT, BEAT)
    site.enqueue(*MANY)
    site.wait_until(lambda: len(site.count("period")) >= PERIODS, f"{PERIODS} periods")
    yield from site.faults(*MANY)
    yield from (f"the job of {period} ran {times} times" for period, times in site.count("period").items() if times > 1)


def worker_stopped(site: Site, stack: ExitStack) -> Iterator[str]:
    """Stop a worker in a job; the embedded worker runs what is enqueued after that."""
    [worker] = _start(site, stack, WORKER)
    site.hold("running")
    worker.terminate()
    site.enqueue("later")
    site.release("running")
    if code := worker.wait():
        yield f"the worker ended with {code}"
    if site.count("began")["later"]:
        yield "a worker that was to end began another job"
    _start(site, stack, EMBEDDED)
    yield from site.faults("running", "later")


def _start(site: Site, stack: ExitStack, *commands: tuple[str, ...]) -> list[Process]:
    return [stack.enter_context(Process(site, command)) for command in commands]


SCENARIOS = {
    "Redis away": redis_away,
    "Redis flushed": redis_flushed,
    "Redis away, worker killed": redis_away_and_worker_killed,
    "process of a worker ended": process_ended,
    "worker killed": worker_killed,
    "embedded worker killed": embedded_worker_killed,
    "job over its time": job_over_its_time,
    "database restarted": database_restarted,
    "message delivered again": delivered_again,
    "two workers, two beats": everything_twice,
    "worker stopped": worker_stopped,
}
