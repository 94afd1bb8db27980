"""Signing in with a name and a password, at the same pace whoever is behind the name."""

from django.contrib.auth import authenticate
from django.http import HttpRequest

from learnagent.accounts.models import Person
from learnagent.accounts.throttle import Throttle

SIGN_INS = Throttle(name="sign-in", limit=10, window_s=600)
"""Wrong passwords for one name from one address."""
SIGN_UPS = Throttle(name="sign-up", limit=60, window_s=3600)
"""New accounts from one address: a whole class may sit behind it."""
OLD_PASSWORDS = Throttle(name="old-password", limit=10, window_s=600)
"""Tries at the old password by somebody who found a page left open."""


class TooManyTries(Exception):
    """The window's tries are used up; `wait_s` is how long to wait at most."""

    def __init__(self, wait_s: int) -> None:
        super().__init__(wait_s)
        self.wait_s = wait_s


def address_of(request: HttpRequest) -> str:
    """Return the address the connection comes from. What a header claims does not count."""
    return str(request.META.get("REMOTE_ADDR", ""))


def person_for_password(request: HttpRequest, *, username: str, password: str) -> Person | None:
    """Return who signs in, None if name and password do not fit. Raises TooManyTries.

    Django hashes the password even when nobody has the name, so that time tells nothing either.
    """
    who = (Person.normalize_username(username), address_of(request))
    if not SIGN_INS.count_try(*who):
        raise TooManyTries(SIGN_INS.window_s)
    person = authenticate(request, username=who[0], password=password)
    if person is None:
        return None
    SIGN_INS.forget(*who)
    return person
