"""Where the bytes of documents lie: under random names in the store of files, from which no server serves."""

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
"""How long a file without a row is left alone: its row may be on the way."""


def new_name() -> str:
    return secrets.token_hex(32)


def name_of(stored_as: str) -> str:
    """Return a file's whole name in the store."""
    return f"{FOLDER}/{stored_as[:2]}/{stored_as}"


@contextmanager
def received_file(pieces: Iterable[bytes]) -> Iterator[tuple[Path, str]]:
    """Write what arrives to a file of its own; yield its path and the SHA-256 of it. The file is gone afterwards."""
    digest = hashlib.sha256()
    with file_store.scratch_file() as path:
        with path.open("xb") as file:
            path.chmod(0o600)
            for piece in pieces:
                digest.update(piece)
                file.write(piece)
        yield path, digest.hexdigest()


def keep(path: Path, stored_as: str) -> None:
    """Put a file that is whole in the store."""
    file_store.keep(path, name_of(stored_as))


def local_copy(document: Document) -> AbstractContextManager[Path]:
    """Give a path to the document's file. Raises FileNotFoundError, StoreAway."""
    return file_store.local_copy(name_of(document.stored_as))


def content_of(document: Document) -> bytes:
    """Return the document's file. Raises FileNotFoundError, StoreAway."""
    return b"".join(file_chunks(document))


def file_chunks(document: Document) -> Iterator[bytes]:
    """Yield the document's file in pieces. Raises FileNotFoundError, StoreAway."""
    return file_store.file_chunks(name_of(document.stored_as))


def has_file(document: Document) -> bool:
    return file_store.exists(name_of(document.stored_as))


def remove(stored_as: str) -> None:
    file_store.remove(name_of(stored_as))


def remove_strays() -> None:
    """Delete the files that no row names any more, or ever did."""
    file_store.clear_scratch(older_than_s=STRAY_AFTER_S)
    for names in batched(file_store.names_in(FOLDER), 500, strict=False):
        stored_as = {name.rpartition("/")[2]: name for name in names}
        known = Document.objects.filter(stored_as__in=stored_as)
        for stray in stored_as.keys() - {*known.values_list("stored_as", flat=True)}:
            if file_store.age_s(stored_as[stray]) > STRAY_AFTER_S:
                file_store.remove(stored_as[stray])
