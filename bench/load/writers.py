"""T6: eight learners write while a person's data is exported and the site is backed up."""

import asyncio
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import Final

from bench.harness import ROOT, percentile
from bench.load.deployment import SHARED, SIMULATED, SQLITE, Deployment, deployed
from bench.load.learners import SIMULATED_QUESTION, Learner, Offered, learners_of, leave, say
from bench.load.measures import Figures, Stage, measured, model_first_s, turn_figures
from bench.load.sizes import SECONDS
from bench.report import Gate

WRITERS: Final = 8
WRITE_P99_MS: Final = 1000.0
LOCKED: Final = ("database is locked", "deadlock detected")


def writers() -> Stage:
    """T6: no lock keeps a message from being stored, and none waits long for it."""
    stage = Stage()
    for stores in (SQLITE, SHARED):
        name = f"T6: {WRITERS} writers, export and backup, {stores}"
        row = stage.rows[name] = asyncio.run(_written(stores))
        stage.gates.append(
            Gate(claim=f"{name}: lock errors and refusals", seen=row["locked"] + row["refused"], at_most=0)
        )
        stage.gates.append(Gate(claim=f"{name}: lost or faulty", seen=row["lost"] + row["faults"], at_most=0))
        claim = f"{name}: p99 until a message is stored, ms"
        stage.limit(
            claim, row["accepted_p99_ms"], WRITE_P99_MS, others_percent=row["others_percent"], slowness=row["slowness"]
        )
    return stage


async def _written(stores: str) -> Figures:
    with deployed(stores, SIMULATED, people=WRITERS, BENCH_PACE_S="0.001") as site:
        learners = await learners_of(site, SIMULATED)
        await asyncio.gather(*(_write(each, until=perf_counter() + 2) for each in learners))
        with measured(site) as use:
            until = perf_counter() + SECONDS
            writing = [asyncio.create_task(_write(each, until=until)) for each in learners]
            copies = await asyncio.gather(
                _repeated(site, ("export_person", "person0", "--to"), until=until),
                _repeated(site, ("backup",), until=until),
            )
            offered = [each for written in writing for each in await written]
        leave(learners)
        log = (Path(site.place.folder) / "daphne.log").read_text()
        return turn_figures(offered, use, model_first_s=model_first_s(site)) | {
            "accepted_p99_ms": percentile([each.ms(each.accepted) for each in offered], 99),
            "exports": copies[0],
            "backups": copies[1],
            "locked": sum(log.count(words) for words in LOCKED),
        }


async def _write(learner: Learner, *, until: float) -> list[Offered]:
    """Say one thing after the other."""
    said = []
    while perf_counter() < until:
        said.append(await say(learner, Offered(due=perf_counter(), text=SIMULATED_QUESTION)))
    return said


async def _repeated(site: Deployment, command: Sequence[str], *, until: float) -> int:
    """Run a command that writes a file again and again; return how often. Raises CalledProcessError if it fails."""
    times = 0
    while perf_counter() < until:
        file = Path(site.place.folder) / f"{command[0]}-{times}"
        line = [sys.executable, "manage.py", *command, str(file)]
        process = await asyncio.create_subprocess_exec(
            *line, cwd=ROOT, env=site.place.environment(), stdout=subprocess.DEVNULL
        )
        if code := await process.wait():
            raise subprocess.CalledProcessError(code, line)
        file.unlink()
        times += 1
    return times
