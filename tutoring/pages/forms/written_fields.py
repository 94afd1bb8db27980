"""The fields of the forms in which courses are written. They take whatever is typed: a draft may be wrong."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from django.http import QueryDict

from tutoring.course_writing.draft_files import clean_text

type Kind = Literal["text", "area", "code", "select", "check", "radio", "hidden"]


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenField:
    """One field, with what is said about its value. `short` ones stand beside each other."""

    name: str
    label: str
    value: str = ""
    kind: Kind = "text"
    help: str = ""
    rows: int = 3
    options: tuple[tuple[str, str], ...] = ()
    is_short: bool = False
    faults: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldGroup:
    """Fields that belong together; a `folded` group is opened by those who need it. One with a name can have faults."""

    name: str = ""
    title: str = ""
    help: str = ""
    fields: tuple[WrittenField, ...] = field(default_factory=tuple)
    is_folded: bool = False
    faults: tuple[str, ...] = ()

    @property
    def is_open(self) -> bool:
        """Whether a folded group has something to show."""
        return any(each.value or each.faults for each in self.fields)


def with_faults(groups: Iterable[FieldGroup], faults: Iterable[tuple[str, str]]) -> tuple[FieldGroup, ...]:
    """Return the groups with each fault, a pair of field and reason, at its field or group."""
    found: dict[str, list[str]] = {}
    for name, reason in faults:
        found.setdefault(name, []).append(reason)
    return tuple(
        replace(
            group,
            faults=tuple(found.get(group.name, ())) if group.name else (),
            fields=tuple(replace(each, faults=tuple(found.get(each.name, ()))) for each in group.fields),
        )
        for group in groups
    )


def other_faults(groups: Iterable[FieldGroup], faults: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Return the reasons of faults that belong to none of the fields."""
    names = {name for group in groups for name in (group.name, *(each.name for each in group.fields)) if name}
    return tuple(dict.fromkeys(reason for name, reason in faults if name not in names))


def typed_values(data: QueryDict) -> dict[str, str]:
    """Return what was typed, as files can hold it."""
    return {name: clean_text(data.get(name, "")) for name in data if name not in ("csrfmiddlewaretoken", "base")}


def chosen(data: QueryDict, name: str) -> list[str]:
    return [clean_text(each) for each in data.getlist(name)]


def options_of(pairs: Mapping[str, object]) -> tuple[tuple[str, str], ...]:
    return tuple((value, str(label)) for value, label in pairs.items())
