"""Erase a person and all that is kept of them."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from learnagent.accounts.models import Person
from learnagent.accounts.personal_data.erasure import close_account, run_erasure


class Command(BaseCommand):
    help = "Deletes the account NAME and all its data, and prints a receipt. Backups are not changed."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", metavar="NAME")
        parser.add_argument("--yes", action="store_true", help="required, because this cannot be undone")

    def handle(self, *args: Any, name: str, yes: bool, **options: Any) -> None:
        person = Person.objects.filter(username=Person.normalize_username(name)).first()
        if person is None:
            raise CommandError(f"There is no account {name}.")
        if not yes:
            raise CommandError(f"This deletes {name} for good. Add --yes to confirm.")
        erasure = close_account(person)
        try:
            run_erasure(erasure)
        except (DatabaseError, OSError) as error:
            raise CommandError(
                f"Not finished ({type(error).__name__}). The worker will continue, or you can run this again."
            ) from None
        for kind, number in erasure.counts.items():
            self.stdout.write(f"{kind} {number}")
        self.stdout.write(f"erased {erasure.finished_at:%Y-%m-%dT%H:%M:%SZ} receipt {erasure.pk}")
