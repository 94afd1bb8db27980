"""Rollout rule: who gets a feature (nobody, named people, a stable share, or all). A pure function of values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
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
    class_percents: Mapping[str, Decimal] = field(default_factory=dict)
    """Lower-case class code → percentage of that class. The highest of a person's classes and the common one counts."""
    mode: str = ""
    """What the flag chooses besides on and off; empty for most flags."""
    class_entries: Mapping[str, str] = field(init=False)
    """Lower-case class code → the entry of `allowed` that may name the class."""

    def __post_init__(self) -> None:
        # Once for each rule: a list of a thousand entries is too long to go through at each check.
        # Usernames are case-sensitive, class codes are not.
        entries = {_code(name): name for name in self.allowed if not name.startswith("person:")}
        object.__setattr__(self, "class_entries", entries)


type Reason = Literal["killed", "person", "class", "share"]
"""What decides about a person: the kill switch, their name, a class of theirs on the list, or their place in the order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inclusion:
    """Whether a rule includes a person, and why."""

    is_in: bool
    reason: Reason
    entry: str = ""
    """The entry of the list that names the person or class."""
    place: Decimal = Decimal(0)
    """The person's fixed place in the order of this flag, 0 to 99.99: they are in as soon as the share is above it."""
    percent: Decimal = Decimal(0)
    """The share that counts for them."""


def bucket_of(salt: str, username: str) -> int:
    """Return a person's fixed bucket, 0 to 9,999, under this salt."""
    return int.from_bytes(sha256(f"{salt}:{username}".encode()).digest()) % BUCKETS


def is_included(rule: RolloutRule, person: AudienceMember) -> bool:
    """Return whether the rule includes this person.

    0 includes nobody and 100 everybody; the same person always gets the same answer; raising a percentage
    never removes anyone. `person.audiences` is read only if the rule names somebody or a class.
    """
    if rule.killed:
        return False
    if rule.allowed and _entry_for(rule, person):
        return True
    return bucket_of(rule.salt, person.username) < _percent_for(rule, person) * 100


def explain(rule: RolloutRule, person: AudienceMember) -> Inclusion:
    """Return what `is_included` does, with the reason."""
    is_in = is_included(rule, person)
    if rule.killed:
        return Inclusion(is_in=is_in, reason="killed")
    if entry := _entry_for(rule, person):
        by_name = entry in (person.username, f"person:{person.username}")
        return Inclusion(is_in=is_in, reason="person" if by_name else "class", entry=entry)
    place = Decimal(bucket_of(rule.salt, person.username)) / 100
    return Inclusion(is_in=is_in, reason="share", place=place, percent=_percent_for(rule, person))


def _entry_for(rule: RolloutRule, person: AudienceMember) -> str:
    """Return the entry of the list that names the person or a class of theirs; empty if there is none."""
    for name in (person.username, f"person:{person.username}"):
        if name in rule.allowed:
            return name
    entries = rule.class_entries
    return next((entries[code] for each in person.audiences if (code := _code(each)) in entries), "") if entries else ""


def _percent_for(rule: RolloutRule, person: AudienceMember) -> Decimal:
    if not rule.class_percents:
        return rule.percent
    return max(
        [rule.percent, *(rule.class_percents.get(_code(audience), rule.percent) for audience in person.audiences)]
    )


def _code(audience: str) -> str:
    return audience.lower().removeprefix("class:")
