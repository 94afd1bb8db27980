"""The one way a mail goes to a person."""

from pathlib import Path

from django.conf import settings
from django.core.mail import EmailMessage

from learnagent.accounts.models import Person

PERSON_HEADER = "X-Learnagent-Person"
"""The person's number, so that their mail files can be found when their account is erased."""


def send_mail(person: Person, *, subject: str, text: str, to: str = "") -> None:
    """Send a plain text about the person to `to`, or to the person's own address, if there is one.

    Raises what the mail server does.
    """
    if not (to := to or person.email):
        return
    if settings.MAIL_FOLDER is not None:
        # A mail may hold a link that signs its reader in.
        Path(settings.MAIL_FOLDER).mkdir(mode=0o700, parents=True, exist_ok=True)
    headers = {PERSON_HEADER: str(person.pk), "Auto-Submitted": "auto-generated"}
    EmailMessage(subject, text, to=[to], headers=headers).send()
