"""A platform's signed statement about a launch: every claim is checked before anything believes it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from django.conf import settings
from django.core.cache import cache
from django.core.exceptions import ValidationError

from conversations.validators import is_storable
from learnagent.accounts.authentication.digests import digest_of
from learnagent.lti.errors import LaunchRefused
from learnagent.lti.keys import ALGORITHM, BITS
from learnagent.lti.models import ID_MAX_LENGTH, SCORE_SCOPE, URL_MAX_LENGTH, Platform, validate_address
from learnagent.lti.platform_requests import PlatformUnreachable, get_json

LTI: Final = "https://purl.imsglobal.org/spec/lti/claim/"
DEEP_LINKING: Final = "https://purl.imsglobal.org/spec/lti-dl/claim/"
GRADES: Final = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint"
ROLES: Final = "http://purl.imsglobal.org/vocab/lis/v2/"
VERSION: Final = "1.3.0"
TEACHING_ROLES: Final = frozenset(
    {f"{ROLES}membership#{name}" for name in ("Instructor", "Administrator")} | {"Instructor", "Administrator"}
)
"""Roles in a course, as full names and as the short names that the specification also allows."""
CONCEPT_PARAMETER: Final = "learnagent_concept"
"""The custom parameter that says what a link opens, as `course/concept`."""
MAX_TOKEN: Final = 50_000
"""Characters."""
LEEWAY_S: Final = 30
KEYS_KEPT_S: Final = 3600
REREAD_AFTER_S: Final = 60
"""An unknown key makes the key set be read again, but not more often than this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """What a platform has said, checked."""

    subject: str
    name: str
    is_teacher: bool
    deployment: str
    nonce: str
    locale: str = ""
    context: str = ""
    context_title: str = ""
    resource: str = ""
    """Id of the link; empty if content is being chosen."""
    concept: str = ""
    """`course/concept`, as the link's custom parameter says; empty for none."""
    line_item: str = ""
    """Where scores may be sent; empty for nowhere."""
    opens_window: bool = False
    """Whether the platform says that it opens learnagent in a window of its own."""
    deep_linking: Mapping[str, Any] = field(default_factory=dict)
    """`return_url`, `data`, `is_multiple` and `takes_grades` if the platform wants content to be chosen."""


def check_id_token(platform: Platform, token: str) -> Launch:
    """Return what the token says. Raises LaunchRefused unless the platform signed it, for learnagent, just now."""
    if len(token) > MAX_TOKEN:
        raise LaunchRefused("token too long")
    claims = _verified_claims(platform, token)
    _check_party(platform, claims)
    if claims.get(f"{LTI}version") != VERSION:
        raise LaunchRefused("not LTI 1.3.0")
    match claims.get(f"{LTI}message_type"):
        case "LtiResourceLinkRequest":
            return _launch(claims, resource=_id(_table(claims, f"{LTI}resource_link"), "id"))
        case "LtiDeepLinkingRequest":
            return _launch(claims, deep_linking=_deep_linking(claims))
    raise LaunchRefused("unknown message type")


def _verified_claims(platform: Platform, token: str) -> dict[str, Any]:
    try:
        header = jwt.get_unverified_header(token)
        if header.get("alg") != ALGORITHM:
            raise LaunchRefused("not signed with RS256")
        return jwt.decode(
            token,
            _key(platform, header.get("kid")),
            algorithms=[ALGORITHM],
            audience=platform.client_id,
            issuer=platform.issuer,
            leeway=LEEWAY_S,
            options={"require": ["exp", "iat", "iss", "aud", "sub", "nonce"]},
        )
    except (jwt.PyJWTError, ValueError, TypeError) as error:
        # Not its text, which can contain what was sent.
        raise LaunchRefused(f"token not valid: {type(error).__name__}") from None


def _key(platform: Platform, kid: object) -> RSAPublicKey:
    if not isinstance(kid, str):
        raise LaunchRefused("token names no key")
    place = f"lti-keys:{platform.pk}:{digest_of(platform.jwks_url)}"
    known = cache.get(place)
    entry = _entry(known, kid)
    if entry is None and (known is None or cache.add(f"{place}:reread", True, REREAD_AFTER_S)):
        known = _read_keys(platform)
        cache.set(place, known, KEYS_KEPT_S)
        entry = _entry(known, kid)
    if entry is None:
        raise LaunchRefused("token signed with an unknown key")
    key = jwt.PyJWK(entry, algorithm=ALGORITHM).key
    if not isinstance(key, RSAPublicKey) or key.key_size < BITS:
        raise LaunchRefused("key too weak")
    return key


