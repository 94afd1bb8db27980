"""Workspaces, known here only by name: another app registers which ones a person has."""

import re
from collections.abc import Callable
from typing import Final

from agents.wire import rejections
from conversations.owners import Owner

PERSONAL: Final = "personal"
"""The workspace that everybody has."""
NAME_MAX_LENGTH: Final = 60
NAME: Final = re.compile(rf"[-a-zA-Z0-9_]{{1,{NAME_MAX_LENGTH}}}")

type WorkspaceCheck = Callable[[Owner, str], bool]
"""Takes a person and a name; returns whether the person has a workspace of this name."""

_checks: list[WorkspaceCheck] = []


def register_workspaces(check: WorkspaceCheck) -> WorkspaceCheck:
    """Register a function that knows workspaces, while apps start; registering twice is harmless."""
    if check not in _checks:
        _checks.append(check)
    return check


def require_workspace(person: Owner, name: str) -> str:
    """Return the workspace's name. Raises Rejection 404 if the person has none of this name."""
    # Checked first: what no workspace is called may be something that no database can look for, such as NUL.
    if not NAME.fullmatch(name) or (name != PERSONAL and not any(check(person, name) for check in _checks)):
        raise rejections.not_found()
    return name
