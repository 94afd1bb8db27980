"""File modes of the data folder: 0700 for folders and 0600 for files, so that only its owner reads what is kept."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

FOR_OTHERS = 0o077
"""The mode bits that give access to the group and everybody else."""
MARKER_FILES = frozenset({"secret_key", "learnagent.sqlite3"})
"""Either file shows that the folder is learnagent's."""
KNOWN_NAMES = MARKER_FILES | {"arriving", "mail", "preparing", "replaced", "static", "uploads"}
"""Everything that learnagent puts there, even with PostgreSQL and a SECRET_KEY instead of the two files."""
FRESH_VOLUME = "lost+found"
"""The folder on a newly formatted disk."""


@contextmanager
def data_folder_needed() -> Iterator[None]:
    """End the process with one line if the data folder cannot be used within the block."""
    try:
        yield
    except OSError as error:
        raise SystemExit(f"learnagent cannot start: LEARNAGENT_DATA: {error.strerror}: {error.filename}") from None


def make_private(folder: Path) -> None:
    """Create the data folder, and take group's and others' rights from it and from what is in it.

    Files made later by this process and its children get none either (umask). A folder that is open to others is
    walked once, whole; in one that is private already only the files directly in it are looked at.
    """
    # The umask comes after: parents of the folder that do not exist yet are not ours to close.
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.umask(FOR_OTHERS)
    for path in [*(folder.rglob("*") if is_open_to_others(folder) else folder.glob("*")), folder]:
        if path == folder or not path.is_symlink():
            restrict_to_owner(path)


def restrict_to_owner(path: Path) -> None:
    """Take group's and others' rights from a file or folder, where it is there and ours."""
    # It may vanish meanwhile, as SQLite's log does; what belongs to somebody else is what the system check tells of.
    with suppress(OSError):
        if is_open_to_others(path):
            path.chmod(path.stat().st_mode & ~FOR_OTHERS)


def is_open_to_others(path: Path) -> bool:
    """Return whether anybody but the owner may read, write or enter it. Raises OSError where there is none."""
    return bool(path.stat().st_mode & FOR_OTHERS)


def data_folder_fault(folder: Path) -> str:
    """Return why the folder cannot hold the data, empty where it can: what is in it will be closed to other users."""
    if not folder.is_dir():
        return ""
    if is_shared(folder):
        return "is a folder that everybody can write to; use a separate folder for learnagent"
    names = {path.name for path in folder.iterdir()} - {FRESH_VOLUME}
    if is_open_to_others(folder) and not names <= KNOWN_NAMES and not names & MARKER_FILES:
        return "contains files that are not learnagent's; use a separate or an empty folder"
    return ""


def is_shared(folder: Path) -> bool:
    """Return whether everybody puts files there, as in /tmp: no folder to be closed to others."""
    return folder.is_dir() and bool(folder.stat().st_mode & 0o1002)
