"""The file of a backup: a ZIP, whose names and sizes are known before anything of it is decompressed.

A backup may come from somebody else, so nothing in it is believed: only known names are taken, none leads out of the folder
it is extracted to, and each file must have the size and the hash that the manifest says.
"""

import hashlib
import shutil
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from stat import S_IFMT, S_IFREG
from typing import IO, Any, Self

from learnagent.backups.databases import ENGINES
from learnagent.backups.faults import BackupFault
from learnagent.backups.manifest import FileEntry, Manifest, parse_manifest
from learnagent.operations.health import MIN_FREE_BYTES

MANIFEST = "manifest.json"
SECRET_KEY = "secret_key"
UPLOADS, EXPORTS, COURSES, MAIL = "uploads", "copies", "courses", "mail"
FOLDERS = (UPLOADS, EXPORTS, COURSES, MAIL)
PIECE_BYTES = 256 * 1024
MANIFEST_BYTES, MANIFEST_BYTES_PER_ENTRY = 1_000_000, 1_000
"""The largest manifest, in all and for each entry of the archive."""
ANY_RATIO, MAX_RATIO = 1024**3, 200
"""Bytes that may be decompressed at any ratio, and the ratio that is allowed beyond."""
UNREADABLE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError, RuntimeError)
"""What `zipfile` raises for a damaged or unusual file."""


class ArchiveWriter:
    """Writes a backup, and notes the size and the hash of each file."""

    def __init__(self, path: Path) -> None:
        self._zip = zipfile.ZipFile(path, "x", zipfile.ZIP_DEFLATED)
        self.files: dict[str, FileEntry] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: Any) -> None:
        self._zip.close()

    def add(self, name: str, file: IO[bytes]) -> None:
        """Add a file under this name."""
        digest, size = hashlib.sha256(), 0
        with self._zip.open(name, "w", force_zip64=True) as entry:
            while piece := file.read(PIECE_BYTES):
                digest.update(piece)
                size += len(piece)
                entry.write(piece)
        self.files[name] = FileEntry(size=size, sha256=digest.hexdigest())

    def add_path(self, name: str, path: Path) -> None:
        with path.open("rb") as file:
            self.add(name, file)

    def add_manifest(self, manifest: Manifest) -> None:
        self._zip.writestr(MANIFEST, manifest.model_dump_json(indent=1))


class Archive:
    """A backup to be read. Opening it checks its names, its sizes and its manifest; raises BackupFault, OSError."""

    def __init__(self, path: Path) -> None:
        try:
            self._zip = zipfile.ZipFile(path)
        except UNREADABLE:
            raise BackupFault("The file is not a backup, or it is incomplete.") from None
        try:
            self._bytes = path.stat().st_size
            self._check_entries()
            self.manifest = self._read_manifest()
        except BaseException:
            self._zip.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def close(self) -> None:
        self._zip.close()

    def check(self, name: str) -> None:
        """Compare a file with the manifest. Raises BackupFault."""
        for _piece in self._pieces(name):
            pass

    def extract(self, name: str, path: Path) -> None:
        """Write a file to a new path, compared with the manifest. Raises BackupFault, OSError."""
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as file:
            for piece in self._pieces(name):
                file.write(piece)

    def check_room(self, folder: Path, names: Iterable[str]) -> None:
        """Raise BackupFault if these files do not fit on the folder's disk."""
        needed, free = sum(self.manifest.files[name].size for name in names), shutil.disk_usage(folder).free
        if needed + MIN_FREE_BYTES > free:
            raise BackupFault(
                f"The backup takes {needed / 1e9:.1f} GB, but only {free / 1e9:.1f} GB are free on the disk of {folder}."
            )

    def _pieces(self, name: str) -> Iterator[bytes]:
        digest, size = hashlib.sha256(), 0
        try:
            with self._zip.open(name) as entry:
                while piece := entry.read(PIECE_BYTES):
                    digest.update(piece)
                    size += len(piece)
                    yield piece
        except UNREADABLE:
            raise BackupFault(f"The backup is damaged: {name!r}.") from None
        if FileEntry(size=size, sha256=digest.hexdigest()) != self.manifest.files[name]:
            raise BackupFault(f"The backup is damaged: {name!r}.")

    def _check_entries(self) -> None:
        entries = self._zip.infolist()
        names = {entry.filename for entry in entries}
        if MANIFEST not in names:
            raise BackupFault("The file is not a backup: it has no manifest.")
        for entry in entries:
            if not _is_known(entry.filename) or S_IFMT(entry.external_attr >> 16) not in (0, S_IFREG):
                raise BackupFault(f"The file has an entry that no backup has: {entry.filename!r}.")
            is_plain = not entry.flag_bits & 1 and entry.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
            if not is_plain or not 0 <= entry.header_offset < self._bytes:
                raise BackupFault(f"The file has an entry that is stored as in no backup: {entry.filename!r}.")
        if len(names) < len(entries):
            raise BackupFault("The file has two entries of the same name.")
        if sum(entry.file_size for entry in entries) > max(ANY_RATIO, MAX_RATIO * self._bytes):
            raise BackupFault("The entries of the file would become too large.")

    def _read_manifest(self) -> Manifest:
        names = {*self._zip.namelist()} - {MANIFEST}
        if self._zip.getinfo(MANIFEST).file_size > MANIFEST_BYTES + MANIFEST_BYTES_PER_ENTRY * len(names):
            raise BackupFault("The manifest of the backup is too large.")
        try:
            manifest = parse_manifest(self._zip.read(MANIFEST))
        except UNREADABLE:
            raise BackupFault("The manifest of the backup is damaged.") from None
        if different := names ^ manifest.files.keys():
            raise BackupFault(f"The manifest of the backup does not match its entries: {min(different)!r}.")
        for name, file in manifest.files.items():
            # So that no more is decompressed than there is room for.
            if self._zip.getinfo(name).file_size != file.size:
                raise BackupFault(f"The backup is damaged: {name!r}.")
        if ENGINES[manifest.engine].FILE not in names:
            raise BackupFault("The backup has no database of the kind that its manifest names.")
        return manifest


def _is_known(name: str) -> bool:
    """Tell whether a backup may have an entry of this name; one that leads out of its folder may not be."""
    path = PurePosixPath(name)
    if str(path) != name or "\\" in name or "\0" in name or ".." in path.parts:
        return False
    if len(path.parts) == 1:
        return name in {MANIFEST, SECRET_KEY, *(engine.FILE for engine in ENGINES.values())}
    return path.parts[0] in FOLDERS
