"""Flags as the running program asks and changes them: read often, cached for seconds, every change recorded."""

import time
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db import transaction

from agents.models import Flag, FlagChange
from agents.people import AudienceMember
from agents.rollout.rule import RolloutRule, is_included

CACHED_S = 2.0
"""How long a process may go on with what it read. The kill switch has to act everywhere within 5 seconds."""

DEFAULT_PERCENTS = {"multi_agent": Decimal(100), "affect": Decimal(100)}
"""The flags a fresh installation has, and their shares."""


class UnknownFlag(Exception):
    """No flag has this name."""


class FlagConflict(Exception):
    """Somebody else changed the flag since it was read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _CachedRule:
    rule: RolloutRule | None
    read_at: float


_cached_rules: dict[str, _CachedRule] = {}


def is_enabled(name: str, person: AudienceMember) -> bool:
    """Return whether this person gets the feature; an unknown flag is off. May ask the database."""
    rule = rule_of(name)
    return rule is not None and is_included(rule, person)


def rule_of(name: str) -> RolloutRule | None:
    """Return the flag's rule as of at most CACHED_S ago, None if there is no such flag."""
    reading = _cached_rules.get(name)
    if reading is None or time.monotonic() - reading.read_at > CACHED_S:
        # The clock is read first: a slow query must not lengthen the reading's life.
        reading = _cached_rules[name] = _CachedRule(read_at=time.monotonic(), rule=_read(name))
    return reading.rule


def _read(name: str) -> RolloutRule | None:
    flag = Flag.objects.filter(name=name).first()
    if flag is None and name in DEFAULT_PERCENTS:
        return RolloutRule(salt=name, percent=DEFAULT_PERCENTS[name])
    return flag.rule() if flag else None


def forget_flags() -> None:
    """Make this process read every flag afresh."""
    _cached_rules.clear()


def get_or_make_flag(name: str) -> Flag:
    """Return a flag's row, made now if it is one every installation has. Raises UnknownFlag."""
    flag = Flag.objects.filter(name=name).first()
    if flag is None and name in DEFAULT_PERCENTS:
        flag, _ = Flag.objects.get_or_create(name=name, defaults={"percent": DEFAULT_PERCENTS[name], "salt": name})
    if flag is None:
        raise UnknownFlag(name)
    return flag


def make_default_flags() -> None:
    """Give every flag of a fresh installation its row, so that the admin pages can show it."""
    for name in DEFAULT_PERCENTS:
        get_or_make_flag(name)


@transaction.atomic
def make_flag(name: str, *, by: Any = None) -> Flag:
    """Store a new flag, off for everybody. Raises ValidationError if the name will not do or is taken."""
    flag = Flag(name=name, salt=name)
    flag.full_clean()
    flag.save()
    FlagChange.objects.create(flag=flag, by=by, version=flag.version, before=None, after=flag.settings_now())
    _forget_now_and_on_commit()
    return flag


@transaction.atomic
def change_flag(name: str, *, by: Any = None, version: int | None = None, **changes: Any) -> Flag:
    """Set what is named of `percent`, `killed`, `allowed`, `class_percents`, and record it; no difference, no record.

    `version` is the one the change was decided on: raises FlagConflict if there is a newer one.
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
    """Set every flag to 0 percent with nobody let in by name: where a careful rollout begins."""
    make_default_flags()
    for name in Flag.objects.values_list("name", flat=True):
        change_flag(name, by=by, percent=Decimal(0), allowed=[], class_percents={})


def _forget_now_and_on_commit() -> None:
    """Forget at once for this transaction's own eyes, and again once others can see what it wrote."""
    forget_flags()
    transaction.on_commit(forget_flags)
