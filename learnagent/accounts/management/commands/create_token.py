"""Print a new API token."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from learnagent.accounts.models import Person
from learnagent.accounts.tokens import MAX_TOKENS, TooManyTokens, make_token


class Command(BaseCommand):
    help = "Print a new API token for NAME and nothing else. It is stored as a hash and cannot be shown again."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", metavar="NAME")

    def handle(self, *args: Any, name: str, **options: Any) -> None:
        person = Person.objects.filter(username=Person.normalize_username(name)).first()
        if person is None:
            raise CommandError(f"Nobody is named {name}.")
        try:
            self.stdout.write(make_token(person, label="create_token"))
        except TooManyTokens:
            raise CommandError(f"{name} has {MAX_TOKENS} tokens, the most there can be: revoke one first.") from None
