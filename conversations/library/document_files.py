"""Files of documents: stored under random names in the file store, never served directly."""

import hashlib
import secrets
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from itertools import batched
from pathlib import Path

from conversations.library import file_store
from conversations.models import Document

FOLDER = "uploads"
STRAY_AFTER_S = 3600.0
"""How long a file without a row is kept, because its row may be about to be stored."""


def new_name() -> str:
    return secrets.token_hex(32)


def name_of(stored_as: str) -> str:
    """Return a file's full name in the store."""
    return f"{FOLDER}/{stored_as[:2]}/{stored_as}"


@contextmanager
def received_file(pieces: Iterable[bytes]) -> Iterator[tuple[Path, str]]:
    """Write an upload to a temporary file; yield its path and SHA-256. The file is deleted afterwards."""
    digest = hashlib.sha256()
    with file_store.scratch_file() as path:
        with path.open("xb") as file:
            path.chmod(0o600)
            for piece in pieces:
                digest.update(piece)
                file.write(piece)
        yield path, digest.hexdigest()


def keep(path: Path, stored_as: str) -> None:
    """Move a complete file into the store."""
    file_store.keep(path, name_of(stored_as))


def local_copy(document: Document) -> AbstractContextManager[Path]:
    """Return a context manager with a local path of the document's file. Raises FileNotFoundError, StoreUnavailable."""
    return file_store.local_copy(name_of(document.stored_as))


def content_of(document: Document) -> bytes:
    """Return the bytes of the document's file. Raises FileNotFoundError, StoreUnavailable."""
    return b"".join(file_chunks(document))


def file_chunks(document: Document) -> Iterator[bytes]:
    """Yield the document's file in pieces. Raises FileNotFoundError, StoreUnavailable."""
    return file_store.file_chunks(name_of(document.stored_as))


def has_file(document: Document) -> bool:
    return file_store.exists(name_of(document.stored_as))


def remove(stored_as: str) -> None:
    file_store.remove(name_of(stored_as))


def remove_strays() -> None:
    """Delete files that belong to no row."""
    file_store.clear_scratch(older_than_s=STRAY_AFTER_S)
    for names in batched(file_store.names_in(FOLDER), 500, strict=False):
        stored_as = {name.rpartition("/")[2]: name for name in names}
        known = Document.objects.filter(stored_as__in=stored_as)
        for stray in stored_as.keys() - {*known.values_list("stored_as", flat=True)}:
            if file_store.age_s(stored_as[stray]) > STRAY_AFTER_S:
                file_store.remove(stored_as[stray])
