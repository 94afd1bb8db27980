"""Changes of flags that are planned for later: made on time, cancelled, or reported if they no longer fit."""

from datetime import datetime
from decimal import Decimal
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from agents.event_log import get_logger
from agents.models import Flag, PlannedChange
from agents.rollout.flags import FlagConflict, change_flag, get_or_make_flag

logger = get_logger(__name__)

MOST_WAITING: Final = 50
"""Planned changes of one flag: more are a mistake."""
WHY_NOT_LENGTH: Final = 300
Status = PlannedChange.Status


@transaction.atomic
def plan_change(name: str, *, due_at: datetime, by: Any, percent: Decimal, version: int | None = None) -> PlannedChange:
    """Plan a new percentage. Raises as `change_flag` does, and ValidationError for a time that is over."""
    flag = get_or_make_flag(name)
    if version is not None and version != flag.version:
        raise FlagConflict(name)
    if due_at <= timezone.now():
        raise ValidationError({"due_at": _("Choose a time in the future.")})
    flag.percent = percent
    flag.full_clean()
    if flag.planned_changes.filter(status=Status.WAITING).count() >= MOST_WAITING:
        raise ValidationError(_("Too many changes are planned for this flag. Cancel one first."))
    return PlannedChange.objects.create(flag=flag, due_at=due_at, percent=percent, version=flag.version, by=by)


def cancel_planned_change(pk: int, *, flag: Flag, by: Any) -> bool:
    """Cancel a planned change of this flag; False if there is none that is still waiting."""
    waiting = PlannedChange.objects.filter(pk=pk, flag=flag, status=Status.WAITING)
    return waiting.update(status=Status.CANCELLED, cancelled_by=by, ended_at=timezone.now()) > 0


def make_due_changes() -> None:
    """Make the changes whose time has come, the oldest first. The worker calls this every half minute.

    A change is not made if somebody changed the flag after it was planned, or if a guard refuses it: its status says so.
    """
    due = PlannedChange.objects.filter(status=Status.WAITING, due_at__lte=timezone.now())
    for planned in due.select_related("flag", "by"):
        _make(planned)


def _make(planned: PlannedChange) -> None:
    try:
        with transaction.atomic():
            # Whoever sets the status makes the change: another worker finds nothing to set.
            if not _end(planned, Status.DONE):
                return
            planned.refresh_from_db(fields=["version"])
            changed = change_flag(planned.flag.name, by=planned.by, version=planned.version, percent=planned.percent)
            _rebase_others(planned, version=changed.version)
    except FlagConflict:
        _end(planned, Status.CONFLICT)
    except ValidationError as error:
        _end(planned, Status.REFUSED, why_not=" ".join(error.messages)[:WHY_NOT_LENGTH])
    logger.info("planned_change_ended", change=planned.pk, flag=planned.flag.name)


def _end(planned: PlannedChange, status: str, *, why_not: str = "") -> bool:
    waiting = PlannedChange.objects.filter(pk=planned.pk, status=Status.WAITING)
    return waiting.update(status=status, why_not=why_not, ended_at=timezone.now()) > 0


def _rebase_others(planned: PlannedChange, *, version: int) -> None:
    """Let the flag's later planned changes follow this one: a plan of several steps is no conflict with itself."""
    others = PlannedChange.objects.filter(flag=planned.flag, status=Status.WAITING, version=planned.version)
    others.update(version=F("version") + (version - planned.version))
