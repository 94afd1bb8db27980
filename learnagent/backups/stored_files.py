"""What a backup holds beside the database: stored files, the files of courses, saved mail and the secret key."""

import shutil
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from django.conf import settings

from conversations.library import file_store
from learnagent.backups.archive import COURSES, EXPORTS, MAIL, SECRET_KEY, UPLOADS, ArchiveWriter
from learnagent.configuration.environment import environment
from tutoring.course_storage import imports_folder


def add_stored_files(archive: ArchiveWriter, names: Iterable[str]) -> tuple[str, ...]:
    """Add uploads and data exports from the file store; return those that are missing. Raises OSError."""
    missing = []
    for name in names:
        try:
            with file_store.open_file(name) as file:
                archive.add(name, file)
        except FileNotFoundError:
            missing.append(name)
    return tuple(missing)


def add_local_files(archive: ArchiveWriter, work: Path) -> None:
    """Add what lies in the data folder, and mail wherever it is saved. Raises OSError."""
    if key := key_file():
        archive.add_path(SECRET_KEY, key)
    for path in saved_mail():
        with suppress(FileNotFoundError):  # Somebody has taken it.
            archive.add_path(f"{MAIL}/{path.name}", path)
    for folder in sorted(imports_folder().glob("[!.]*/")):
        copy = work / COURSES / folder.name
        _copy_course(folder, copy)
        for path in sorted(copy.rglob("*")):
            if path.is_file() and not path.is_symlink():
                archive.add_path(path.relative_to(work).as_posix(), path)


def _copy_course(folder: Path, copy: Path) -> None:
    """Copy a course's folder, which may be replaced by a new version as a whole, or deleted."""
    with suppress(FileNotFoundError):
        while True:
            version = folder.stat().st_ino
            with suppress(FileNotFoundError, shutil.Error):
                shutil.copytree(folder, copy, symlinks=True)
            if folder.stat().st_ino == version:
                return
            shutil.rmtree(copy, ignore_errors=True)


def key_file() -> Path | None:
    """Return where the generated secret key is; None if SECRET_KEY is used instead."""
    return None if environment.SECRET_KEY.get_secret_value() else Path(settings.DATA_DIR) / SECRET_KEY


def saved_mail() -> list[Path]:
    """Return mail that was saved to files instead of being sent."""
    return sorted(Path(settings.MAIL_FOLDER).glob("*.log")) if settings.MAIL_FOLDER else []


def stored_names() -> list[str]:
    """Return the names of all uploads and data exports in the file store. Raises OSError."""
    return [*file_store.names_in(UPLOADS), *file_store.names_in(EXPORTS)]
