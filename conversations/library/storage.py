"""Where the bytes of documents lie: under random names in the store of files, from which no server serves."""

import hashlib
import secrets
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from itertools import batched
from pathlib import Path

from conversations.library import store
from conversations.models import Document

FOLDER = "uploads"
STRAY_AFTER_S = 3600.0
"""How long a file without a row is left alone: its row may be on the way."""


def new_name() -> str:
    return secrets.token_hex(32)


def name_of(stored_as: str) -> str:
    """Return a file's whole name in the store."""
    return f"{FOLDER}/{stored_as[:2]}/{stored_as}"


@contextmanager
def arrival(pieces: Iterable[bytes]) -> Iterator[tuple[Path, str]]:
    """Write what arrives to a file of its own; yield its path and the SHA-256 of it. The file is gone afterwards."""
    digest = hashlib.sha256()
    with store.scratch() as path:
        with path.open("xb") as file:
            path.chmod(0o600)
            for piece in pieces:
                digest.update(piece)
                file.write(piece)
        yield path, digest.hexdigest()


def keep(path: Path, stored_as: str) -> None:
    """Put a file that is whole in the store."""
    store.keep(path, name_of(stored_as))


def on_disk(document: Document) -> AbstractContextManager[Path]:
    """Give a path to the document's file. Raises FileNotFoundError, StoreAway."""
    return store.on_disk(name_of(document.stored_as))


def content_of(document: Document) -> bytes:
    """Return the document's file. Raises FileNotFoundError, StoreAway."""
    return b"".join(pieces_of(document))


def pieces_of(document: Document) -> Iterator[bytes]:
    """Yield the document's file in pieces. Raises FileNotFoundError, StoreAway."""
    return store.pieces_of(name_of(document.stored_as))


def is_there(document: Document) -> bool:
    return store.has(name_of(document.stored_as))


def remove(stored_as: str) -> None:
    store.remove(name_of(stored_as))


def remove_strays() -> None:
    """Delete the files that no row names any more, or ever did."""
    store.clear_scratch(older_than_s=STRAY_AFTER_S)
    for names in batched(store.names_in(FOLDER), 500, strict=False):
        stored_as = {name.rpartition("/")[2]: name for name in names}
        known = Document.objects.filter(stored_as__in=stored_as)
        for stray in stored_as.keys() - {*known.values_list("stored_as", flat=True)}:
            if store.age_s(stored_as[stray]) > STRAY_AFTER_S:
                store.remove(stored_as[stray])
