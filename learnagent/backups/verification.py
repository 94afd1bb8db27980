"""Checking a backup without restoring it."""

from pathlib import Path

from learnagent.backups.archive import Archive
from learnagent.backups.databases import ENGINES
from learnagent.backups.manifest import Manifest
from learnagent.backups.work_folder import work_folder


def verify_backup(path: Path, scratch: Path) -> Manifest:
    """Check every hash, the database and its number of rows; return what is in the backup. Raises BackupFault, OSError.

    `scratch`: a folder with room for the database, only for as long as it is checked.
    """
    with Archive(path) as archive, work_folder(scratch) as work:
        engine = ENGINES[archive.manifest.engine]
        archive.check_room(work, [engine.FILE])
        archive.extract(engine.FILE, work / engine.FILE)
        engine.check_copy(work / engine.FILE, archive.manifest)
        for name in archive.manifest.files.keys() - {engine.FILE}:
            archive.check(name)
        return archive.manifest
