"""Whose conversations a v1 file's sessions are: v1 knew no people."""

import csv
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.contrib.auth import get_user_model

from conversations.owners import Owner

LARGEST_MAPPING = 50_000_000
"""Bytes of a mapping file at most."""


class BadMapping(Exception):
    """The mapping of sessions to people cannot be used; the message names the line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionOwners:
    """One owner of all sessions, or an owner for some of them; the others are orphans."""

    everybody: Owner | None = None
    by_session: Mapping[str, int] = field(default_factory=dict)
    """session_id → the owner's key"""

    def owner_key(self, session_id: str) -> int | None:
        return self.everybody.pk if self.everybody is not None else self.by_session.get(session_id)


def read_mapping(path: Path) -> SessionOwners:
    """Return the owners of a CSV file with a session_id and a username on each line. Raises BadMapping."""
    try:
        if path.stat().st_size > LARGEST_MAPPING:
            raise BadMapping(f"{path.name} is larger than {LARGEST_MAPPING // 10**6} MB")
        lines = list(csv.reader(path.read_text("utf-8-sig").splitlines()))
    except OSError as error:
        raise BadMapping(f"{path} cannot be opened: {error.strerror}") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise BadMapping(f"{path.name} is not a CSV file in UTF-8: {error}") from None
    keys: dict[str, int | None] = {}
    by_session: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        if not line:
            continue
        if len(line) != 2:
            raise BadMapping(f"{path.name}, line {number}: expected session_id,username")
        session_id, username = line[0], line[1].strip()
        if username not in keys:
            keys[username] = _key_of(username)
        if (key := keys[username]) is None:
            raise BadMapping(f"{path.name}, line {number}: there is no person {username}")
        if by_session.setdefault(session_id, key) != key:
            raise BadMapping(f"{path.name}, line {number}: {session_id} has another owner on an earlier line")
    return SessionOwners(by_session=by_session)


def _key_of(username: str) -> Any:
    if "\x00" in username:
        return None
    return get_user_model().objects.filter(username=username).values_list("pk", flat=True).first()
