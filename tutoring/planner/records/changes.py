"""Changes of planner rows, each recorded so that it can be undone, and made once for one use of a tool."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime
from typing import Any, Final

from django.db import models, transaction
from django.utils import timezone

from agents.people import Person
from tutoring.models import CalendarEvent, Meal, Note, PlannerChange, Task, Workspace
from tutoring.models.planner import NOTES_MAX_LENGTH
from tutoring.planner.records.limits import MOST_ROWS

MODELS: Final[dict[str, type[Any]]] = {"task": Task, "event": CalendarEvent, "meal": Meal, "note": Note}
NAMES: Final = {model: name for name, model in MODELS.items()}


class TooManyRows(Exception):
    """The workspace has reached the limit for rows of this kind."""


class ChangeRecorder:
    """Collects what one action changes. `change_rows` stores it as a PlannerChange."""

    def __init__(self, person: Person, workspace: Workspace, use_key: str) -> None:
        self.person = person
        self.workspace = workspace
        self.use_key = use_key
        self.words = ""
        """What was done, as the person is told."""
        self.rows: list[dict[str, Any]] = []
        self.change_id = ""
        """The stored change; empty until it is stored, or if nothing changed."""

    def make[T: models.Model](self, model: type[T], **fields: Any) -> T:
        """Store a row. Raises TooManyRows."""
        manager: Any = model._default_manager
        if manager.inside(self.workspace).count() >= MOST_ROWS:
            raise TooManyRows
        row: T = manager.create(owner_id=self.person.pk, workspace=self.workspace, use_key=self.use_key, **fields)
        self.rows.append({"model": NAMES[model], "id": row.pk, "before": None, "after": None})
        return row

    def update(self, row: Any, **fields: Any) -> None:
        """Change a row that was read for update."""
        before = {name: encode(row, name) for name in fields}
        for name, value in fields.items():
            setattr(row, name, value)
        after = {name: encode(row, name) for name in fields}
        changed = {name for name in fields if before[name] != after[name]}
        if not changed:
            return
        row.save(update_fields=[*changed, "updated_at"])
        self.rows.append(
            {
                "model": NAMES[type(row)],
                "id": row.pk,
                "before": {name: before[name] for name in changed},
                "after": {name: after[name] for name in changed},
            }
        )

    def remove(self, row: Any) -> None:
        self.update(row, removed_at=timezone.now())


@contextmanager
def change_rows(person: Person, workspace: Workspace, *, use_key: str = "") -> Iterator[ChangeRecorder]:
    """Run an action in one transaction, and store what it changed with the recorder's words."""
    recorder = ChangeRecorder(person, workspace, use_key)
    with transaction.atomic():
        yield recorder
        if recorder.rows:
            stored = PlannerChange.objects.create(
                owner_id=person.pk,
                workspace=workspace,
                words=recorder.words[:NOTES_MAX_LENGTH],
                rows=recorder.rows,
                use_key=use_key,
            )
            recorder.change_id = str(stored.pk)


def change_of_use(person: Person, use_key: str) -> PlannerChange | None:
    """Return what this use of a tool has changed already: its turn runs again. None without a key, or if nothing."""
    if not use_key:
        return None
    return PlannerChange.objects.filter(owner_id=person.pk, use_key=use_key).order_by("made_at").first()


def note_undo(person: Person, workspace: Workspace, *, words: str, use_key: str) -> None:
    """Store that a use of a tool has undone something, so that it does so once. It is no change to undo itself."""
    if use_key:
        PlannerChange.objects.create(
            owner_id=person.pk,
            workspace=workspace,
            words=words[:NOTES_MAX_LENGTH],
            rows=[],
            use_key=use_key,
            undone_at=timezone.now(),
        )


def row_of_change(change: PlannerChange) -> Any:
    """Return the first row of a change; None if it is gone."""
    if not change.rows:
        return None
    first = change.rows[0]
    return MODELS[first["model"]]._default_manager.filter(pk=first["id"], owner_id=change.owner_id).first()


def latest_change(person: Person, workspace: Workspace) -> PlannerChange | None:
    """Return the latest change that was not undone."""
    kept = PlannerChange.objects.filter(owner_id=person.pk, workspace=workspace, undone_at=None)
    return kept.order_by("-made_at").first()


def undo_change(person: Person, workspace: Workspace, change_id: str = "") -> PlannerChange | None:
    """Undo a change, the latest one without an id; return it, None if there is nothing to undo.

    A field that was changed again since keeps its value. Undoing twice does nothing.
    """
    with transaction.atomic():
        rows = PlannerChange.objects.select_for_update().filter(owner_id=person.pk, workspace=workspace)
        if change_id:
            change = rows.filter(pk=change_id).first() if _is_uuid(change_id) else None
        else:
            change = rows.filter(undone_at=None).order_by("-made_at").first()
        if change is None:
            return None
        if change.undone_at is None:
            for each in reversed(change.rows):
                _put_back(person, each)
            change.undone_at = timezone.now()
            change.save(update_fields=["undone_at"])
    return change


def undo_turns(owner_id: int, turn_ids: list[uuid.UUID]) -> None:
    """Undo what the tools of these turns changed, the latest first; the caller has the transaction."""
    keys = models.Q()
    for each in turn_ids:
        keys |= models.Q(use_key__startswith=f"{each}:")
    made = PlannerChange.objects.filter(keys, owner_id=owner_id, undone_at=None) if turn_ids else ()
    for change in sorted(made, key=lambda each: each.made_at, reverse=True):
        undo_change(change.owner, change.workspace, str(change.pk))


def _put_back(person: Person, recorded: dict[str, Any]) -> None:
    model = MODELS[recorded["model"]]
    row = model._default_manager.select_for_update().filter(pk=recorded["id"], owner_id=person.pk).first()
    if row is None:
        return
    if recorded["before"] is None:
        row.removed_at = row.removed_at or timezone.now()
        row.save(update_fields=["removed_at", "updated_at"])
        return
    same = [name for name, value in recorded["after"].items() if encode(row, name) == value]
    for name in same:
        setattr(row, _attribute(model, name), decode(model, name, recorded["before"][name]))
    if same:
        row.save(update_fields=[*same, "updated_at"])


def _attribute(model: type[models.Model], name: str) -> str:
    """Return the attribute that holds a field's own value: the key of a row that it refers to."""
    field: Any = model._meta.get_field(name)
    return str(field.attname)


def encode(row: models.Model, name: str) -> Any:
    """Return a field's value as JSON data."""
    value = getattr(row, _attribute(type(row), name))
    return value.isoformat() if isinstance(value, date | datetime) else value


def decode(model: type[models.Model], name: str, value: Any) -> Any:
    """Return a field's value from JSON data."""
    field: Any = model._meta.get_field(name)
    return (
        value if value is None else field.target_field.to_python(value) if field.is_relation else field.to_python(value)
    )


def _is_uuid(text: str) -> bool:
    try:
        uuid.UUID(text)
    except ValueError:
        return False
    return True
