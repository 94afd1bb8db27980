"""Print a new API token."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from learnagent.accounts.authentication.api_tokens import (
    LIFETIME_DAYS,
    MAX_TOKENS,
    TooManyTokens,
    make_token,
    scopes_available_to,
)
from learnagent.accounts.models import Person, Scope

LONGEST_DAYS = 3650


class Command(BaseCommand):
    help = "Prints a new API token for NAME and nothing else. It is stored as a hash and cannot be shown again."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", metavar="NAME")
        parser.add_argument(
            "--scope",
            action="append",
            choices=Scope.values,
            help="a permission; repeat this option for more; all by default",
        )
        parser.add_argument(
            "--days", type=int, default=LIFETIME_DAYS, help=f"days until it expires, {LIFETIME_DAYS} by default"
        )

    def handle(self, *args: Any, name: str, scope: list[str] | None, days: int, **options: Any) -> None:
        if not 1 <= days <= LONGEST_DAYS:
            raise CommandError(f"--days must be from 1 to {LONGEST_DAYS}.")
        person = Person.objects.filter(username=Person.normalize_username(name)).first()
        if person is None:
            raise CommandError(f"There is no account {name}.")
        if missing := {*(scope or ())}.difference(scopes_available_to(person)):
            raise CommandError(f"--scope {', '.join(missing)}: {name} is not an admin.")
        try:
            self.stdout.write(make_token(person, label="create_token", scopes=scope, days=days))
        except TooManyTokens:
            raise CommandError(f"{name} already has {MAX_TOKENS} tokens, the maximum. Revoke one first.") from None
