"""A new password by mail: a link that works once and for an hour, to the address that the account has."""

from datetime import timedelta

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.db import transaction
from django.db.models import Q
from django.tasks import task
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from agents.event_log import get_logger
from learnagent.accounts.authentication.rate_limits import Throttle, TooManyTries
from learnagent.accounts.authentication.sessions import end_sessions
from learnagent.accounts.mail import send_mail
from learnagent.accounts.models import Person

logger = get_logger(__name__)

RESETS = Throttle(name="reset", limit=10, window_s=600)
"""Requests for one name from one address."""
RESETS_FROM = Throttle(name="reset-from", limit=60, window_s=600)
"""Requests from one address, for any names: each one creates a job."""
RESET_MAILS = Throttle(name="reset-mail", limit=3, window_s=3600)
"""Mails to one person, whoever asks for them."""
MAX_ACCOUNTS = 10
"""Accounts with one address, which a family may share."""
SEND_ATTEMPTS, RETRY_PAUSE = 3, timedelta(minutes=1)

tokens = PasswordResetTokenGenerator()
"""Django's: the token depends on the password's hash, so it expires once there is a new password."""


def request_reset(typed: str, *, address: str) -> None:
    """Let a mail be sent to whoever has this username or email address. Raises TooManyTries.

    Nothing tells whether there was somebody: the job is ordered in any case, and the mail is sent by the worker.
    """
    if not (RESETS.count_try(typed.lower(), address) and RESETS_FROM.count_try(address)):
        raise TooManyTries(RESETS.window_s)
    named = Q(username=Person.normalize_username(typed)) | Q(email=typed.lower())
    found = Person.objects.filter(named, is_active=True).exclude(email="").order_by("pk")[:MAX_ACCOUNTS]
    send_reset_mails.enqueue([person.pk for person in found if RESET_MAILS.count_try(person.pk)])


@task
def send_reset_mails(people: list[int], tries: int = 1) -> None:
    """Send each of them a link; those that a mail server does not take are tried again, a few times."""
    unsent = [
        person.pk for person in Person.objects.filter(pk__in=people, is_active=True) if not _send_reset_mail(person)
    ]
    if unsent and tries < SEND_ATTEMPTS:
        send_reset_mails.using(run_after=timezone.now() + RETRY_PAUSE).enqueue(unsent, tries + 1)


def _send_reset_mail(person: Person) -> bool:
    try:
        with translation.override(person.language):
            send_mail(person, subject=_("Reset your learnagent password"), text=_reset_text(person))
    except OSError as error:  # A mail server's own words hold the address.
        logger.warning("mail_not_sent", error=type(error).__name__)
        return False
    return True


def _reset_text(person: Person) -> str:
    return _(
        "Someone, probably you, asked for a new password for the account %(name)s.\n\nOpen this link to choose "
        "one. You can use it once, within one hour:\n\n%(address)s\n\nIf it wasn’t you, you don’t need to do anything: "
        "your password will stay the same.\n"
    ) % {"name": person.username, "address": reset_address(person)}


def reset_address(person: Person) -> str:
    """Return a whole address at which the person sets a new password."""
    path = reverse("accounts:reset", args=[f"{person.pk}.{tokens.make_token(person)}"])
    return f"{settings.PUBLIC_URL}{path}"


def person_for_reset(raw: str) -> Person | None:
    """Return whose new password the link would set."""
    return _find_person(raw, lock=False)


def use_reset(raw: str, password: str) -> Person | None:
    """Set the password and sign out whoever was signed in; None if the link was used meanwhile, or is too old."""
    # Hashed before the transaction: nobody else could write while it takes its time.
    return _set_password(raw, make_password(password))


@transaction.atomic
def _set_password(raw: str, hashed: str) -> Person | None:
    person = _find_person(raw, lock=True)
    if person is None:
        return None
    person.password = hashed
    person.save(update_fields=["password"])
    end_sessions(person)
    return person


def _find_person(raw: str, *, lock: bool) -> Person | None:
    number, _dot, token = raw.partition(".")
    if not (number.isascii() and number.isdigit() and len(number) < 19):
        return None
    people = Person.objects.select_for_update() if lock else Person.objects.all()
    person = people.filter(pk=int(number), is_active=True).first()
    return person if person and tokens.check_token(person, token) else None
