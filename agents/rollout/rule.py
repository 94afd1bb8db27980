"""Rollout rule: who gets a feature (nobody, named people, a stable share, or all). A pure function of values."""

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from hashlib import sha256
from typing import Literal

from agents.people import AudienceMember

BUCKETS = 10_000
"""A bucket is a hundredth of a percent, the smallest step of a percentage."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RolloutRule:
    """The rule of a flag. Percentages run from 0 to 100 with two decimals."""

    salt: str
    percent: Decimal
    killed: bool = False
    """Overrides everything else."""
    allowed: frozenset[str] = frozenset()
    """Usernames and class codes that always have the feature; `person:ada` and `class:4b` avoid ambiguity."""
    never: Mapping[str, date | None] = field(default_factory=dict)
    """Usernames and class codes that never have it → the day from which that is over. Without the entries that have ended."""
    class_percents: Mapping[str, Decimal] = field(default_factory=dict)
    """Lower-case class code → percentage of that class. The highest of a person's classes and the common one counts."""
    mode: str = ""
    """What the flag chooses besides on and off; empty for most flags."""
    class_entries: Mapping[str, str] = field(init=False)
    """Lower-case class code → the entry of `allowed` that may name the class."""
    never_class_entries: Mapping[str, str] = field(init=False)
    """The same of `never`."""

    def __post_init__(self) -> None:
        # Once for each rule: a list of a thousand entries is too long to go through at each check.
        object.__setattr__(self, "class_entries", _class_entries(self.allowed))
        object.__setattr__(self, "never_class_entries", _class_entries(self.never))


type Reason = Literal["killed", "never person", "never class", "person", "class", "share"]
"""What decides about a person: the kill switch, their name or a class of theirs on the list of those who never have the
feature, the same on the list of those who always have it, or their place in the order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inclusion:
    """Whether a rule includes a person, and why."""

    is_in: bool
    reason: Reason
    entry: str = ""
    """The entry of the list that names the person or class."""
    until: date | None = None
    """The day from which an entry of `never` no longer counts, if it has one."""
    place: Decimal = Decimal(0)
    """The person's fixed place in the order of this flag, 0 to 99.99: they are in as soon as the share is above it."""
    percent: Decimal = Decimal(0)
    """The share that counts for them."""


def bucket_of(salt: str, username: str) -> int:
    """Return a person's fixed bucket, 0 to 9,999, under this salt."""
    return int.from_bytes(sha256(f"{salt}:{username}".encode()).digest()) % BUCKETS


def is_included(rule: RolloutRule, person: AudienceMember) -> bool:
    """Return whether the rule includes this person.

    0 includes nobody and 100 everybody who is not on the list `never`; the same person always gets the same answer;
    raising a percentage never removes anyone. `person.audiences` is read only if the rule names somebody or a class.
    """
    if rule.killed:
        return False
    if rule.never and _never_entry(rule, person):
        return False
    if rule.allowed and _allowed_entry(rule, person):
        return True
    return bucket_of(rule.salt, person.username) < _percent_for(rule, person) * 100


def explain(rule: RolloutRule, person: AudienceMember) -> Inclusion:
    """Return what `is_included` does, with the reason."""
    is_in = is_included(rule, person)
    if rule.killed:
        return Inclusion(is_in=is_in, reason="killed")
    if entry := _never_entry(rule, person):
        reason: Reason = "never person" if _is_name(entry, person) else "never class"
        return Inclusion(is_in=is_in, reason=reason, entry=entry, until=rule.never[entry])
    if entry := _allowed_entry(rule, person):
        return Inclusion(is_in=is_in, reason="person" if _is_name(entry, person) else "class", entry=entry)
    place = Decimal(bucket_of(rule.salt, person.username)) / 100
    return Inclusion(is_in=is_in, reason="share", place=place, percent=_percent_for(rule, person))


def find_overlap(allowed: Iterable[str], never: Iterable[str]) -> list[tuple[str, str]]:
    """Return the entries of both lists that may name the same person or class, as pairs."""
    by_subject = {subject: entry for entry in allowed for subject in _subjects(entry)}
    pairs = ((by_subject[subject], entry) for entry in never for subject in _subjects(entry) if subject in by_subject)
    return list(dict.fromkeys(pairs))


def _subjects(entry: str) -> list[tuple[str, str]]:
    """Return the person and the class that an entry may name."""
    person = [] if entry.lower().startswith("class:") else [("person", entry.removeprefix("person:"))]
    return person if entry.startswith("person:") else [*person, ("class", _code(entry))]


def _class_entries(names: Iterable[str]) -> dict[str, str]:
    # Usernames are case-sensitive, class codes are not.
    return {_code(name): name for name in names if not name.startswith("person:")}


def _never_entry(rule: RolloutRule, person: AudienceMember) -> str:
    return _entry_for(person, rule.never, rule.never_class_entries)


def _allowed_entry(rule: RolloutRule, person: AudienceMember) -> str:
    return _entry_for(person, rule.allowed, rule.class_entries)


def _entry_for(person: AudienceMember, names: Container[str], class_entries: Mapping[str, str]) -> str:
    """Return the entry of a list that names the person or a class of theirs; empty if there is none."""
    for name in (person.username, f"person:{person.username}"):
        if name in names:
            return name
    if not class_entries:
        return ""
    return next((class_entries[code] for each in person.audiences if (code := _code(each)) in class_entries), "")


def _is_name(entry: str, person: AudienceMember) -> bool:
    return entry in (person.username, f"person:{person.username}")


def _percent_for(rule: RolloutRule, person: AudienceMember) -> Decimal:
    if not rule.class_percents:
        return rule.percent
    return max(
        [rule.percent, *(rule.class_percents.get(_code(audience), rule.percent) for audience in person.audiences)]
    )


def _code(audience: str) -> str:
    return audience.lower().removeprefix("class:")
