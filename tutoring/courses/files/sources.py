"""Reads a course's files from its folder, and nothing from outside it."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from tutoring.courses.files.faults import CourseFaults, Fault

# Bounds against wrong folders; Fractions has about 1 MB in 100 files, 4,000 imported questions have 6 MB.
MAX_FILE_BYTES = 256 * 1024
MAX_FOLDER_BYTES = 16 * 1024 * 1024
MAX_FILES = 500
FORMAT_VERSION = 3
"""Part of every hash. Bump it if the shape of catalogue values changes, so that stored courses are renewed."""
READ_SUFFIXES = frozenset({".yaml", ".md", ".svg"})
SHIPPED = Path(__file__).resolve().parents[3] / "courses"
"""The folder of the site's own courses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """The texts of a course by relative path, and a hash of them."""

    name: str
    texts: dict[str, str]
    hash: str
    is_shipped: bool = False
    """Whether it is one of the site's own courses, whose drawings stand in pages."""


def read_sources(folder: Path) -> Sources:
    """Return every YAML, Markdown and SVG text of the folder.

    Raises CourseFaults for a missing folder, symbolic links, files that are too large or too many, and bad UTF-8.
    """
    if not folder.is_dir() or folder.is_symlink():
        raise CourseFaults([Fault(file=folder.name or str(folder), line=1, reason="this is not a folder")])
    paths = sorted(path for path in folder.rglob("*") if path.is_symlink() or path.suffix in READ_SUFFIXES)
    if len(paths) > MAX_FILES:
        raise CourseFaults([Fault(file=folder.name, line=1, reason=f"more than {MAX_FILES} files")])
    texts, faults = _read_all(folder, paths)
    if sum(map(len, texts.values())) > MAX_FOLDER_BYTES:
        faults.append(Fault(file=folder.name, line=1, reason=f"larger than {MAX_FOLDER_BYTES // 1024} KB in total"))
    if faults:
        raise CourseFaults(faults)
    is_shipped = folder.resolve().parent == SHIPPED
    return Sources(name=folder.resolve().name, texts=texts, hash=_hash(texts), is_shipped=is_shipped)


def sources_of(texts: dict[str, str], *, name: str = "") -> Sources:
    """Return a course whose files are not in a folder."""
    return Sources(name=name, texts=texts, hash=_hash(texts))


def _read_all(folder: Path, paths: list[Path]) -> tuple[dict[str, str], list[Fault]]:
    texts: dict[str, str] = {}
    faults: list[Fault] = []
    for path in paths:
        name = path.relative_to(folder).as_posix()
        try:
            texts[name] = _read(path)
        except ValueError as error:
            faults.append(Fault(file=name, line=1, reason=str(error)))
    return texts, faults


def _read(path: Path) -> str:
    if path.is_symlink() or not path.is_file():
        raise ValueError("a symbolic link or special file; only plain files and folders are read")
    with path.open("rb") as file:
        data = file.read(MAX_FILE_BYTES + 1)
    if len(data) > MAX_FILE_BYTES:
        raise ValueError(f"larger than {MAX_FILE_BYTES // 1024} KB")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError("not UTF-8 text") from None


def _hash(texts: dict[str, str]) -> str:
    digest = hashlib.sha256(f"format {FORMAT_VERSION}".encode())
    for name, text in sorted(texts.items()):
        data = text.encode()
        digest.update(f"{name}\0{len(data)}\0".encode() + data)
    return digest.hexdigest()
