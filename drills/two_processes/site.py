"""A site of two web processes and a worker, on PostgreSQL and Redis."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from deploy import cluster
from drills import storage_checks
from drills.client import Client
from drills.server import NO_VARIABLES, PACE_S, ROOT, Server, python_of
from drills.server import run as run_command
from drills.server_watch import Worker


@dataclass(frozen=True, slots=True, kw_only=True)
class Pupil:
    name: str
    token: str
    browser: str
    """The key of a browser's session."""


@dataclass(slots=True, kw_only=True)
class Site:
    """The site's data, and who has not taken part in anything yet."""

    data: Path
    redis_url: str
    fresh: list[Pupil]
    root: Path = ROOT
    """The checkout of the program that the processes and commands are started from."""

    def pupils(self, count: int) -> list[Pupil]:
        """Return people of whom the database knows no turn."""
        taken, self.fresh = self.fresh[:count], self.fresh[count:]
        return taken

    @property
    def variables(self) -> dict[str, str]:
        return {"REDIS_URL": self.redis_url}

    @contextmanager
    def processes(
        self, *, pace_s: float = PACE_S, variables: Mapping[str, str] = NO_VARIABLES
    ) -> Iterator[tuple[Server, Server]]:
        """Run the web processes and the worker, with more variables in their environment."""
        more = self.variables | dict(variables)
        with ExitStack() as stack:
            first, second = (
                stack.enter_context(Server(self.data, pace_s=pace_s, variables=more, root=self.root)) for _ in range(2)
            )
            stack.enter_context(Worker(self.data, variables=more, root=self.root))
            for server in (first, second):
                server.wait_until_ready()
            yield first, second

    def manage(self, *arguments: str) -> str:
        """Run a command of `manage.py`, as an admin does beside the processes; return what it printed."""
        return run_command([python_of(self.root), "manage.py", *arguments], self.data, root=self.root, **self.variables)

    def rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        return storage_checks.rows(self.data, query, *values)

    def faults(self, said: Mapping[str, Sequence[str]]) -> Iterator[str]:
        """Yield what is wrong in the database: `said` is conversation → what its learner said, in order."""
        for session, texts in said.items():
            yield from storage_checks.order_faults(self.data, said=texts, session=session)
        yield from storage_checks.turn_faults(self.data, attempts=0)


@contextmanager
def running(data: Path, *, pupils: int, root: Path = ROOT) -> Iterator[Site]:
    """Give a site with so many people, made by the checkout at `root`."""
    data.mkdir(mode=0o700)
    names = [f"pupil{number}" for number in range(pupils)]
    with TemporaryDirectory(prefix="databases-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # Where we are root, PostgreSQL runs as another user.
        with cluster.databases(folder) as addresses:
            (data / storage_checks.ADDRESS).write_text(addresses["DATABASE_URL"])
            command = [python_of(root), "-m", "drills.learners", *names]
            known = json.loads(run_command(command, data, root=root))
            people = [
                Pupil(name=name, token=token, browser=browser)
                for name, token, browser in zip(names, known["tokens"], known["browsers"], strict=True)
            ]
            yield Site(data=data, redis_url=addresses["REDIS_URL"], fresh=people, root=root)


@contextmanager
def tabs(servers: Sequence[Server], pupil: Pupil, *, session: str) -> Iterator[list[Client]]:
    """Give a person's sockets of one conversation, one on each server, that hear of each other's turns."""
    with ExitStack() as stack:
        clients = [stack.enter_context(Client(server.port, pupil.token, session=session)) for server in servers]
        for client in clients:
            client.wait_until_listening()
        yield clients
