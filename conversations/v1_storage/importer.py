"""Imports a v1 file: a hundred rows per transaction, from where the last run stopped."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from django.db import DatabaseError, transaction
from django.utils import timezone

from agents.storage.raw_sql import insert_rows
from conversations.models import Capture, StorageTask, V1Import, V1RowProblem
from conversations.models.v1_storage import DETAIL_MAX_LENGTH
from conversations.v1_storage.captures import problem_name
from conversations.v1_storage.owners import SessionOwners
from conversations.v1_storage.row_cleaning import NEIGHBOURS, CleanRow, clean_row
from conversations.v1_storage.turn_rows import write_turns
from conversations.v1_storage.v1_file import FileSummary, V1File

AT_ONCE = 100
"""Rows per transaction."""
Progress = Callable[[V1Import], None]


class OtherOwner(Exception):
    """The file was imported for somebody else before."""


@dataclass(slots=True)
class _Sorted:
    """A portion's rows by what is done with them."""

    new: list[Capture] = field(default_factory=list)
    adopted: list[Capture] = field(default_factory=list)
    """Orphans of an earlier import whose owner is known now."""
    already_there: int = 0
    rejected: int = 0


def nothing(run: V1Import) -> None:
    """Report no progress."""


def import_file(file: V1File, summary: FileSummary, owners: SessionOwners, *, progress: Progress = nothing) -> V1Import:
    """Import what is left of the file's rows; return its import. Running it again changes nothing.

    Orphans whose owner the mapping names now are given to that owner. Each portion of rows, its captures, turns and
    problems, and the import's progress are one transaction. Raises OtherOwner, and UnusableFile where the file cannot
    be read on; what was imported before that stays.
    """
    run = _begin(file.path, summary, owners)
    cleaned = partial(
        clean_row,
        encoding=file.encoding,
        timestamps_around=partial(file.timestamps_around, at_most=NEIGHBOURS),
    )
    while rows := file.portion(after=run.last_row, upto=summary.last_row, at_most=AT_ONCE):
        portion = [cleaned(row, is_duplicate=row.row in summary.duplicates) for row in rows]
        run = _import_portion(run, portion, owners)
        progress(run)
    if run.finished_at is None:
        V1Import.objects.filter(pk=run.pk).update(finished_at=timezone.now(), updated_at=timezone.now())
        run.refresh_from_db()
    _adopt_named_orphans(run, owners)
    return run


def _begin(path: Path, summary: FileSummary, owners: SessionOwners) -> V1Import:
    run, _ = V1Import.objects.get_or_create(
        digest=summary.digest,
        defaults={
            "name": path.name[:DETAIL_MAX_LENGTH],
            "owner": owners.everybody,
            "total": summary.total,
        },
    )
    if run.owner is not None and run.owner != owners.everybody:
        raise OtherOwner(run.owner.get_username())
    return run


def _import_portion(run: V1Import, portion: Sequence[CleanRow], owners: SessionOwners) -> V1Import:
    with transaction.atomic():
        held = V1Import.objects.select_for_update().get(pk=run.pk)
        if held.last_row != run.last_row:
            # Another process imports the same file: go on where it is.
            return held
        done = _sort(held, portion, owners)
        _store_new(done.new)
        _store_adopted(done.adopted)
        _store_problems(held, portion, owners)
        orphaned = sum(each.owner_id is None for each in done.new)
        held.last_row = portion[-1].row
        held.handled += len(portion)
        held.imported += len(done.new) - orphaned + len(done.adopted)
        held.orphaned += orphaned
        held.already_there += done.already_there
        held.rejected += done.rejected
        held.save()
    return held


def _sort(run: V1Import, portion: Sequence[CleanRow], owners: SessionOwners) -> _Sorted:
    found: dict[str, list[Capture]] = {}
    for capture in Capture.objects.filter(origin__in=[each.origin for each in portion]):
        found.setdefault(capture.origin, []).append(capture)
    done = _Sorted()
    for each in portion:
        if each.is_rejected:
            done.rejected += 1
            continue
        owner = owners.owner_key(each.session_id)
        known = {capture.owner_id: capture for capture in found.get(each.origin, ())}
        if owner in known or (owner is None and known):
            done.already_there += 1
        elif None in known:
            known[None].owner_id = owner
            done.adopted.append(known[None])
        else:
            done.new.append(_capture(run, each, owner))
    return done


