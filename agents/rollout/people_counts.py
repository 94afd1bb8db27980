"""How many people have a flag, by role, and whether one person has it."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from django.contrib.auth import get_user_model

from agents.people import audiences_by_username
from agents.rollout.rule import Inclusion, RolloutRule, explain, is_included

ROLES: Final = ("learner", "teacher", "admin")


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedPerson:
    """A person with only those audiences that the rule names."""

    username: str
    audiences: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleCount:
    """How many people of a role have a flag."""

    role: str
    inside: int
    of: int


def count_people(rule: RolloutRule) -> list[RoleCount]:
    """Return the counts of each role that anybody has, of people who can sign in. Two queries.

    Who is in follows from a hash that databases do not have, so the names are fetched: 100,000 of them take half a second.
    """
    of, inside = Counter[str](), Counter[str]()
    for role, person in _people(rule):
        of[role] += 1
        inside[role] += is_included(rule, person)
    return [RoleCount(role=role, inside=inside[role], of=of[role]) for role in ROLES if of[role]]


def _people(rule: RolloutRule) -> Iterator[tuple[str, CountedPerson]]:
    codes = {*rule.class_entries, *rule.never_class_entries, *rule.class_percents}
    known = audiences_by_username({f"class:{code}" for code in codes})
    names = get_user_model()._default_manager.filter(is_active=True).values_list("role", "username")
    for role, username in names.iterator(chunk_size=5_000):
        yield role, CountedPerson(username=username, audiences=frozenset(known.get(username, ())))


def look_up(rule: RolloutRule, username: str) -> tuple[Any, Inclusion] | None:
    """Return a person by their exact username and whether they have a flag; None if nobody has this name."""
    # PostgreSQL refuses to look for a NUL.
    person = None if "\x00" in username else get_user_model()._default_manager.filter(username=username).first()
    return (person, explain(rule, person)) if person is not None else None
