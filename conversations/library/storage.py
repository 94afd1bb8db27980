"""Where the bytes of documents lie: under random names in the data folder, from which no server serves."""

import hashlib
import secrets
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import batched
from pathlib import Path

from django.conf import settings

from conversations.models import Document

ARRIVING = "arriving"
STRAY_AFTER_S = 3600.0
"""How long a file without a row is left alone: its row may be on the way."""


def folder() -> Path:
    return Path(settings.DATA_DIR) / "uploads"


def new_name() -> str:
    return secrets.token_hex(32)


def path_to(stored_as: str) -> Path:
    return folder() / stored_as[:2] / stored_as


def path_of(document: Document) -> Path:
    return path_to(document.stored_as)


@contextmanager
def arrival(pieces: Iterable[bytes]) -> Iterator[tuple[Path, str]]:
    """Write what arrives to a file of its own; yield its path and the SHA-256 of it. The file is gone afterwards."""
    path = folder() / ARRIVING / new_name()
    _make(path.parent)
    digest = hashlib.sha256()
    try:
        with path.open("xb") as file:
            path.chmod(0o600)
            for piece in pieces:
                digest.update(piece)
                file.write(piece)
        yield path, digest.hexdigest()
    finally:
        path.unlink(missing_ok=True)


def place_for(stored_as: str) -> Path:
    """Return the path of a file that is to come, in a folder that is there."""
    path = path_to(stored_as)
    _make(path.parent)
    return path


def remove(stored_as: str) -> None:
    path_to(stored_as).unlink(missing_ok=True)


def remove_strays() -> None:
    """Delete the files that no row names any more, or ever did."""
    before = time.time() - STRAY_AFTER_S
    old = (path for path in folder().glob("*/*") if path.stat().st_mtime < before)
    for paths in batched(old, 500, strict=False):
        known = Document.objects.filter(stored_as__in=[path.name for path in paths])
        named = set(known.values_list("stored_as", flat=True))
        for path in paths:
            if path.name not in named:
                path.unlink(missing_ok=True)


def _make(path: Path) -> None:
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
