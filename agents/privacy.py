"""What rooms keep of a person: each says what and why, hands out a copy of it, and erases it.

A room declares it in a module `personal`: `TITLE`, what it is called; `PARTS`, what a copy holds; `LEFT_OUT`, tables that no copy holds, and why;
`STAYS`, tables whose rows outlive their person as figures of nobody, and why; `erase(person)`, for what does not go by
itself with the person's row; and, where people give it files, `files(person)`. Whoever makes copies and erases walks over all rooms (`rooms()`).
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
"""Rows read by one query: a reader that takes long keeps the write-ahead log from being emptied."""


class DataSubject(AudienceMember, Protocol):
    """Whose data it is."""

    @property
    def pk(self) -> int: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalTable:
    """One kind of row that is kept of a person, as a copy holds it."""

    name: str
    """Of its files in the copy, and unique in the place."""
    title: str | Promise
    why: str | Promise
    """What it is kept for, in a sentence for the person."""
    of: Callable[[DataSubject], "models.QuerySet[Any]"]
    fields: Sequence[str]
    """Lookups from a row, in the order of the columns."""
    of_staff: bool = False
    """Whether only who teaches here or runs the place can have any."""

    def rows(self, person: DataSubject) -> Iterator[list[dict[str, Any]]]:
        """Yield the person's rows in portions, each read by a short query of its own."""
        found = self.of(person)
        keys = list(found.values_list("pk", flat=True))
        for start in range(0, len(keys), ROWS_AT_ONCE):
            portion = keys[start : start + ROWS_AT_ONCE]
            by_key = {row["pk"]: row for row in found.filter(pk__in=portion).order_by().values("pk", *self.fields)}
            # What was deleted meanwhile is missing.
            yield [{name: by_key[key][name] for name in self.fields} for key in portion if key in by_key]


def rows_owned_by(
    model: type[models.Model], by: str, *, order: Sequence[str] = ("pk",)
) -> Callable[[DataSubject], "models.QuerySet[Any]"]:
    """Return what gives a person's rows of a model, those that pages hide included, by the lookup that leads to them."""
    return lambda person: model._base_manager.filter(**{by: person.pk}).order_by(*order)


class PersonalDataApp(Protocol):
    """A room's module `personal`."""

    TITLE: str | Promise
    PARTS: Sequence[PersonalTable]
    LEFT_OUT: Mapping[type[models.Model], str | Promise]
    STAYS: Mapping[type[models.Model], str | Promise]

    def files(self, person: DataSubject) -> "Iterator[tuple[str, Iterable[bytes]]]":
        """Yield the files that the person gave, each by its path in a copy and in pieces. Left out by a room without any."""

    def erase(self, person: DataSubject) -> None:
        """Erase, or make nobody's, what would outlive the person's row. Called first of the rooms that know most."""


def apps_to_erase() -> list[PersonalDataApp]:
    """Return every room's declaration, those that know most first: what they erase, others may stand below."""
    names = [f"{config.name}.personal" for config in reversed(list(apps.get_app_configs()))]
    return [cast("PersonalDataApp", import_module(name)) for name in names if find_spec(name) is not None]


def apps_to_read() -> list[PersonalDataApp]:
    """Return the rooms as somebody reads of them: the account itself first, what it takes to run the place last."""
    ordered = apps_to_erase()
    return ordered[-1:] + ordered[:-1]


def personal_tables() -> list[PersonalTable]:
    """Return all that a copy holds, in the order of a reader."""
    return [part for room in apps_to_read() for part in room.PARTS]


def files_of(person: DataSubject) -> "Iterator[tuple[str, Iterable[bytes]]]":
    """Yield every file that the person gave, as it stands in a copy."""
    for room in apps_to_read():
        if hasattr(room, "files"):
            yield from room.files(person)


def delete_in_portions(rows: "models.QuerySet[Any]", *, size: int = 50) -> None:
    """Delete rows, and what hangs on them, a few at a time: nobody else waits long to write."""
    while keys := list(rows.order_by().values_list("pk", flat=True)[:size]):
        rows.model._base_manager.filter(pk__in=keys).delete()
