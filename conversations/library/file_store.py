"""File store: the data folder, or a bucket shared by several hosts. Django's storage `files`, set by STORAGE_URL."""

import os
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from django.conf import settings
from django.core.files import File
from django.core.files.storage import FileSystemStorage, Storage, storages

ALIAS = "files"
PIECE_BYTES = 64 * 1024


class StoreUnavailable(OSError):
    """The store cannot be reached, or rejects the request; it may work again later."""


class DataFolder(FileSystemStorage):
    """Files in the data folder, readable only by this program's user, never served directly."""

    failures: tuple[type[Exception], ...] = ()
    """Exceptions it raises besides OSError."""

    def __init__(self) -> None:
        super().__init__(file_permissions_mode=0o600, directory_permissions_mode=0o700, allow_overwrite=True)

    @property
    def base_location(self) -> Any:
        return settings.DATA_DIR

    @property
    def location(self) -> Any:
        return os.path.abspath(self.base_location)


class _LocalFile(File):  # type: ignore[type-arg]  # Django's own has no parameter at run time.
    """A complete local file, which a store on the same disk moves instead of copying."""

    def temporary_file_path(self) -> str:
        return str(self.name)


def keep(path: Path, name: str) -> None:
    """Put a complete local file in the store, replacing one of the same name; it may be moved. Raises OSError."""
    with path.open("rb") as file, _translated_errors():
        _store().save(name, _LocalFile(file, name=str(path)))


@contextmanager
def open_file(name: str) -> Iterator[IO[bytes]]:
    """Open a file for reading. Raises FileNotFoundError, StoreUnavailable."""
    with _translated_errors(), _store().open(name, "rb") as file:
        yield file


@contextmanager
def local_copy(name: str) -> Iterator[Path]:
    """Yield a local path of the file, for a child process to read. Raises FileNotFoundError, StoreUnavailable."""
    if is_local():
        yield Path(_store().path(name))
        return
    with scratch_file() as path:
        with open_file(name) as file, path.open("xb") as copy:
            while piece := file.read(PIECE_BYTES):
                copy.write(piece)
        yield path


def file_chunks(name: str) -> Iterator[bytes]:
    """Yield the file's bytes. Raises FileNotFoundError, StoreUnavailable."""
    with open_file(name) as file:
        while piece := file.read(PIECE_BYTES):
            yield piece


def exists(name: str) -> bool:
    with _translated_errors():
        return bool(_store().exists(name))


def remove(name: str) -> None:
    """Delete a file; does nothing if it does not exist. Raises OSError."""
    with _translated_errors():
        _store().delete(name)


def take_out(name: str, path: Path) -> None:
    """Move a file from the store to a new local path. Raises FileNotFoundError, StoreUnavailable."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with local_copy(name) as copy:
        shutil.move(copy, path)
    remove(name)


def names_in(folder: str) -> list[str]:
    """Return the names of the files in a folder of the store, and in its direct subfolders."""
    with _translated_errors():
        try:
            folders, files = _store().listdir(folder)
        except FileNotFoundError:
            return []
        found = [f"{folder}/{file}" for file in files]
        for inner in folders:
            found += [f"{folder}/{inner}/{file}" for file in _store().listdir(f"{folder}/{inner}")[1]]
    return found


def age_s(name: str) -> float:
    """Return the seconds since a file was stored; 0 if it was deleted in the meantime."""
    try:
        with _translated_errors():
            return (datetime.now(UTC) - _store().get_modified_time(name)).total_seconds()
    except FileNotFoundError:
        return 0.0


def is_local() -> bool:
    """Return whether the files are on this machine's own disk."""
    return isinstance(_store(), DataFolder)


def check_store() -> None:
    """Store a file, read it and delete it. Raises OSError."""
    name, content = f"tried/{secrets.token_hex(8)}", b"Is it well?"
    with scratch_file() as path:
        path.write_bytes(content)
        keep(path, name)
    try:
        if b"".join(file_chunks(name)) != content:
            raise StoreUnavailable("file store: the stored file could not be read back")
    finally:
        remove(name)


@contextmanager
def scratch_file() -> Iterator[Path]:
    """Yield a local path for a temporary file; it is deleted at the end."""
    path = scratch_folder() / secrets.token_hex(32)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        yield path
    finally:
        path.unlink(missing_ok=True)


def scratch_folder() -> Path:
    return Path(settings.DATA_DIR) / "arriving"


def clear_scratch(*, older_than_s: float) -> None:
    """Delete temporary files of processes that died."""
    before = time.time() - older_than_s
    for path in scratch_folder().glob("*"):
        if path.stat().st_mtime < before:
            path.unlink(missing_ok=True)


def _store() -> Storage:
    return storages[ALIAS]


@contextmanager
def _translated_errors() -> Iterator[None]:
    """Raise StoreUnavailable for the client's errors about an unreachable server."""
    try:
        yield
    except getattr(_store(), "failures", ()) as error:
        raise StoreUnavailable(f"file store: {type(error).__name__}") from error
