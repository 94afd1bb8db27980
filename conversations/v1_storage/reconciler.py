"""Repairs divergence: stores in each storage what it lacks, a hundred exchanges at a time."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import models, transaction
from django.db.models.functions import Now

from agents.event_log import get_logger
from conversations.models import Capture, Message, StorageTask, Turn
from conversations.v1_storage.captures import problem_name, write_captures
from conversations.v1_storage.divergence import DIFFERENT, WITHOUT_CAPTURE, rows
from conversations.v1_storage.modes import writes_captures
from conversations.v1_storage.turn_rows import write_turns

logger = get_logger(__name__)

AT_ONCE = 100
"""Exchanges repaired in one transaction."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Repairs:
    """What a run of the reconciler did, in exchanges."""

    repaired: int
    failed: int
    """Each has a StorageTask, and is tried again in the next run."""


def reconcile(*, at_most: int | None = None) -> Repairs:
    """Repair what differs between the storages, at most so many exchanges; safe to repeat and to interrupt.

    What one storage lacks is copied from the other. Where texts differ, an imported exchange is as v1's file has it,
    and any other as v2's storage has it.
    """
    repaired = failed = 0
    for portion, repair in _portions():
        if at_most is not None and repaired + failed >= at_most:
            break
        problems = _repair(portion, repair)
        repaired += len(portion) - len(problems)
        failed += len(problems)
    if repaired or failed:
        logger.info("storages_reconciled", repaired=repaired, failed=failed)
    return Repairs(repaired=repaired, failed=failed)


def reconcile_storages() -> None:
    """Run `reconcile`, as a periodic job."""
    reconcile()


Repair = Callable[[Sequence[Any]], None]


def _portions() -> Iterator[tuple[Sequence[Any], Repair]]:
    yield from ((portion, _add_turns) for portion in _captures_without_turn())
    if writes_captures():
        yield from ((portion, write_captures) for portion in _turns_without_capture())
    yield from ((portion, _equalize) for portion in _different_captures())


def _captures_without_turn() -> Iterator[Sequence[Capture]]:
    last = 0
    found = Capture.objects.filter(turn=None).exclude(owner=None).order_by("pk")
    while portion := list(found.filter(pk__gt=last)[:AT_ONCE]):
        last = portion[-1].pk
        yield portion


def _turns_without_capture() -> Iterator[Sequence[Turn]]:
    # In the order in which they were begun, so that captures lie as v1 would have stored them.
    keys = [key for (key,) in rows(f"SELECT turn.id {WITHOUT_CAPTURE} ORDER BY turn.created_at, turn.number")]
    for start in range(0, len(keys), AT_ONCE):
        portion = Turn.objects.filter(pk__in=keys[start : start + AT_ONCE]).order_by("created_at", "number")
        if found := list(portion.select_related("session", "owner")):
            yield found


def _different_captures() -> Iterator[Sequence[Capture]]:
    last = 0
    after = f"SELECT captures.id {DIFFERENT} AND captures.id > %s ORDER BY captures.id LIMIT %s"
    while keys := [key for (key,) in rows(after, last, AT_ONCE)]:
        last = keys[-1]
        yield list(Capture.objects.filter(pk__in=keys).select_related("turn__session", "turn__owner").order_by("pk"))


def _repair(portion: Sequence[Any], repair: Repair) -> list[Any]:
    """Repair these together, or each alone if that fails; return those that failed, each with its task stored."""
    if _try(portion, repair) is None:
        return []
    failed = []
    for each in portion:
        if (error := _try([each], repair)) is not None:
            failed.append(each)
            _note_failure(each, error)
    return failed


def _try(portion: Sequence[Any], repair: Repair) -> Exception | None:
    try:
        with transaction.atomic():
            repair(portion)
    except Exception as error:
        return error
    return None


def _note_failure(each: Turn | Capture, error: Exception) -> None:
    logger.error("exchange_not_repaired", storage=type(each).__name__, exchange=each.pk, exc_info=error)
    name = "turn" if isinstance(each, Turn) else "capture"
    task, is_new = StorageTask.objects.get_or_create(**{name: each}, defaults={"problem": problem_name(error)})
    if not is_new:
        again: dict[str, Any] = {"attempts": models.F("attempts") + 1, "tried_at": Now()}
        StorageTask.objects.filter(pk=task.pk).update(problem=problem_name(error), **again)


def _add_turns(captures: Sequence[Capture]) -> None:
    # Another process may have stored some of them meanwhile.
    keys = [each.pk for each in captures]
    held = list(Capture.objects.select_for_update().filter(pk__in=keys, turn=None).exclude(owner=None).order_by("pk"))
    write_turns(held)
    Capture.objects.bulk_update(held, ["turn"])
    StorageTask.objects.filter(capture__in=held).delete()


def _equalize(captures: Sequence[Capture]) -> None:
    for capture in captures:
        turn = capture.turn
        assert turn is not None
        stored = {each.author: each for each in Message.objects.filter(turn=turn)}
        wanted = {Message.Author.LEARNER: capture.user_text, Message.Author.TEAM: _reply(capture)}
        is_stale = False
        for author, text in wanted.items():
            message = stored.get(author)
            if message is None or (capture.origin and message.text != text) or not message.text:
                _set_text(turn, author, text, message)
            else:
                is_stale |= message.text != text
        if is_stale:
            # Written here and different: the turn's messages are what the learner saw.
            # By key: the object must stay as it is if this portion fails and each is tried alone.
            Capture.objects.filter(pk=capture.pk).delete()
            write_captures([turn])
    StorageTask.objects.filter(capture__in=[each.pk for each in captures]).delete()


def _reply(capture: Capture) -> str:
    return capture.agent_text if capture.reply is None else capture.reply


def _set_text(turn: Turn, author: str, text: str, message: Message | None) -> None:
    if message is not None:
        Message.objects.filter(pk=message.pk).update(text=text)
    elif text or author == Message.Author.TEAM:
        Message.objects.create(session=turn.session, turn=turn, author=author, text=text)
