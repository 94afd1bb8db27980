"""The second factor of admins: codes of an authenticator app (TOTP), and recovery codes that work once."""

import secrets
from datetime import timedelta
from hmac import compare_digest

import pyotp
from django.conf import settings
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from learnagent.accounts.authentication.digests import digest_of
from learnagent.accounts.authentication.rate_limits import Throttle
from learnagent.accounts.models import Person, RecoveryCode, SecondFactor

CODES = Throttle(name="second-factor", limit=10, window_s=600)
"""Wrong codes for one person."""
STEP_S = 30
STEPS_OFF = 1
"""Steps by which a phone's clock may be wrong."""
RECOVERY_CODES, GROUPS = 10, 4
"""Recovery codes of one factor; each has this many groups of four characters: 80 bits."""
ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"
"""Without characters that look alike."""
SESSION_KEY, PENDING_KEY = "second_factor", "second_factor_secret"


def factor_of(person: Person) -> SecondFactor | None:
    """Return the person's factor; None if none is set up."""
    return SecondFactor.objects.filter(person=person).first()


def is_code_needed(request: HttpRequest) -> bool:
    """Return whether the signed-in admin has to enter a code, or set one up, before admin pages open."""
    person = request.user
    assert isinstance(person, Person)
    factor = factor_of(person)
    if factor is None:
        return settings.ADMIN_SECOND_FACTOR == "required" and not person.is_demo
    return request.session.get(SESSION_KEY) != _mark(factor)


def remember(request: HttpRequest, factor: SecondFactor) -> None:
    """Let this browser session open admin pages until it ends or the factor is replaced."""
    request.session.cycle_key()
    request.session.pop(PENDING_KEY, None)
    request.session[SESSION_KEY] = _mark(factor)


def pending_secret(request: HttpRequest) -> str:
    """Return the secret that this browser session is setting up: a new one the first time."""
    secret: str = request.session.setdefault(PENDING_KEY, pyotp.random_base32())
    return secret


def setup_address(secret: str, person: Person, *, site: str) -> str:
    """Return the `otpauth://` address that an authenticator app reads from a QR code."""
    return pyotp.TOTP(secret).provisioning_uri(name=person.username, issuer_name=site)


@transaction.atomic
def set_up(person: Person, secret: str, code: str) -> SecondFactor | None:
    """Store the factor if the code is one of its secret; None if it is not, or if a factor was set up meanwhile."""
    step = _step_of(secret, code)
    if step is None:
        return None
    factor, is_new = SecondFactor.objects.get_or_create(person=person, defaults={"secret": secret, "last_step": step})
    return factor if is_new else None


def use_any_code(factor: SecondFactor, code: str) -> bool:
    """Use up a code of the app, or a recovery code; return whether it was valid."""
    with transaction.atomic():
        return _use_code(factor, code) or _use_recovery_code(factor, code)


@transaction.atomic
def replace_recovery_codes(factor: SecondFactor) -> list[str]:
    """Return new recovery codes; the old ones stop working."""
    factor.recovery_codes.all().delete()
    codes = [_make_recovery_code() for _ in range(RECOVERY_CODES)]
    RecoveryCode.objects.bulk_create([RecoveryCode(factor=factor, digest=digest_of(code)) for code in codes])
    return codes


def remove_factor(person: Person) -> bool:
    """Delete the person's factor and recovery codes; return whether there was one."""
    deleted, _ = SecondFactor.objects.filter(person=person).delete()
    return deleted > 0


def _use_code(factor: SecondFactor, code: str) -> bool:
    """Use up a code of the app. Of two at the same time, one wins: the step is stored only if it is later."""
    step = _step_of(factor.secret, code)
    if step is None:
        return False
    later = SecondFactor.objects.filter(pk=factor.pk, secret=factor.secret, last_step__lt=step)
    return later.update(last_step=step) > 0


def _step_of(secret: str, code: str) -> int | None:
    """Return the time step whose code this is, within the error of a phone's clock; None if it is none of them."""
    code = "".join(code.split())
    if not (code.isascii() and code.isdigit()):
        return None
    app, now = pyotp.TOTP(secret), timezone.now()
    for off in range(-STEPS_OFF, STEPS_OFF + 1):
        at = now + timedelta(seconds=off * STEP_S)
        if compare_digest(app.at(at), code):
            return app.timecode(at)
    return None


def _use_recovery_code(factor: SecondFactor, code: str) -> bool:
    digest = digest_of(code.strip().lower())
    unused = RecoveryCode.objects.filter(factor=factor, digest=digest, used_at=None)
    return unused.update(used_at=timezone.now()) > 0


def _make_recovery_code() -> str:
    return "-".join("".join(secrets.choice(ALPHABET) for _ in range(4)) for _ in range(GROUPS))


def _mark(factor: SecondFactor) -> str:
    """Return what a session remembers: a replaced factor has another one."""
    return f"{factor.pk}:{factor.created_at.isoformat()}"
