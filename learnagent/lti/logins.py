"""The first step of a launch: the platform announces it, and learnagent asks the platform to say who it is."""

import secrets
from collections.abc import Mapping
from datetime import timedelta
from typing import Final
from urllib.parse import urlencode

from django.utils import timezone
from django.utils.crypto import constant_time_compare

from learnagent.accounts.authentication.digests import digest_of
from learnagent.lti.addresses import launch_url
from learnagent.lti.errors import START_AGAIN, LaunchRefused
from learnagent.lti.id_tokens import Launch, check_id_token, is_own_address
from learnagent.lti.models import LoginState, Platform

LIFETIME: Final = timedelta(minutes=10)
MAX_HINT: Final = 4_000
"""Characters of what a platform wants to have back."""


def begin_login(asked: Mapping[str, str]) -> str:
    """Return the platform's address to which the browser is sent. Raises LaunchRefused."""
    platform = _announcing_platform(asked.get("iss", ""), asked.get("client_id", ""))
    if not is_own_address(asked.get("target_link_uri", "")):
        raise LaunchRefused("link to another site")
    hints = {name: asked[name] for name in ("login_hint", "lti_message_hint") if asked.get(name)}
    if "login_hint" not in hints or any(len(hint) > MAX_HINT for hint in hints.values()):
        raise LaunchRefused("no login hint, or one that is too long")
    state, nonce = _store_state(platform)
    fields = {
        "scope": "openid",
        "response_type": "id_token",
        "response_mode": "form_post",
        "prompt": "none",
        "client_id": platform.client_id,
        "redirect_uri": launch_url(),
        "state": state,
        "nonce": nonce,
        **hints,
    }
    return f"{platform.auth_url}{'&' if '?' in platform.auth_url else '?'}{urlencode(fields)}"


def finish_login(state: str, token: str) -> tuple[Platform, Launch]:
    """Return the platform and what it says. Raises LaunchRefused. A state counts once, whatever comes of it."""
    known = LoginState.objects.select_related("platform").filter(digest=digest_of(state)).first()
    # Only one of two requests at once deletes it.
    if known is None or not LoginState.objects.filter(pk=known.pk).delete()[0]:
        raise LaunchRefused("state unknown or used", START_AGAIN)
    if known.expires_at <= timezone.now():
        raise LaunchRefused("state expired", START_AGAIN)
    if not known.platform.is_active:
        raise LaunchRefused("platform turned off")
    launch = check_id_token(known.platform, token)
    if not constant_time_compare(known.nonce_digest, digest_of(launch.nonce)):
        raise LaunchRefused("nonce of another launch")
    return known.platform, launch


def platform_of_state(state: str) -> Platform | None:
    """Return the platform whose launch has this state, without using it up."""
    known = LoginState.objects.select_related("platform").filter(digest=digest_of(state)).first()
    return known.platform if known else None


def _announcing_platform(issuer: str, client_id: str) -> Platform:
    """Return the registered platform. Without a client id there must be only one of this issuer."""
    found = Platform.objects.filter(issuer=issuer, is_active=True) if "\x00" not in issuer + client_id else []
    matching = [each for each in found if client_id in ("", each.client_id)]
    if len(matching) != 1:
        raise LaunchRefused("platform not registered")
    return matching[0]


def _store_state(platform: Platform) -> tuple[str, str]:
    now = timezone.now()
    LoginState.objects.filter(expires_at__lte=now).delete()
    state, nonce = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
    LoginState.objects.create(
        digest=digest_of(state), nonce_digest=digest_of(nonce), platform=platform, expires_at=now + LIFETIME
    )
    return state, nonce
