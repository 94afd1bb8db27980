"""Restoring a backup: checked before anything is changed, and undone if it fails midway."""

import os
import shutil
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path

from django.conf import settings
from django.core.cache import cache
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone

from conversations.library import file_store
from conversations.processes import heartbeats
from learnagent.accounts.models import BrowserSession, SignInLink
from learnagent.backups.archive import COURSES, MAIL, SECRET_KEY, Archive
from learnagent.backups.database_facts import check_rows, count_rows
from learnagent.backups.databases import ENGINES, own_engine
from learnagent.backups.faults import BackupFault
from learnagent.backups.manifest import ENGINE_NAMES, Manifest
from learnagent.backups.stored_files import key_file, saved_mail, stored_names
from learnagent.backups.work_folder import work_folder
from learnagent.operations.database_readiness import exclusive_preparation
from tutoring.course_storage import imports_folder

REPLACED = "replaced"
"""The folder in the data folder that keeps what restorations replaced."""
RUNNING = (
    "The site is running on this data. Stop its server and workers first. (A process that was killed on another machine "
    "counts as running for up to a minute.)"
)


def restore_backup(path: Path, *, replace: bool, tell: Callable[[str], object]) -> tuple[Manifest, Path | None]:
    """Put a backup in the place of the database and the files; return what was in it, and where the old data are.

    Raises BackupFault, OSError, DatabaseError; then everything is as before. Everybody has to sign in again afterwards, and
    unused sign-in links and cards no longer work: they may have been ended or used after the backup was made.
    """
    with Archive(path) as archive, exclusive_preparation(tell):
        _check_fits(archive.manifest)
        _check_not_running()
        is_replacing = own_engine().has_tables() or bool(stored_names())
        if is_replacing and not replace:
            raise BackupFault(
                "There is data here already. To replace it by the backup, add --replace: the old data are kept aside."
            )
        folder = Path(settings.DATA_DIR)
        with work_folder(folder) as work:
            _extract(archive, work)
            # That takes a while, in which a worker may have been started.
            _check_not_running()
            kept = folder / REPLACED if is_replacing else work / REPLACED
            aside = kept / f"{timezone.now():%Y%m%dT%H%M%S.%fZ}"
            aside.mkdir(parents=True)
            try:
                _put_in_place(archive.manifest, work, aside)
            except BaseException:
                if aside.exists():
                    tell(f"Not all of the old data could be put back. The rest is in {aside}.")
                raise
        os.sync()
    return archive.manifest, aside if is_replacing else None


def _check_fits(manifest: Manifest) -> None:
    if manifest.engine != connection.vendor:
        theirs, ours = ENGINE_NAMES[manifest.engine], ENGINE_NAMES[connection.vendor]
        raise BackupFault(f"The backup is of {theirs}, but DATABASE_URL means {ours} here. Restore it to {theirs}.")
    known = MigrationLoader(None).disk_migrations
    replaced = {old for migration in known.values() for old in migration.replaces}
    if unknown := [each for each in manifest.migrations if each not in known and each not in replaced]:
        raise BackupFault(
            f"The backup was made by a newer learnagent ({manifest.program!r}) than this one, which does not know its "
            f"migration {'.'.join(unknown[0])!r}. Update this one first."
        )


def _check_not_running() -> None:
    try:
        living = heartbeats.living_processes("web") + heartbeats.living_processes("worker")
    except DatabaseError:
        # There are no tables yet, or they are damaged.
        living = []
    if living or own_engine().is_in_use():
        raise BackupFault(RUNNING)


def _extract(archive: Archive, work: Path) -> None:
    """Extract everything and check it."""
    engine, names = ENGINES[archive.manifest.engine], archive.manifest.files
    archive.check_room(work, names)
    for name in names:
        archive.extract(name, work / name)
    engine.check_copy(work / engine.FILE, archive.manifest)


def _put_in_place(manifest: Manifest, work: Path, aside: Path) -> None:
    """Put what was extracted in place, and what is there now in the folder `aside`; undo all of it if it fails."""
    engine = own_engine()
    with ExitStack() as undo:
        undo.callback(_remove_empty_folders, aside)
        engine.replace_database(work / engine.FILE, aside=aside)
        undo.callback(engine.put_back, aside)
        with connection.cursor() as cursor:
            check_rows(count_rows(cursor, engine.list_tables(cursor)), manifest.rows)
        call_command("migrate", verbosity=0)
        _end_old_sign_ins()
        _replace_stored_files(manifest, work, aside, undo)
        _replace_local_files(manifest, work, aside, undo)
        cache.clear()
        undo.pop_all()


@transaction.atomic
def _end_old_sign_ins() -> None:
    BrowserSession.objects.all().delete()
    SignInLink.objects.all().delete()
    heartbeats.remove_all_heartbeats()


def _replace_stored_files(manifest: Manifest, work: Path, aside: Path, undo: ExitStack) -> None:
    """Put the files in the file store, so that no others are there. One of the same name is the same file."""
    before = {*stored_names()}
    for name in before - manifest.files.keys():
        file_store.take_out(name, aside / name)
        undo.callback(_return_to_store, aside / name, name)
    for name in manifest.stored_files:
        file_store.keep(work / name, name)
        if name not in before:
            undo.callback(file_store.remove, name)


def _return_to_store(path: Path, name: str) -> None:
    file_store.keep(path, name)
    path.unlink(missing_ok=True)


def _replace_local_files(manifest: Manifest, work: Path, aside: Path, undo: ExitStack) -> None:
    def move(source: Path, target: Path) -> None:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(source, target)
        undo.callback(shutil.move, target, source)

    if SECRET_KEY in manifest.files and (key := key_file()):
        if key.exists():
            move(key, aside / SECRET_KEY)
        move(work / SECRET_KEY, key)
    if imports_folder().exists():
        move(imports_folder(), aside / COURSES)
    if (work / COURSES).exists():
        move(work / COURSES, imports_folder())
    for path in saved_mail():
        move(path, aside / MAIL / path.name)
    if settings.MAIL_FOLDER:
        for path in (work / MAIL).glob("*"):
            move(path, Path(settings.MAIL_FOLDER) / path.name)


def _remove_empty_folders(folder: Path) -> None:
    for each in [*sorted(folder.rglob("*"), reverse=True), folder, folder.parent]:
        with suppress(OSError):
            each.rmdir()
