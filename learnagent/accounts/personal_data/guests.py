"""The end of guests: callers without an account are erased a day after they first said something."""

from django.utils import timezone

from conversations.phone.calls import KEPT_FOR
from learnagent.accounts.models import Person
from learnagent.accounts.personal_data.erasure import erase_rows


def erase_guests() -> None:
    """Erase the guests of a day ago. Nobody waits for it, so that no receipt is made and no file is rewritten for each."""
    for guest in Person.objects.filter(is_guest=True, created_at__lt=timezone.now() - KEPT_FOR):
        erase_rows(guest)
