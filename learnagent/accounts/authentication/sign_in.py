"""Signing in with a name and a password, at the same pace whoever is behind the name."""

from ipaddress import IPv6Address, ip_address, ip_network

from django.contrib.auth import authenticate
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from learnagent.accounts.authentication import password_hashing
from learnagent.accounts.authentication.password_hashing import TooBusy
from learnagent.accounts.authentication.rate_limits import Throttle, TooManyTries
from learnagent.accounts.models import Person

SIGN_INS = Throttle(name="sign-in", limit=10, window_s=600)
"""Wrong passwords for one name from one address."""
SIGN_INS_FROM = Throttle(name="sign-in-from", limit=100, window_s=600)
"""Wrong passwords from one address, for any names: a whole school may share it."""
SIGN_INS_OF_ALL = Throttle(name="sign-in-of-all", limit=600, window_s=60)
"""Wrong passwords from everybody, to limit guessing from many addresses."""
SIGN_UPS = Throttle(name="sign-up", limit=60, window_s=3600)
"""New accounts from one address: a whole class may share it."""
SIGN_UPS_OF_ALL = Throttle(name="sign-up-of-all", limit=120, window_s=60)
OLD_PASSWORDS = Throttle(name="old-password", limit=10, window_s=600)
"""Attempts at the old password by somebody who found a page left open."""
TOO_MANY_FROM_ADDRESS = _("Too many attempts to sign in from your network. Wait ten minutes, then try again.")
TOO_MANY_OVERALL = _("Too many people are signing in right now. Wait a minute, then try again.")


def client_address(request: HttpRequest) -> str:
    """Return the address the request comes from, as `learnagent.http.trusted_proxies` found it; of IPv6 the network of 64 bits.

    Whoever has one address of such a network has them all.
    """
    given = str(request.META.get("REMOTE_ADDR", ""))
    try:
        address = ip_address(given)
    except ValueError:  # A socket file has none.
        return given
    if isinstance(address, IPv6Address):
        return str(address.ipv4_mapped or ip_network((address, 64), strict=False).network_address)
    return given


def person_for_password(request: HttpRequest, *, username: str, password: str) -> Person | None:
    """Return who signs in, None if name and password do not fit. Raises TooManyTries.

    Django hashes the password even when nobody has the name, so that time tells nothing either.
    """
    name, address = Person.normalize_username(username), client_address(request)
    _count_try(name, address)
    try:
        with password_hashing.gate.share_of(address):
            person = authenticate(request, username=name, password=password)
    except TooBusy:
        _refund(address)
        SIGN_INS.refund(name, address)
        raise
    if person is None:
        return None
    _refund(address)
    SIGN_INS.forget(name, address)
    return person


def count_sign_up(request: HttpRequest) -> None:
    """Count a new account. Raises TooManyTries."""
    if not SIGN_UPS.count_try(client_address(request)):
        raise TooManyTries(
            SIGN_UPS.window_s, _("Too many accounts were created from your network in the last hour. Try again later.")
        )
    if not SIGN_UPS_OF_ALL.count_try():
        raise TooManyTries(SIGN_UPS_OF_ALL.window_s, TOO_MANY_OVERALL)


def refund_sign_up(request: HttpRequest) -> None:
    """Take back what was counted of a new account that could not be made for want of room."""
    SIGN_UPS.refund(client_address(request))
    SIGN_UPS_OF_ALL.refund()


def _count_try(name: str, address: str) -> None:
    """Count a try before the password is looked at. Raises TooManyTries."""
    if not SIGN_INS.count_try(name, address):
        raise TooManyTries(SIGN_INS.window_s)
    if not SIGN_INS_FROM.count_try(address):
        raise TooManyTries(SIGN_INS_FROM.window_s, TOO_MANY_FROM_ADDRESS)
    if not SIGN_INS_OF_ALL.count_try():
        raise TooManyTries(SIGN_INS_OF_ALL.window_s, TOO_MANY_OVERALL)


def _refund(address: str) -> None:
    """Take back what was counted of a try that was no wrong password."""
    SIGN_INS_FROM.refund(address)
    SIGN_INS_OF_ALL.refund()
