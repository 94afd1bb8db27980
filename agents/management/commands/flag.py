"""Management command to set and show a flag, or to ask who has it."""

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import batched
from typing import Any

from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from agents.models import Flag
from agents.models.flags import parse_percent
from agents.people import AudienceMember
from agents.rollout.flags import UnknownFlag, change_flag, get_or_make_flag, make_flag, rule_from
from agents.rollout.rule import is_included

BATCH = 500
CHANGING = ("percent", "allow", "no_allow", "never", "no_never", "kill", "mode")
"""The options that change the flag."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownPerson:
    """A name that nobody has: in or out by its hash, and in no class."""

    username: str
    audiences: frozenset[str] = field(default_factory=frozenset)


class Command(BaseCommand):
    help = "Changes a flag and shows it. With --ask, shows who has the feature (v2) and who does not (v1)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", metavar="NAME")
        parser.add_argument(
            "--percent", metavar="N", help="from 0 (nobody) to 100 (everybody), up to two decimal places"
        )
        for option, words in (
            ("--allow", "always on for them"),
            ("--no-allow", "no longer always on for them"),
            ("--no-never", "undo --never"),
        ):
            parser.add_argument(option, action="append", default=[], metavar="PERSON_OR_CLASS", help=words)
        parser.add_argument(
            "--never",
            action="append",
            default=[],
            metavar="PERSON_OR_CLASS[=DATE]",
            help="never on for them, or not until that day, such as 9c=2026-09-21",
        )
        switch = parser.add_mutually_exclusive_group()
        switch.add_argument("--kill", action="store_true", default=None, help="turn it off for everybody")
        switch.add_argument("--no-kill", action="store_false", dest="kill", help="undo --kill")
        parser.add_argument("--mode", help="where conversations are read from, for v2_storage: v1, dual or v2")
        parser.add_argument("--ask", action="store_true", help="read names from stdin and write NAME<TAB>v1|v2")

    def handle(self, *args: Any, name: str, **options: Any) -> None:
        try:
            flag = _change_flag(name, **{key: options[key] for key in CHANGING})
        except UnknownFlag:
            raise CommandError(f"There is no flag {name}. Set one of its options to create it.") from None
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from None
        if options["ask"]:
            self._answer(flag, sys.stdin)
        else:
            self.stdout.write(_describe_flag(flag))

    def _answer(self, flag: Flag, lines: Iterable[str]) -> None:
        rule = rule_from(flag)
        for person in _people(line.rstrip("\r\n") for line in lines):
            self.stdout.write(f"{person.username}\t{'v2' if is_included(rule, person) else 'v1'}")


@transaction.atomic
def _change_flag(
    name: str,
    *,
    percent: str | None,
    allow: list[str],
    no_allow: list[str],
    never: list[str],
    no_never: list[str],
    kill: bool | None,
    mode: str | None,
) -> Flag:
    """Change the given options and return the flag; it is created if an option is given. Raises UnknownFlag."""
    changes: dict[str, Any] = {}
    if percent is not None:
        changes["percent"] = parse_percent(percent)
    if kill is not None:
        changes["killed"] = kill
    if mode is not None:
        changes["mode"] = mode
    if not (changes or allow or no_allow or never or no_never):
        return get_or_make_flag(name)
    try:
        flag = get_or_make_flag(name)
    except UnknownFlag:
        flag = make_flag(name)
    if allow or no_allow:
        kept = [entry for entry in flag.allowed if entry not in no_allow]
        changes["allowed"] = [*kept, *(entry for entry in dict.fromkeys(allow) if entry not in kept)]
    if never or no_never:
        added = {entry: end for entry, _, end in (each.partition("=") for each in never)}
        changes["never"] = {entry: end for entry, end in flag.never.items() if entry not in no_never} | added
    return change_flag(name, **changes)


def _people(names: Iterable[str]) -> Iterator[AudienceMember]:
    """Yield a person, or an UnknownPerson, for each name that is not empty, in order."""
    for some in batched(filter(None, names), BATCH, strict=False):
        storable = [name for name in some if "\x00" not in name]
        known = {person.get_username(): person for person in get_user_model().objects.filter(username__in=storable)}
        for name in some:
            yield known.get(name) or UnknownPerson(username=name)


def _describe_flag(flag: Flag) -> str:
    allowed = ", ".join(flag.allowed) or "nobody"
    never = ", ".join(f"{entry} until {end}" if end else entry for entry, end in sorted(flag.never.items())) or "nobody"
    classes = ", ".join(f"{code} {percent}%" for code, percent in flag.class_percents.items()) or "none"
    killed = "killed, " if flag.killed else ""
    mode = f"reads from {flag.mode}, " if flag.mode else ""
    shares = f"{flag.percent.normalize():f}%, always on for: {allowed}, never on for: {never}, classes: {classes}"
    return f"{flag.name}: {killed}{shares}, {mode}version {flag.version}"
