"""Usernames made from names: in ASCII, and nobody else's."""

import re
from collections.abc import Collection, Sequence

from anyascii import anyascii

from learnagent.accounts.models import Person

MAX_BASE = 40
"""Characters of a username before its number."""
AT_ONCE = 500
"""Usernames in one query."""


def make_usernames(names: Sequence[str], *, taken: Collection[str] = ()) -> list[str]:
    """Return a username for each name, none of them in `taken`, in use, or twice in the list.

    Namesakes get numbers: `anna.berg`, `anna.berg2`. A few queries, however many names.
    """
    used, made = set(taken), dict[int, str]()
    counters: dict[str, int] = {}
    waiting = {place: _base(name) for place, name in enumerate(names)}
    while waiting:
        tried = {place: _next(base, used, counters) for place, base in waiting.items()}
        in_use = usernames_in_use(tried.values())
        made |= {place: name for place, name in tried.items() if name not in in_use}
        waiting = {place: waiting[place] for place, name in tried.items() if name in in_use}
    return [made[place] for place in range(len(names))]


def usernames_in_use(names: Collection[str]) -> set[str]:
    """Return those of the usernames that somebody has."""
    wanted, found = list(names), set[str]()
    for start in range(0, len(wanted), AT_ONCE):
        people = Person.objects.filter(username__in=wanted[start : start + AT_ONCE])
        found.update(people.values_list("username", flat=True))
    return found


def _next(base: str, used: set[str], counters: dict[str, int]) -> str:
    while True:
        number = counters[base] = counters.get(base, 0) + 1
        name = base if number == 1 else f"{base}{number}"
        if name not in used:
            used.add(name)
            return name


def _base(name: str) -> str:
    words = re.findall(r"[a-z0-9]+", re.sub("['’]", "", anyascii(name).lower()))
    return ".".join(words)[:MAX_BASE].strip(".") or "pupil"
