"""When the latest backup was made, for those who look after the site."""

from datetime import datetime, timedelta

from agents.models import PeriodicWork
from agents.storage.availability import best_effort

NAME = "backup"
OLD_AFTER = timedelta(days=2)
"""A backup is made every night."""


def record_backup(made_at: datetime) -> None:
    """Store the time of the latest backup; without it if the database accepts no writes, which the backup outlives."""
    with best_effort("backup_record"):
        PeriodicWork.objects.update_or_create(name=NAME, defaults={"done_for": made_at})


def latest_backup() -> datetime | None:
    """Return when the latest backup was made; None before the first."""
    return PeriodicWork.objects.filter(name=NAME).values_list("done_for", flat=True).first()
