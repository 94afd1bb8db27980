"""Making a backup."""

import os
import re
from pathlib import Path

from django.db import connection
from django.utils import timezone

from learnagent.backups.archive import Archive, ArchiveWriter
from learnagent.backups.database_facts import read_facts
from learnagent.backups.databases import own_engine
from learnagent.backups.faults import BackupFault
from learnagent.backups.manifest import Manifest, program_version
from learnagent.backups.stored_files import add_local_files, add_stored_files
from learnagent.backups.verification import verify_backup
from learnagent.backups.work_folder import work_folder

DATED_NAME = "learnagent-{:%Y%m%dT%H%M%SZ}.zip"
IS_DATED = re.compile(r"learnagent-\d{8}T\d{6}Z\.zip")


def write_backup(path: Path) -> Manifest:
    """Write a backup to this path, verified, whole or not at all; return what is in it. Raises BackupFault, OSError.

    A backup of the same name is replaced, another file never.
    """
    _check_target(path)
    with work_folder(path.parent) as work:
        unfinished = work / "backup.zip"
        _write(unfinished, work)
        manifest = verify_backup(unfinished, work)
        _sync(unfinished)
        unfinished.replace(path)
        _sync(path.parent)
    return manifest


def write_dated_backup(folder: Path, *, keep: int) -> tuple[Path, Manifest]:
    """Write a backup with the date in its name, then delete the oldest of such names until only `keep` are left."""
    path = folder / DATED_NAME.format(timezone.now())
    manifest = write_backup(path)
    dated = sorted(each for each in folder.iterdir() if IS_DATED.fullmatch(each.name))
    for old in dated[:-keep]:
        old.unlink()
    return path, manifest


def still_named(missing: tuple[str, ...]) -> list[str]:
    """Return the missing files that rows name even now: they were lost, not deleted while the backup was made."""
    with connection.cursor() as cursor:
        now = read_facts(cursor, own_engine().list_tables(cursor))
    return sorted({*missing} & {*now.files})


def _check_target(path: Path) -> None:
    if not path.parent.is_dir():
        raise BackupFault(f"There is no folder {path.parent}.")
    if path.is_dir():
        raise BackupFault(f"{path} is a folder. To write backups with dated names to it, add --keep.")
    if path.exists():
        try:
            Archive(path).close()
        except BackupFault:
            raise BackupFault(f"{path} exists and is not a backup. Choose another name.") from None


def _write(path: Path, work: Path) -> None:
    engine, made_at = own_engine(), timezone.now()
    database = work / engine.FILE
    facts = engine.copy_database(database)
    with ArchiveWriter(path) as archive:
        archive.add_path(engine.FILE, database)
        # The next step, to verify it, needs the room for another copy.
        database.unlink()
        missing = add_stored_files(archive, facts.files)
        add_local_files(archive, work)
        archive.add_manifest(
            Manifest(
                program=program_version(),
                made_at=made_at,
                engine=connection.vendor,
                engine_version=engine.version(),
                migrations=facts.migrations,
                rows=facts.rows,
                files=archive.files,
                missing=missing,
            )
        )


def _sync(path: Path) -> None:
    """Return once the file, or the folder's list of names, is on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
