"""`manage.py backup`: everything in one file, while the site runs."""

from argparse import ArgumentTypeError
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from learnagent.backups.faults import told_in_one_line
from learnagent.backups.manifest import Manifest
from learnagent.backups.record import record_backup
from learnagent.backups.verification import verify_backup
from learnagent.backups.writing import still_named, write_backup, write_dated_backup

SHOWN = 5
"""How many missing files are named."""


class Command(BaseCommand):
    help = "Writes the database, the stored files and the secret key to FILE and verifies it. The site can be running."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path)
        how = parser.add_mutually_exclusive_group()
        how.add_argument("--verify", action="store_true", help="only check the backup FILE, which was made before")
        how.add_argument(
            "--keep",
            metavar="N",
            type=_at_least_one,
            help="FILE is a folder: write a backup with a dated name to it, and delete all but the newest N of these",
        )

    def handle(self, *args: Any, file: Path, verify: bool, keep: int | None, **options: Any) -> None:
        with told_in_one_line(file):
            if verify:
                manifest = verify_backup(file, Path(settings.DATA_DIR))
            elif keep is not None:
                file, manifest = write_dated_backup(file, keep=keep)
            else:
                manifest = write_backup(file)
            if not verify:
                record_backup(manifest.made_at)
            self.stdout.write(f"{file}: {file.stat().st_size} bytes, verified. {manifest.summary()}")
            if manifest.missing and not verify:
                self._warn_of_missing(manifest)

    def _warn_of_missing(self, manifest: Manifest) -> None:
        if lost := still_named(manifest.missing):
            named = ", ".join(lost[:SHOWN]) + (", …" if len(lost) > SHOWN else "")
            self.stderr.write(f"warning: {len(lost)} files are in the database, but not in the file store: {named}")


def _at_least_one(typed: str) -> int:
    if not typed.isdecimal() or int(typed) < 1:
        raise ArgumentTypeError("must be a number from 1")
    return int(typed)
