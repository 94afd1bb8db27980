"""Who gets a feature: nobody, the named, a stable share, or all. Values in, a yes or a no out."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from hashlib import sha256

from agents.people import AudienceMember

BUCKETS = 10_000
"""A bucket is a hundredth of a percent, the finest step a percentage can take."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RolloutRule:
    """What a flag says. Percentages run from 0 to 100 with two decimals."""

    salt: str
    percent: Decimal
    killed: bool = False
    """Beats everything else."""
    allowed: frozenset[str] = frozenset()
    """User names and class codes that are in whatever the percentage; `person:ada` and `class:4b` say which is meant."""
    class_percents: Mapping[str, Decimal] = field(default_factory=dict)
    """Class code in small letters → share of that class. Whoever is in several takes the highest share, the common one included."""


def bucket_of(salt: str, username: str) -> int:
    """Return the place, 0 to 9,999, a person has for good under this salt."""
    return int.from_bytes(sha256(f"{salt}:{username}".encode()).digest()) % BUCKETS


def is_included(rule: RolloutRule, person: AudienceMember) -> bool:
    """Return whether the rule takes this person in.

    0 takes in nobody and 100 everybody; the same person always gets the same answer; raising a percentage
    sends nobody out. `person.audiences` is read only if the rule names somebody or a class.
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
    # User names differ by case, class codes do not.
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