def _capture(run: V1Import, row: CleanRow, owner: int | None) -> Capture:
    return Capture(
        owner_id=owner,
        session_id=row.session_id,
        timestamp=row.timestamp,
        user_text=row.user_text,
        agent_text=row.agent_text,
        metadata=row.metadata,
        origin=row.origin,
        source=run,
    )


def _store_new(captures: Sequence[Capture]) -> None:
    owned = [each for each in captures if each.owner_id is not None]
    problem = _write_turns(owned)
    names = [
        "owner_id", "session_id", "timestamp", "user_text", "agent_text", "metadata", "origin", "source_id", "turn_id",
    ]  # fmt: skip
    insert_rows(Capture, [{name: getattr(each, name) for name in names} for each in captures])
    if problem:
        _store_tasks(owned, problem)


def _store_adopted(captures: Sequence[Capture]) -> None:
    problem = _write_turns(captures)
    Capture.objects.bulk_update(captures, ["owner", "turn"])
    for session_id, owner in {(each.session_id, each.owner_id) for each in captures}:
        # What their rows had wrong is exported and erased with the owner's data too.
        V1RowProblem.objects.filter(session_id=session_id, owner=None).update(owner=owner)
    if problem:
        _store_tasks(captures, problem)


def _write_turns(captures: Sequence[Capture]) -> str:
    """Store the captures in v2's storage; return the error's name if that fails: the reconciler tries it again."""
    if not captures:
        return ""
    try:
        with transaction.atomic():
            write_turns(captures)
    except DatabaseError as error:
        for each in captures:
            each.turn_id = None
        return problem_name(error)
    return ""


def _store_tasks(captures: Sequence[Capture], problem: str) -> None:
    rows = Capture.objects.filter(origin__in=[each.origin for each in captures], turn=None).exclude(owner=None)
    StorageTask.objects.bulk_create(
        [StorageTask(capture=each, problem=problem) for each in rows], ignore_conflicts=True
    )


def _store_problems(run: V1Import, portion: Sequence[CleanRow], owners: SessionOwners) -> None:
    rows: list[dict[str, Any]] = [
        {
            "source_id": run.pk,
            "owner_id": owners.owner_key(each.session_id),
            "row": each.row,
            "v1_id": each.v1_id,
            "session_id": each.session_id,
            "reason": str(problem.reason),
            "is_rejected": each.is_rejected,
            "detail": problem.detail,
            "raw": each.raw,
        }
        for each in portion
        for problem in {one.reason: one for one in each.problems}.values()
    ]
    insert_rows(V1RowProblem, rows, unless_there=True)


def _adopt_named_orphans(run: V1Import, owners: SessionOwners) -> None:
    """Give this file's orphans to the owners that the mapping names by now."""
    orphans = Capture.objects.filter(source=run, owner=None)
    sessions = orphans.order_by().values_list("session_id", flat=True).distinct()
    for session_id in list(sessions):
        if (owner := owners.owner_key(session_id)) is not None:
            adopt_orphans(session_id, owner=owner)


def adopt_orphans(session_id: str, *, owner: int) -> int:
    """Give the orphans of a v1 session to a person, a hundred per transaction; return how many there were.

    One that the person already has, from another import, is deleted.
    """
    adopted = 0
    while True:
        with transaction.atomic():
            rows = Capture.objects.select_for_update().filter(session_id=session_id, owner=None).order_by("pk")
            if not (portion := list(rows[:AT_ONCE])):
                return adopted
            origins = [each.origin for each in portion]
            twice = set(Capture.objects.filter(owner=owner, origin__in=origins).values_list("origin", flat=True))
            Capture.objects.filter(pk__in=[each.pk for each in portion if each.origin in twice]).delete()
            kept = [each for each in portion if each.origin not in twice]
            for each in kept:
                each.owner_id = owner
            _store_adopted(kept)
            adopted += len(portion)
