"""Management command `import_v1`: brings the conversations of a v1 SQLite file over."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError, CommandParser

from conversations.models import V1Import, V1RowProblem
from conversations.v1_storage.importer import OtherOwner, import_file
from conversations.v1_storage.owners import BadMapping, SessionOwners, read_mapping
from conversations.v1_storage.row_cleaning import NEIGHBOURS, clean_row
from conversations.v1_storage.v1_file import FileSummary, UnusableFile, V1File

REPORTED_EVERY = 10_000
"""Rows between two lines about the progress."""


class Command(BaseCommand):
    help = "Imports the conversations of a v1 SQLite file. If interrupted, run it again to continue the import."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path)
        whose = parser.add_mutually_exclusive_group()
        whose.add_argument("--owner", metavar="NAME", help="the person to whom all conversations belong")
        whose.add_argument(
            "--owners", metavar="CSV", type=Path, help="file with session_id,username lines; others get no owner"
        )
        parser.add_argument("--report", metavar="JSONL", type=Path, help="where problems with rows are written")
        parser.add_argument("--dry-run", action="store_true", help="only read the file and report its problems")

    def handle(
        self, *args: Any, file: Path, owner: str | None, owners: Path | None, report: Path | None, **options: Any
    ) -> None:
        try:
            whose = _owners(owner, owners)
            with V1File(file) as opened:
                summary = opened.summarize()
                if options["dry_run"]:
                    self._report_only(opened, summary, whose)
                    return
                run = import_file(opened, summary, whose, progress=self._show_progress)
        except (UnusableFile, BadMapping) as error:
            raise CommandError(str(error)) from None
        except OtherOwner as error:
            raise CommandError(
                f"{file.name} was imported for {error} before. To assign conversations, use --owners or the admin page."
            ) from None
        if report is not None:
            _write_report(run, report)
        self.stdout.write(_describe(run))

    def _show_progress(self, run: V1Import) -> None:
        if run.handled % REPORTED_EVERY == 0:
            self.stderr.write(f"{run.handled} of {run.total} rows")

    def _report_only(self, file: V1File, summary: FileSummary, owners: SessionOwners) -> None:
        problems: Counter[str] = Counter()
        rejected = orphaned = 0
        for row in file.rows(upto=summary.last_row):
            clean = clean_row(
                row,
                encoding=file.encoding,
                timestamps_around=lambda number: file.timestamps_around(number, at_most=NEIGHBOURS),
                is_duplicate=row.row in summary.duplicates,
            )
            rejected += clean.is_rejected
            orphaned += not clean.is_rejected and owners.owner_key(clean.session_id) is None
            problems.update(str(reason) for reason in {each.reason for each in clean.problems})
        self.stdout.write(
            f"{summary.total} rows: {summary.total - rejected - orphaned} can be imported, {orphaned} without an owner, "
            f"{rejected} would be rejected; nothing was written"
        )
        for reason, count in problems.most_common():
            self.stdout.write(f"  {reason}: {count}")


def _owners(name: str | None, mapping: Path | None) -> SessionOwners:
    if mapping is not None:
        return read_mapping(mapping)
    if name is None:
        return SessionOwners()
    person = get_user_model().objects.filter(username=name).first() if "\x00" not in name else None
    if person is None:
        raise CommandError(f"There is no person {name}.")
    return SessionOwners(everybody=person)


def _describe(run: V1Import) -> str:
    problems = Counter(str(reason) for reason in run.problems.values_list("reason", flat=True))
    lines = [
        f"{run.name}: {run.handled} of {run.total} rows",
        f"imported: {run.imported}",
        f"imported before: {run.already_there}",
        f"without an owner: {run.captures.filter(owner=None).count()}",
        f"rejected: {run.rejected}",
        *(f"  {reason}: {count}" for reason, count in problems.most_common()),
    ]
    return "\n".join(lines)


def _write_report(run: V1Import, path: Path) -> None:
    """Write a JSON line for each problem, without the texts of rows that were imported."""
    fields = ("row", "v1_id", "session_id", "reason", "is_rejected", "detail", "raw")
    try:
        with path.open("w", encoding="utf-8") as file:
            for row in V1RowProblem.objects.filter(source=run).order_by("row", "pk").values(*fields).iterator():
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
    except OSError as error:
        raise CommandError(f"The report could not be written to {path}: {error.strerror}") from None
