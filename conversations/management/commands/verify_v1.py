"""Management command `verify_v1`: compares a v1 file, or v1's storage, with what is stored here."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from conversations.v1_storage.divergence import measure_divergence
from conversations.v1_storage.modes import StorageMode
from conversations.v1_storage.v1_file import UnusableFile, V1File
from conversations.v1_storage.verifier import Verification, verify_file


class Command(BaseCommand):
    help = "Compares a v1 file with both stores or, without a file, the two stores. Exits with 1 if they differ."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path, nargs="?")

    def handle(self, *args: Any, file: Path | None, **options: Any) -> None:
        if file is None:
            self._compare_storages()
            return
        try:
            with V1File(file) as opened:
                result = verify_file(opened, opened.summarize())
        except UnusableFile as error:
            raise CommandError(str(error)) from None
        self.stdout.write(_describe(result))
        if not result.is_equal:
            raise CommandError(f"{result.different} rows and {result.different_conversations} sessions differ.")

    def _compare_storages(self) -> None:
        found = measure_divergence(StorageMode.DUAL)
        if found.total:
            raise CommandError(
                f"{found.total} exchanges differ: {found.without_turn} only in v1's storage, "
                f"{found.without_capture} only in v2's, {found.different} with different texts."
            )
        self.stdout.write("equal")


def _describe(result: Verification) -> str:
    counted = (
        f"{result.rows} rows in {result.conversations} sessions: {result.equal} in both storages, "
        f"{result.orphaned} without an owner, {result.rejected} rejected and reported"
    )
    return "\n".join([f"{'equal' if result.is_equal else 'different'}: {counted}", *result.differences])
