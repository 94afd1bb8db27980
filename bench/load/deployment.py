"""A site as it is deployed: one web process on SQLite, or one and more on PostgreSQL and Redis, with or without models."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import Any, Final

import redis as redis_client

from bench.live_server.server import Place, Served, prepared_place, run_in_place, served
from bench.load.lesson_models import GAP_S, LessonModels, lesson_models
from bench.machine_load import family_cpu_s, process_cpu_s
from drills import storage_checks
from tests import postgres, redis

SQLITE, SHARED = "SQLite", "PostgreSQL and Redis"
SIMULATED, LESSONS = "machinery", "lessons"
"""Who answers: the simulated team, which has no models, or the tutor in lessons, with models."""
FILL: Final = "from bench.load.deployment import fill; fill()"
WRITTEN: Final = "SELECT COALESCE(SUM(n_tup_ins), 0), COALESCE(SUM(n_tup_upd), 0) FROM pg_stat_user_tables"
DURABLE: Final = postgres.SETTINGS | {"fsync": "on", "full_page_writes": "on"}
"""As an operator runs PostgreSQL; tests run it faster."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deployment:
    place: Place
    servers: Sequence[Served]
    models: LessonModels | None = None
    database: postgres.Server | None = None
    layer: redis.Server | None = None

    def cpu_s(self) -> dict[str, float]:
        """Return the CPU time that each part has used so far, in seconds; this process is the `generator`."""
        parts = {"web": sum(server.cpu_s() for server in self.servers), "generator": process_time()}
        if self.models:
            parts["models"] = process_cpu_s(self.models.process.pid)
        if self.database:
            parts["database"] = family_cpu_s(int((self.database.data / "postmaster.pid").read_text().split()[0]))
        if self.layer:
            parts["redis"] = process_cpu_s(self.layer.process.pid)
        return parts

    def memory_mb(self) -> float:
        """Return the memory that the web processes hold, in MB."""
        return sum(server.memory_mb() for server in self.servers)

    def rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """Return what the database says."""
        return storage_checks.rows(Path(self.place.folder), query, *values)

    def writes(self) -> Mapping[str, float]:
        """Return the rows inserted and updated and the bytes logged so far, and the size of the database in bytes."""
        if self.database is None:
            return {"size": self.rows("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")[0][0]}
        inserted, updated = self.rows(WRITTEN)[0]
        logged, size = self.rows("SELECT pg_current_wal_lsn() - '0/0', pg_database_size(current_database())")[0]
        return {"inserted": int(inserted), "updated": int(updated), "logged": int(logged), "size": int(size)}

    def redis_commands(self) -> int:
        """Return the commands that Redis has processed so far."""
        assert self.layer
        with redis_client.Redis.from_url(self.layer.url) as client:
            return int(client.info("stats")["total_commands_processed"])


@contextmanager
def deployed(
    stores: str, team: str, *, people: int, processes: int = 1, gap_s: float = GAP_S, fault_percent: float = 0.0,
    **environment: str,
) -> Iterator[Deployment]:  # fmt: skip
    """Serve a site until the block ends. `stores`: SQLITE or SHARED; `team`: SIMULATED or LESSONS."""
    with ExitStack() as stack:
        database = layer = models = None
        variables = {}
        if stores == SHARED:
            database = stack.enter_context(postgres.running(settings=DURABLE))
            database.create_database()
            variables = database.variables
        settings = "learnagent.settings" if team == LESSONS else "bench.live_server.settings"
        place = stack.enter_context(prepared_place(people=people, settings=settings, variables=variables))
        if database:
            (Path(place.folder) / storage_checks.ADDRESS).write_text(database.url)
            layer = redis.Server(Path(place.folder))
            layer.start()
            stack.callback(layer.kill)
            environment["REDIS_URL"] = layer.url
        if team == LESSONS:
            run_in_place(place, FILL)
            models = stack.enter_context(lesson_models(gap_s=gap_s, fault_percent=fault_percent))
            environment |= models.environment()
        servers = [stack.enter_context(served(place, by="daphne", **environment)) for _ in range(processes)]
        yield Deployment(place=place, servers=servers, models=models, database=database, layer=layer)


def fill() -> None:
    """Fill this process's data folder: courses, and people who let models answer and have budgets, so that costs count."""
    from django.core.management import call_command

    from agents.usage.budgets import set_budget
    from drills.learners import BUDGET_USD
    from learnagent.accounts.models import Person

    call_command("load_courses", trials=1, verbosity=0)
    set_budget("site", usd_per_day=BUDGET_USD)
    for person in Person.objects.all():
        person.set_consent(True)
        person.save()
        set_budget(f"person:{person.username}", usd_per_day=BUDGET_USD)
