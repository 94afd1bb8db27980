"""Jobs that write down each run in a file."""

import os
from datetime import datetime
from pathlib import Path
from time import sleep

from django.conf import settings
from django.tasks import task
from django.utils import timezone

from agents.periodic_work import PeriodicJob

PERIOD_S = 5
_POLL_S = 0.05


@task
def run(name: str) -> None:
    """Write down the beginning and the end; before the end, wait as long as a file `hold-NAME` exists."""
    write_down("began", name)
    while (Path(settings.DATA_DIR) / f"hold-{name}").exists():
        sleep(_POLL_S)
    write_down("ended", name)


def run_periodic() -> None:
    write_down("period", _latest_period(timezone.now()).isoformat())


def _latest_period(now: datetime) -> datetime:
    return now.replace(second=now.second // PERIOD_S * PERIOD_S, microsecond=0)


PERIODIC_JOB = PeriodicJob(name="counted", latest=_latest_period, do=run_periodic)


def write_down(what: str, name: str) -> None:
    with (Path(settings.DATA_DIR) / "runs").open("a") as file:
        file.write(f"{what} {name} {os.getpid()}\n")
