"""Reading and changing flags: reads are cached for seconds, every change is recorded."""

import time
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db import transaction

from agents.models import Flag, FlagChange
from agents.people import AudienceMember
from agents.rollout.rule import RolloutRule, is_included

CACHED_S = 2.0
"""How long a process may use a cached flag. The kill switch has to act everywhere within 5 seconds."""

DEFAULT_PERCENTS = {"multi_agent": Decimal(100), "affect": Decimal(100)}
"""The flags of a new site, and their percentages."""


class UnknownFlag(Exception):
    """No flag has this name."""


class FlagConflict(Exception):
    """Somebody else changed the flag after it was read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _CachedRule:
    rule: RolloutRule | None
    read_at: float


_cached_rules: dict[str, _CachedRule] = {}


def is_enabled(name: str, person: AudienceMember) -> bool:
    """Return whether this person gets the feature; an unknown flag is off. May query the database."""
    rule = rule_of(name)
    return rule is not None and is_included(rule, person)


def rule_of(name: str) -> RolloutRule | None:
    """Return the flag's rule as of at most CACHED_S ago; None if there is no such flag."""
    reading = _cached_rules.get(name)
    if reading is None or time.monotonic() - reading.read_at > CACHED_S:
        # The clock is read first, so that a slow query does not extend the cache time.
        reading = _cached_rules[name] = _CachedRule(read_at=time.monotonic(), rule=_read(name))
    return reading.rule


def _read(name: str) -> RolloutRule | None:
    flag = Flag.objects.filter(name=name).first()
    if flag is None and name in DEFAULT_PERCENTS:
        return RolloutRule(salt=name, percent=DEFAULT_PERCENTS[name])
    return rule_from(flag) if flag else None


def rule_from(flag: Flag) -> RolloutRule:
    """Return a stored flag as a rule."""
    class_percents = {code.lower().removeprefix("class:"): Decimal(each) for code, each in flag.class_percents.items()}
    return RolloutRule(
        salt=flag.salt,
        percent=flag.percent,
        killed=flag.killed,
        allowed=frozenset(flag.allowed),
        class_percents=class_percents,
    )


def forget_flags() -> None:
    """Clear this process's flag cache."""
    _cached_rules.clear()


def get_or_make_flag(name: str) -> Flag:
    """Return a flag's row; a default flag is created if missing. Raises UnknownFlag."""
    flag = Flag.objects.filter(name=name).first()
    if flag is None and name in DEFAULT_PERCENTS:
        flag, _ = Flag.objects.get_or_create(name=name, defaults={"percent": DEFAULT_PERCENTS[name], "salt": name})
    if flag is None:
        raise UnknownFlag(name)
    return flag


def make_default_flags() -> None:
    """Create the rows of the default flags, so that the admin pages can show them."""
    for name in DEFAULT_PERCENTS:
        get_or_make_flag(name)


@transaction.atomic
def make_flag(name: str, *, by: Any = None) -> Flag:
    """Create a flag, off for everybody. Raises ValidationError if the name is invalid or taken."""
    flag = Flag(name=name, salt=name)
    flag.full_clean()
    flag.save()
    FlagChange.objects.create(flag=flag, by=by, version=flag.version, before=None, after=flag.settings_now())
    _forget_now_and_on_commit()
    return flag


@transaction.atomic
def change_flag(name: str, *, by: Any = None, version: int | None = None, **changes: Any) -> Flag:
    """Change the given fields of `percent`, `killed`, `allowed`, `class_percents`, and record it if something differs.

    `version` is the version the change is based on: raises FlagConflict if there is a newer one.
    Raises UnknownFlag, and ValidationError by field. `by` is a person, or None for a command.
    """
    get_or_make_flag(name)
    flag = Flag.objects.select_for_update().get(name=name)
    if version is not None and version != flag.version:
        raise FlagConflict(name)
    before = flag.settings_now()
    for field, value in changes.items():
        setattr(flag, field, value)
    flag.full_clean()
    if flag.settings_now() == before:
        return flag
    flag.version += 1
    flag.save()
    FlagChange.objects.create(flag=flag, by=by, version=flag.version, before=before, after=flag.settings_now())
    _forget_now_and_on_commit()
    return flag


@transaction.atomic
def reset_rollout(*, by: Any = None) -> None:
    """Set every flag to 0 percent with nobody let in by name: the start of a careful rollout."""
    make_default_flags()
    for name in Flag.objects.values_list("name", flat=True):
        change_flag(name, by=by, percent=Decimal(0), allowed=[], class_percents={})


def _forget_now_and_on_commit() -> None:
    """Clear the cache now, for this transaction's own reads, and again on commit, for what others read."""
    forget_flags()
    transaction.on_commit(forget_flags)
