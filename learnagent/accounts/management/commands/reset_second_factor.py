"""Remove an admin's second factor."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from learnagent.accounts.authentication.second_factor import remove_factor
from learnagent.accounts.authentication.sessions import end_sessions
from learnagent.accounts.models import Person


class Command(BaseCommand):
    help = "Removes the second factor of NAME, who has lost the phone and the recovery codes, and signs NAME out."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", metavar="NAME")

    def handle(self, *args: Any, name: str, **options: Any) -> None:
        person = Person.objects.filter(username=Person.normalize_username(name)).first()
        if person is None:
            raise CommandError(f"There is no account {name}.")
        if not remove_factor(person):
            raise CommandError(f"{name} has no second factor.")
        end_sessions(person)
        self.stdout.write(f"{name} now signs in without a code.")