def _read_keys(platform: Platform) -> list[dict[str, Any]]:
    try:
        read = get_json(platform, platform.jwks_url)
    except PlatformUnreachable as failure:
        raise LaunchRefused(f"keys cannot be read: {failure}", status=502) from None
    keys = read.get("keys") if isinstance(read, dict) else None
    if not isinstance(keys, list):
        raise LaunchRefused("keys cannot be read: not a key set", status=502)
    return [each for each in keys if isinstance(each, dict)]


def _entry(keys: list[dict[str, Any]] | None, kid: str) -> dict[str, Any] | None:
    return next((each for each in keys or () if each.get("kid") == kid and each.get("kty") == "RSA"), None)


def is_own_address(url: str) -> bool:
    """Return whether an address is on this site."""
    try:
        return urlsplit(url).netloc == urlsplit(settings.PUBLIC_URL).netloc
    except ValueError:
        return False


def _check_party(platform: Platform, claims: Mapping[str, Any]) -> None:
    """Check for whom the token is, beyond its audience, and where it comes from."""
    audience, party = claims["aud"], claims.get("azp")
    is_for_several = isinstance(audience, list) and len(audience) > 1
    if party != platform.client_id and (party is not None or is_for_several):
        raise LaunchRefused("token for another client")
    if _id(claims, f"{LTI}deployment_id") not in platform.deployment_ids:
        raise LaunchRefused("unknown deployment")
    if not is_own_address(str(claims.get(f"{LTI}target_link_uri"))):
        raise LaunchRefused("link to another site")


def _launch(claims: Mapping[str, Any], *, resource: str = "", deep_linking: Mapping[str, Any] | None = None) -> Launch:
    context, custom = _table(claims, f"{LTI}context"), _table(claims, f"{LTI}custom")
    shown = _table(claims, f"{LTI}launch_presentation")
    roles = claims.get(f"{LTI}roles")
    if not isinstance(roles, list):
        raise LaunchRefused("no roles")
    return Launch(
        subject=_id(claims, "sub"),
        name=_words(claims.get("name")) or _words(claims.get("given_name")),
        is_teacher=any(isinstance(role, str) and role in TEACHING_ROLES for role in roles),
        deployment=_id(claims, f"{LTI}deployment_id"),
        nonce=_id(claims, "nonce"),
        locale=_words(shown.get("locale"))[:2].lower(),
        context=_id(context, "id") if context else "",
        context_title=_words(context.get("title")) or _words(context.get("label")),
        resource=resource,
        concept=_words(custom.get(CONCEPT_PARAMETER)),
        line_item=_line_item(claims),
        opens_window=shown.get("document_target") == "window",
        deep_linking=deep_linking or {},
    )


def _line_item(claims: Mapping[str, Any]) -> str:
    """Return the address for scores, if the platform takes scores for this link."""
    service = _table(claims, GRADES)
    scopes = service.get("scope")
    if not isinstance(scopes, list) or SCORE_SCOPE not in scopes or not service.get("lineitem"):
        return ""
    return _address(service["lineitem"])


def _deep_linking(claims: Mapping[str, Any]) -> Mapping[str, Any]:
    asked = _table(claims, f"{DEEP_LINKING}deep_linking_settings")
    types = asked.get("accept_types")
    if not isinstance(types, list) or "ltiResourceLink" not in types:
        raise LaunchRefused("platform takes no links")
    return {
        "return_url": _address(asked.get("deep_link_return_url")),
        "data": asked.get("data"),
        "is_multiple": asked.get("accept_multiple") is True,
        "takes_grades": asked.get("accept_lineitem", True) is not False,
    }


def _table(claims: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = claims.get(name)
    return found if isinstance(found, dict) else {}


def _id(claims: Mapping[str, Any], name: str) -> str:
    found = claims.get(name)
    if not isinstance(found, str) or not 0 < len(found) <= ID_MAX_LENGTH or not is_storable(found):
        raise LaunchRefused(f"claim {name.rpartition('/')[2]} is missing or not valid")
    return found


def _words(found: object) -> str:
    """Return a text to show, on one line; empty for anything else."""
    if not isinstance(found, str) or not is_storable(found):
        return ""
    return " ".join("".join(each if each.isprintable() else " " for each in found).split())[:ID_MAX_LENGTH]


def _address(found: object) -> str:
    if not isinstance(found, str) or len(found) > URL_MAX_LENGTH or not is_storable(found):
        raise LaunchRefused("an address is missing or not valid")
    try:
        validate_address(found)
    except ValidationError:
        raise LaunchRefused("an address is missing or not valid") from None
    return found
