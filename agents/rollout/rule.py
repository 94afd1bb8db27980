"""Rollout rule: who gets a feature (nobody, named people, a stable share, or all). A pure function of values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from hashlib import sha256

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
    if _is_allowed(rule, person):
        return True
    return bucket_of(rule.salt, person.username) < _percent_for(rule, person) * 100


def _is_allowed(rule: RolloutRule, person: AudienceMember) -> bool:
    if not rule.allowed:
        return False
    if rule.allowed & {person.username, f"person:{person.username}"}:
        return True
    # Usernames are case-sensitive, class codes are not.
    codes = {_code(name.lower()) for name in rule.allowed if not name.startswith("person:")}
    return any(_code(audience) in codes for audience in person.audiences)


def _percent_for(rule: RolloutRule, person: AudienceMember) -> Decimal:
    if not rule.class_percents:
        return rule.percent
    return max(
        [rule.percent, *(rule.class_percents.get(_code(audience), rule.percent) for audience in person.audiences)]
    )


def _code(audience: str) -> str:
    return audience.lower().removeprefix("class:")
