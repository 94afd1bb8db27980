"""Alert writer: stores alerts from the event loop in the background, so that no stream waits for it."""

import asyncio
from contextvars import Context
from dataclasses import dataclass
from itertools import groupby

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone

from agents.event_log import get_logger
from agents.llm.wrappers.circuit_breaker import ModelTrouble
from agents.models import Alert
from agents.storage.threads import in_orm_thread

logger = get_logger(__name__)


@dataclass(frozen=True, slots=True)
class _AlertChange:
    backend: str
    model: str
    trouble: ModelTrouble | None
    """None: the model answers again."""


class AlertWriter:
    """Stores what circuit breakers report, one change after the other. Failed writes are logged and lost."""

    def __init__(self) -> None:
        self._changes: list[_AlertChange] = []
        self._writing: asyncio.Task[None] | None = None

    def raised(self, trouble: ModelTrouble, backend: str, model: str) -> None:
        self._add(_AlertChange(backend, model, trouble))

    def settled(self, backend: str, model: str) -> None:
        self._add(_AlertChange(backend, model, None))

    async def written(self) -> None:
        """Return when everything reported so far is written."""
        if self._writing is not None:
            await self._writing

    def _add(self, change: _AlertChange) -> None:
        self._changes.append(change)
        loop = asyncio.get_running_loop()
        if self._writing is None or self._writing.done() or self._writing.get_loop() is not loop:
            # Without a request's context: the write outlives the request and its ORM thread.
            self._writing = loop.create_task(self._write(), context=Context())

    async def _write(self) -> None:
        while self._changes:
            changes, self._changes = self._changes, []
            try:
                await in_orm_thread(_store_changes)(changes)
            except Exception:
                logger.exception("alerts_not_written")


alert_writer = AlertWriter()


def _store_changes(changes: list[_AlertChange]) -> None:
    for change, same in groupby(changes):
        if change.trouble is None:
            settle_alert(change.backend, change.model)
        else:
            count_alert(change.trouble, change.backend, change.model, times=len(list(same)))


def count_alert(trouble: ModelTrouble, backend: str, model: str, *, times: int = 1) -> None:
    """Add to the open alert of this kind, or open one."""
    if _add_to_open(trouble, backend, model, times):
        return
    try:
        with transaction.atomic():
            Alert.objects.create(kind=trouble, provider=backend, model=model, count=times)
    except IntegrityError:  # Another process opened it at the same moment.
        _add_to_open(trouble, backend, model, times)


def settle_alert(backend: str, model: str) -> None:
    """Close the open alerts of a model."""
    Alert.objects.filter(settled_at=None, provider=backend, model=model).update(settled_at=timezone.now())


def _add_to_open(trouble: ModelTrouble, backend: str, model: str, times: int) -> int:
    same = Alert.objects.filter(settled_at=None, kind=trouble, provider=backend, model=model)
    return same.update(count=F("count") + times, last_at=timezone.now())
