"""Entries of .zip and .tar.gz files, checked before they are decompressed; nothing is extracted to disk."""

import gzip
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import PureWindowsPath
from stat import S_ISLNK
from typing import BinaryIO

from conversations.readers.document import Problem, Unreadable

MAX_INFLATED = 50 * 1024 * 1024
MAX_RATIO = 100
ANY_RATIO = 1024 * 1024
"""Number of bytes that may be decompressed at any ratio, because a small .tar is mostly padding."""
MAX_ENTRIES = 2_000
MAX_DIRECTORY = 1024 * 1024
"""Maximum size in bytes of a zip's directory, which is read all at once."""
BLOCK = 512
END_OF_ZIP = b"PK\x05\x06"
END_OF_ZIP_BYTES = 22
ZIP64 = b"PK\x06\x07"
ZIP64_BYTES = 20
MAX_COMMENT = 0xFFFF


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveEntry:
    name: str
    size: int
    """Decompressed bytes."""
    content: Callable[[], bytes]
    """Decompresses the entry. In a .tar.gz, it must be called before the next entry is read."""


def zip_entries(file: BinaryIO) -> list[ArchiveEntry]:
    """Return a zip's files. Raises Unreadable if it is too large or names paths outside itself."""
    size = file.seek(0, 2)
    _check_directory(file, size)
    try:
        archive = zipfile.ZipFile(file)
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise Unreadable(Problem.DAMAGED) from error
    infos = archive.infolist()
    _check_amount(sum(info.file_size for info in infos), size=size, entries=len(infos))
    for info in infos:
        _check_name(info.filename)
        if S_ISLNK(info.external_attr >> 16):
            raise Unreadable(Problem.UNSAFE_NAMES)
        if info.flag_bits & 1:
            raise Unreadable(Problem.ENCRYPTED)
    return [
        ArchiveEntry(name=info.filename, size=info.file_size, content=partial(_inflated, archive, info))
        for info in infos
        if not info.is_dir()
    ]


def _inflated(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    try:
        return archive.read(info)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError, OSError) as error:
        raise Unreadable(Problem.DAMAGED) from error


def _check_directory(file: BinaryIO, size: int) -> None:
    """Check the end of a zip before `zipfile` does, which would read a million entries into memory."""
    file.seek(max(0, size - END_OF_ZIP_BYTES - MAX_COMMENT - ZIP64_BYTES))
    tail = file.read()
    end = tail.rfind(END_OF_ZIP)
    if end < 0 or len(tail) - end < END_OF_ZIP_BYTES:
        raise Unreadable(Problem.DAMAGED)
    entries, directory = struct.unpack("<HI", tail[end + 10 : end + 16])
    if entries > MAX_ENTRIES or directory > MAX_DIRECTORY or tail[max(0, end - ZIP64_BYTES) : end].startswith(ZIP64):
        raise Unreadable(Problem.TOO_LARGE)
    file.seek(0)


def tar_entries(file: BinaryIO) -> Iterator[ArchiveEntry]:
    """Yield a .tar.gz's files, one by one. Raises Unreadable as soon as a limit is exceeded."""
    size = file.seek(0, 2)
    file.seek(0)
    try:
        yield from _members(gzip.GzipFile(fileobj=file), size=size)
    except (tarfile.HeaderError, zlib.error, EOFError, gzip.BadGzipFile) as error:
        raise Unreadable(Problem.DAMAGED) from error


def _members(stream: gzip.GzipFile, *, size: int) -> Iterator[ArchiveEntry]:
    """Parse the headers ourselves: `tarfile` would keep a name of 50 MB in memory, and read it twice."""
    entries = 0
    while (header := stream.read(BLOCK)) and header.strip(b"\0"):
        member = tarfile.TarInfo.frombuf(header, "utf-8", "surrogateescape")
        entries += 1
        end = stream.tell() + -(-member.size // BLOCK) * BLOCK
        if member.size < 0:
            raise Unreadable(Problem.DAMAGED)
        _check_amount(end, size=size, entries=entries)
        _check_name(member.name)
        if member.issym() or member.islnk() or member.isdev():
            raise Unreadable(Problem.UNSAFE_NAMES)
        if member.isreg():
            yield ArchiveEntry(name=member.name, size=member.size, content=partial(_read_exactly, stream, member.size))
        stream.seek(end)
        if stream.tell() != end:
            raise EOFError


def _read_exactly(stream: gzip.GzipFile, length: int) -> bytes:
    content = stream.read(length)
    if len(content) != length:
        raise Unreadable(Problem.DAMAGED)
    return content


def _check_amount(inflated: int, *, size: int, entries: int) -> None:
    if inflated > min(MAX_INFLATED, max(ANY_RATIO, size * MAX_RATIO)) or entries > MAX_ENTRIES:
        raise Unreadable(Problem.TOO_LARGE)


def _check_name(name: str) -> None:
    # The Windows path rules cover both kinds of slashes, and drives.
    path = PureWindowsPath(name)
    if path.drive or path.root or ".." in path.parts or "\0" in name:
        raise Unreadable(Problem.UNSAFE_NAMES)
