"""Sends records to the store in batches, tries again if it cannot be reached, and keeps those that it refuses."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from asgiref.sync import async_to_sync
from django.tasks import task
from django.utils import timezone

from agents.event_log import get_logger
from tutoring.models import LearningRecord
from tutoring.xapi.recording import allowed_records, is_set_up

logger = get_logger(__name__)

BATCH: Final = 50
BATCHES: Final = 20
"""The most batches that one run sends; the rest waits for the next."""
FIRST_PAUSE, LONGEST_PAUSE = timedelta(minutes=1), timedelta(hours=6)
GIVE_UP_AFTER: Final = timedelta(days=7)
HELD_FOR: Final = timedelta(minutes=10)
"""How long a run has its batch to itself; if the worker died with it, another run takes it then."""
KEPT_FOR: Final = timedelta(days=30)
"""How long sent and refused records are kept here."""
ANSWER_LENGTH: Final = 200
REFUSED: Final = frozenset({400, 409, 413, 422})
"""What a store answers if something is wrong with what was sent; for anything else it is tried again."""


def send_due_records(*, at: datetime | None = None) -> None:
    """Forget what is no longer needed or agreed to, and order a run if records are due."""
    at = at or timezone.now()
    waiting = LearningRecord.objects.filter(status=LearningRecord.Status.WAITING)
    waiting.exclude(pk__in=allowed_records().values("pk")).delete()
    ended = LearningRecord.objects.exclude(status=LearningRecord.Status.WAITING)
    ended.filter(created_at__lt=at - KEPT_FOR).delete()
    if is_set_up() and waiting.filter(next_at__lte=at).exists():
        send_records.enqueue()


@task
def send_records() -> None:
    """Send what is due, batch by batch, until nothing is left or the store cannot take more."""
    for _number in range(BATCHES):
        if not send_batch(at=timezone.now()):
            return


def send_batch(*, at: datetime) -> bool:
    """Send one batch; return whether it makes sense to send another now."""
    batch = _claimed(at)
    if not batch or not is_set_up():
        return False
    status, says = _post(batch)
    if 200 <= status < 300:
        _note_sent(batch, says, at=at)
        return True
    if status not in REFUSED:
        _try_again(batch, says, at=at)
        return False
    # A store takes all of a batch or nothing: each on its own shows which one it refuses.
    return all(_send_alone(record, at=at) for record in batch)


def pause_after(tries: int) -> timedelta:
    """Return how long to wait after so many attempts: a minute, then twice as long each time, at most six hours."""
    return min(FIRST_PAUSE * (1 << min(tries - 1, 10)), LONGEST_PAUSE)


def _claimed(at: datetime) -> list[LearningRecord]:
    """Return the oldest due records, which no other run sends for a while."""
    due = allowed_records().filter(status=LearningRecord.Status.WAITING, next_at__lte=at).order_by("next_at", "pk")
    until = at + HELD_FOR
    claimed = []
    for record in due[:BATCH]:
        if LearningRecord.objects.filter(pk=record.pk, next_at=record.next_at).update(next_at=until):
            claimed.append(record)
    return claimed


def _send_alone(record: LearningRecord, *, at: datetime) -> bool:
    """Send one record; return whether the store could be asked."""
    status, says = _post([record])
    if 200 <= status < 300:
        _note_sent([record], says, at=at)
    elif status in REFUSED:
        _give_up(record, says)
    else:
        _try_again([record], says, at=at)
        return False
    return True


def _post(batch: Sequence[LearningRecord]) -> tuple[int, str]:
    # The HTTP library takes long to load, and a start must not wait for it.
    from tutoring.xapi.store import post_statements

    return async_to_sync(post_statements)([record.statement for record in batch])


def _note_sent(batch: Sequence[LearningRecord], says: str, *, at: datetime) -> None:
    sent = LearningRecord.objects.filter(pk__in=[record.pk for record in batch])
    sent.update(status=LearningRecord.Status.SENT, answer=says[:ANSWER_LENGTH], sent_at=at)


def _try_again(batch: Sequence[LearningRecord], says: str, *, at: datetime) -> None:
    for record in batch:
        record.tries += 1
        record.next_at, record.answer = at + pause_after(record.tries), says[:ANSWER_LENGTH]
        if record.next_at > record.created_at + GIVE_UP_AFTER:
            record.status = LearningRecord.Status.GIVEN_UP
    LearningRecord.objects.bulk_update(batch, ["tries", "next_at", "answer", "status"])


def _give_up(record: LearningRecord, says: str) -> None:
    fields = {"status": LearningRecord.Status.GIVEN_UP, "answer": says[:ANSWER_LENGTH], "tries": record.tries + 1}
    LearningRecord.objects.filter(pk=record.pk).update(**fields)
    logger.warning("learning_record_refused", record=record.pk, answer=says[:ANSWER_LENGTH])
