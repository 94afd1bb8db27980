"""Delete words that are older than classes agreed to keep them."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from tutoring.classes.retention import apply_retention


class Command(BaseCommand):
    """Run the nightly deletion now, or only count what it would delete."""

    help = "Delete conversations, messages and the words of answers that are older than classes agreed to keep them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="only print how much would be deleted")

    def handle(self, *args: Any, dry_run: bool = False, **options: Any) -> None:
        counts = apply_retention(dry_run=dry_run)
        for name in ("conversations", "answers", "messages"):
            self.stdout.write(f"{name} {counts[name]}")
