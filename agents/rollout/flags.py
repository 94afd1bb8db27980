"""Reading and changing flags: reads are cached for seconds, every change is recorded."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final, Literal

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from agents.models import Flag, FlagChange
from agents.models.flags import site_today
from agents.people import AudienceMember
from agents.rollout.guards import find_refusal
from agents.rollout.known_flags import KNOWN_FLAGS, default_mode
from agents.rollout.rule import RolloutRule, is_included
from agents.storage.brief_cache import BriefCache

CACHED_S: Final = 2.0
"""How long a process may use cached flags. A kill switch has to act everywhere within 5 seconds."""
GUARDED: Final = "guarded"
"""The code of the ValidationError for a step that a guard refuses."""

type Side = Literal["in", "out"]


class UnknownFlag(Exception):
    """No flag has this name."""


class FlagConflict(Exception):
    """Somebody else changed the flag after it was read."""


def is_enabled(name: str, person: AudienceMember) -> bool:
    """Return whether this person gets the feature; an unknown flag is off. May query the database."""
    rule = rule_of(name)
    return rule is not None and is_included(rule, person)


def stays_enabled(name: str, person: AudienceMember, sides: Mapping[str, str]) -> bool:
    """Return whether a conversation has the feature: as when it began, unless the kill switch is on.

    `sides` is what `sides_of` returned when it began; without an entry, the present settings count.
    """
    rule = rule_of(name)
    if rule is None or rule.killed:
        return False
    return sides[name] == "in" if name in sides else is_included(rule, person)


def sides_of(person: AudienceMember) -> dict[str, Side]:
    """Return on which side of each pinned flag a conversation of this person begins."""
    return {name: "in" if is_enabled(name, person) else "out" for name, flag in KNOWN_FLAGS.items() if flag.is_pinned}


def is_switched_on(name: str) -> bool:
    """Return whether a flag of the whole site is on."""
    rule = rule_of(name)
    return rule is not None and _is_on(rule)


def mode_of(name: str) -> str:
    """Return the mode of a known flag; the first of its modes while it is off."""
    rule = rule_of(name)
    return KNOWN_FLAGS[name].modes[0] if rule is None else mode_under(name, rule)


def mode_under(name: str, rule: RolloutRule) -> str:
    """Return the mode that a known flag would have under this rule."""
    return rule.mode if _is_on(rule) else KNOWN_FLAGS[name].modes[0]


def _is_on(rule: RolloutRule) -> bool:
    return not rule.killed and rule.percent == 100


def rule_of(name: str) -> RolloutRule | None:
    """Return the flag's rule as of at most CACHED_S ago; None if there is no such flag."""
    return _rules.get().get(name)


def _read_rules() -> dict[str, RolloutRule]:
    """Return all rules by name, those of a new site's flags too; one query."""
    defaults = {
        name: RolloutRule(salt=name, percent=flag.percent, mode=default_mode(name))
        for name, flag in KNOWN_FLAGS.items()
    }
    return defaults | {flag.name: rule_from(flag) for flag in Flag.objects.all()}


_rules = BriefCache(_read_rules, seconds=CACHED_S)


def rule_from(flag: Flag) -> RolloutRule:
    """Return a stored flag as a rule, without the entries of `never` that have ended by today."""
    class_percents = {code.lower().removeprefix("class:"): Decimal(each) for code, each in flag.class_percents.items()}
    return RolloutRule(
        salt=flag.salt,
        percent=flag.percent,
        killed=flag.killed,
        allowed=frozenset(flag.allowed),
        never=flag.never_now(),
        class_percents=class_percents,
        mode=flag.mode,
    )


def find_past_end(before: Mapping[str, str], after: Mapping[str, str]) -> str:
    """Return in words which new entry of `never` would end today or earlier, and so would do nothing; empty if none."""
    today = site_today().isoformat()
    past = next((name for name, end in after.items() if "" < end <= today and before.get(name) != end), "")
    return _("“%(name)s” must end on a day in the future.") % {"name": past} if past else ""


def forget_flags() -> None:
    """Clear this process's flag cache."""
    _rules.forget()


def get_or_make_flag(name: str) -> Flag:
    """Return a flag's row; a known flag is created if missing. Raises UnknownFlag."""
    flag = Flag.objects.filter(name=name).first()
    if flag is None and name in KNOWN_FLAGS:
        new = {"percent": KNOWN_FLAGS[name].percent, "mode": default_mode(name), "salt": name}
        flag, _ = Flag.objects.get_or_create(name=name, defaults=new)
    if flag is None:
        raise UnknownFlag(name)
    return flag


def make_known_flags() -> None:
    """Create the missing rows of the known flags, so that the admin pages can show them."""
    for name in KNOWN_FLAGS.keys() - set(Flag.objects.values_list("name", flat=True)):
        get_or_make_flag(name)


@transaction.atomic
def make_flag(name: str, *, by: Any = None) -> Flag:
    """Create a flag, off for everybody. Raises ValidationError if the name is invalid or taken."""
    flag = Flag(name=name, salt=name)
    flag.full_clean()
    flag.save()
    FlagChange.objects.create(flag=flag, by=by, version=flag.version, before=None, after=flag.settings_now())
    _rules.forget_now_and_on_commit()
    return flag


@transaction.atomic
def change_flag(name: str, *, by: Any = None, version: int | None = None, **changes: Any) -> Flag:
    """Change the given fields of `percent`, `killed`, `allowed`, `never`, `class_percents`, `mode`; record it if something
    differs.

    `version` is the version the change is based on: raises FlagConflict if there is a newer one.
    Raises UnknownFlag, ValidationError by field, and ValidationError with the code GUARDED if a guard refuses the step.
    `by` is a person, or None for a command.
    """
    get_or_make_flag(name)
    flag = Flag.objects.select_for_update().get(name=name)
    if version is not None and version != flag.version:
        raise FlagConflict(name)
    before, rule = flag.settings_now(), rule_from(flag)
    for field, value in changes.items():
        setattr(flag, field, value)
    flag.full_clean()
    if flag.settings_now() == before:
        return flag
    if past := find_past_end(before["never"], flag.never):
        raise ValidationError({"never": past})
    is_stop = flag.settings_now() == before | {"killed": True}
    # The kill switch is for when something is wrong: nothing may keep it from being used.
    if not is_stop and (refusal := find_refusal(name, rule, rule_from(flag))):
        raise ValidationError(refusal, code=GUARDED)
    flag.version += 1
    flag.save()
    FlagChange.objects.create(flag=flag, by=by, version=flag.version, before=before, after=flag.settings_now())
    _rules.forget_now_and_on_commit()
    return flag


def reset_rollout(*, by: Any = None) -> dict[str, str]:
    """Set every flag to its start of a careful rollout: off, with nobody let in by name. Who never has it stays.

    Return by name why a guard refused the change of a flag; those flags stay as they are.
    """
    make_known_flags()
    refusals: dict[str, str] = {}
    for name in Flag.objects.values_list("name", flat=True):
        known = KNOWN_FLAGS.get(name)
        percent = known.safe_percent if known else Decimal(0)
        modes = known.modes if known else ()
        try:
            change_flag(name, by=by, percent=percent, allowed=[], class_percents={}, mode=modes[0] if modes else "")
        except ValidationError as error:
            refusals[name] = " ".join(error.messages)
    return refusals
