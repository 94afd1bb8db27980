"""Write a copy of all that is kept of a person."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from learnagent.accounts.models import Person
from learnagent.accounts.personal_data.archive import write_copy


class Command(BaseCommand):
    help = "Writes all data stored about NAME to FILE, a ZIP of JSON and CSV that only its owner can read."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", metavar="NAME")
        parser.add_argument("--to", metavar="FILE", type=Path, required=True)

    def handle(self, *args: Any, name: str, to: Path, **options: Any) -> None:
        person = Person.objects.filter(username=Person.normalize_username(name)).first()
        if person is None:
            raise CommandError(f"There is no account {name}.")
        try:
            size = write_copy(person, to)
        except OSError as error:
            raise CommandError(f"{to} cannot be written: {error.strerror}.") from None
        self.stdout.write(f"{to}: {size} bytes")
