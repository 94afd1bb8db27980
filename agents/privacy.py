"""Personal data of each app: what it keeps and why, how to export it, how to erase it.

An app declares it in a module `personal`: `TITLE`, its name; `PARTS`, the tables in an export; `LEFT_OUT`, tables
that no export holds, and why; `STAYS`, tables whose rows outlive the person as anonymous figures, and why;
`erase(person)`, for what the database does not delete with the person's row; and `files(person)`, if people give
it files. Export and erasure go through every app's module (`apps_to_read()`, `apps_to_erase()`).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol, cast

from django.apps import apps
from django.db import models
from django.utils.functional import Promise

from agents.people import AudienceMember

ROWS_AT_ONCE = 500
"""Rows read by one query. Long reads would keep SQLite's write-ahead log from being emptied."""


class DataSubject(AudienceMember, Protocol):
    """The person whose data it is."""

    @property
    def pk(self) -> int: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalTable:
    """One kind of row kept about a person, as exported."""

    name: str
    """Name of its files in the export; unique on the site."""
    title: str | Promise
    why: str | Promise
    """Why it is kept, in one sentence for the person."""
    of: Callable[[DataSubject], "models.QuerySet[Any]"]
    fields: Sequence[str]
    """Lookups from a row, in the order of the columns."""
    of_staff: bool = False
    """Whether only teachers and admins can have such rows."""

    def rows(self, person: DataSubject) -> Iterator[list[dict[str, Any]]]:
        """Yield the person's rows in batches, each from a short query of its own."""
        found = self.of(person)
        keys = list(found.values_list("pk", flat=True))
        for start in range(0, len(keys), ROWS_AT_ONCE):
            portion = keys[start : start + ROWS_AT_ONCE]
            by_key = {row["pk"]: row for row in found.filter(pk__in=portion).order_by().values("pk", *self.fields)}
            # Rows deleted in the meantime are missing.
            yield [{name: by_key[key][name] for name in self.fields} for key in portion if key in by_key]


def rows_owned_by(
    model: type[models.Model], by: str, *, order: Sequence[str] = ("pk",)
) -> Callable[[DataSubject], "models.QuerySet[Any]"]:
    """Return a function that selects a person's rows of a model by this lookup, including rows that pages hide."""
    return lambda person: model._base_manager.filter(**{by: person.pk}).order_by(*order)


class PersonalDataApp(Protocol):
    """An app's module `personal`."""

    TITLE: str | Promise
    PARTS: Sequence[PersonalTable]
    LEFT_OUT: Mapping[type[models.Model], str | Promise]
    STAYS: Mapping[type[models.Model], str | Promise]

    def files(self, person: DataSubject) -> "Iterator[tuple[str, Iterable[bytes]]]":
        """Yield the person's files, each as its path in the export and its pieces. Optional."""

    def erase(self, person: DataSubject) -> None:
        """Erase or anonymize what would outlive the person's row."""


def apps_to_erase() -> list[PersonalDataApp]:
    """Return every app's declaration in the order of erasure: an app before those it depends on."""
    names = [f"{config.name}.personal" for config in reversed(list(apps.get_app_configs()))]
    return [cast("PersonalDataApp", import_module(name)) for name in names if find_spec(name) is not None]


def apps_to_read() -> list[PersonalDataApp]:
    """Return the apps in reading order: the account first, the running of the site last."""
    ordered = apps_to_erase()
    return ordered[-1:] + ordered[:-1]


def personal_tables() -> list[PersonalTable]:
    """Return all tables of an export, in reading order."""
    return [part for room in apps_to_read() for part in room.PARTS]


def files_of(person: DataSubject) -> "Iterator[tuple[str, Iterable[bytes]]]":
    """Yield every file the person gave, as in the export."""
    for room in apps_to_read():
        if hasattr(room, "files"):
            yield from room.files(person)


def delete_in_portions(rows: "models.QuerySet[Any]", *, size: int = 50) -> None:
    """Delete rows and their dependents a few at a time, so that no other writer waits long."""
    while keys := list(rows.order_by().values_list("pk", flat=True)[:size]):
        rows.model._base_manager.filter(pk__in=keys).delete()
