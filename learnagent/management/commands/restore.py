"""`manage.py restore`: puts a backup in place."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from conversations.models import Session
from learnagent.accounts.models import Person
from learnagent.backups.archive import MAIL, SECRET_KEY
from learnagent.backups.faults import told_in_one_line
from learnagent.backups.manifest import Manifest
from learnagent.backups.restoration import restore_backup
from learnagent.backups.stored_files import key_file


class Command(BaseCommand):
    help = "Restores the backup FILE, made by the command backup. The site must not be running."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path)
        parser.add_argument("--replace", action="store_true", help="replace the data that is here, and keep it aside")

    def handle(self, *args: Any, file: Path, replace: bool, **options: Any) -> None:
        with told_in_one_line(file):
            manifest, aside = restore_backup(file, replace=replace, tell=self.stdout.write)
        self._tell("backup", manifest.summary())
        self._tell("database", f"integrity ok, {sum(manifest.rows.values())} rows in {len(manifest.rows)} tables")
        self._tell("people", str(Person.objects.count()))
        self._tell("conversations", str(Session.objects.count()))
        self._tell("files", f"{len(manifest.stored_files)} uploads and exports{_missing(manifest)}")
        self._tell("sign-in", "everybody has to sign in again; print new sign-in cards")
        for part, says in _to_be_done(manifest):
            self._tell(part, says)
        if aside is not None:
            self._tell("old data", f"kept in {aside}: delete it when you no longer need it")

    def _tell(self, part: str, says: str) -> None:
        self.stdout.write(f"{part:<14} {says}")


def _missing(manifest: Manifest) -> str:
    return f"; {len(manifest.missing)} were missing in the backup" if manifest.missing else ""


def _to_be_done(manifest: Manifest) -> list[tuple[str, str]]:
    """Return what the operator still has to do, by part."""
    todo = []
    if SECRET_KEY not in manifest.files:
        todo.append(("secret key", "not in the backup: set SECRET_KEY to the value that the original site had"))
    elif key_file() is None:
        todo.append(("secret key", "the backup's is not used, because SECRET_KEY is set"))
    if not settings.MAIL_FOLDER and any(name.startswith(f"{MAIL}/") for name in manifest.files):
        todo.append(("mail", "saved mail was not restored, because EMAIL_URL names a mail server"))
    return todo
