"""Create an account, or change what is named of one."""

import sys
from argparse import BooleanOptionalAction
from typing import Any

from django.contrib.auth.hashers import make_password
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from learnagent.accounts.forms import MAX_PASSWORD
from learnagent.accounts.models import AgeBand, Person, Role
from tutoring.classes.membership import ClassCodeTaken, ClassNotFound, InvalidClassCode, join_class, make_class
from tutoring.models import Membership


class Command(BaseCommand):
    help = "Creates the account NAME, or changes its settings as given. Running it again changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", metavar="NAME")
        parser.add_argument("--role", choices=Role.values, help="required for a new account")
        parser.add_argument("--password-stdin", action="store_true", help="read the password from standard input")
        parser.add_argument(
            "--class", dest="class_code", metavar="CODE", help=("add to this class; for a teacher, create it if needed")
        )
        parser.add_argument("--age-band", choices=AgeBand.values, help="age group; adult by default for a new account")
        parser.add_argument(
            "--consent",
            action=BooleanOptionalAction,
            default=None,
            help="record whether this adult agrees to have their words sent to outside models; ask them first",
        )

    def handle(self, *args: Any, name: str, **options: Any) -> None:
        # Read and hashed before the transaction: nobody else could write while that takes its time.
        hashed = _hashed(name, self._password()) if options["password_stdin"] else None
        with transaction.atomic():
            self._store(name, hashed, options)

    def _store(self, name: str, hashed: str | None, options: dict[str, Any]) -> None:
        person, created = _person_named(name, role=options["role"])
        _apply(person, created=created, hashed=hashed, **_named(options))
        try:
            person.full_clean()
        except ValidationError as error:
            raise CommandError(_one_line(error)) from None
        person.save()
        if options["class_code"]:
            _join(person, options["class_code"])
        self.stdout.write(f"{person.username}: {person.role}, {'created' if created else 'updated'}")

    def _password(self) -> str:
        password = sys.stdin.readline(MAX_PASSWORD + 2).rstrip("\r\n")
        if not password or len(password) > MAX_PASSWORD or "\x00" in password:
            raise CommandError(f"--password-stdin: enter one line of 1 to {MAX_PASSWORD} characters on standard input.")
        return password


def _named(options: dict[str, Any]) -> dict[str, Any]:
    return {name: options[name] for name in ("role", "age_band", "consent")}


def _hashed(name: str, password: str) -> str | None:
    """Return the password's hash; None where it is the person's already: again it would only sign them out everywhere.

    Raises CommandError for a password that the page would refuse.
    """
    username = Person.normalize_username(name)
    person = None if "\x00" in username else Person.objects.filter(username=username).first()
    if person and person.check_password(password):
        return None
    try:
        validate_password(password, person or Person(username=username))
    except ValidationError as error:
        raise CommandError(f"--password-stdin: {' '.join(error.messages)}") from None
    return make_password(password)


def _person_named(name: str, *, role: str | None) -> tuple[Person, bool]:
    """Return the person and whether they are new, not yet stored."""
    username = Person.normalize_username(name)
    # PostgreSQL refuses to look for a NUL: nobody has such a name, and the check of the new account says why.
    person = None if "\x00" in username else Person.objects.filter(username=username).first()
    if person is None and role is None:
        raise CommandError(f"There is no account {name}. To create it, add --role.")
    return person or Person(username=username), person is None


def _apply(
    person: Person, *, created: bool, hashed: str | None, role: str | None, age_band: str | None, consent: bool | None
) -> None:
    """Set what is named. Consent is given by being named alone."""
    person.role = role or person.role
    person.age_band = age_band or person.age_band
    if created:
        person.set_unusable_password()
    if consent and not person.is_adult:
        raise CommandError("--consent: only an adult can give consent.")
    if consent is not None and (consent != person.consent or person.consent_decided_at is None):
        person.set_consent(consent)
    if hashed is not None:
        person.password = hashed


def _join(person: Person, code: str) -> None:
    """Give the person a place in the class. A teacher's unknown code opens a class of that name."""
    teaches = person.role != Role.LEARNER
    role = Membership.Role.TEACHER if teaches else Membership.Role.LEARNER
    try:
        join_class(person, code, role=role)
    except ClassNotFound:
        if not teaches:
            raise CommandError(
                f"No class has the code {code}. To create it, use --class {code} for a teacher."
            ) from None
        _open_class(person, code)


def _open_class(person: Person, code: str) -> None:
    try:
        make_class(person, code, code=code)
    except InvalidClassCode:
        raise CommandError(f"--class {code}: a code can have up to 40 letters, digits, - and _.") from None
    except ClassCodeTaken:
        raise CommandError(f"The class {code} is archived. Restore it on its page first.") from None


def _one_line(error: ValidationError) -> str:
    return "; ".join(f"{field}: {' '.join(words)}" for field, words in error.message_dict.items())
