"""API tokens: made once, shown once, kept as a hash; what they open, and for how long."""

import re
import secrets
from collections.abc import Collection, Iterable, Mapping
from datetime import timedelta
from hmac import compare_digest

from django.utils import timezone

from agents.storage.availability import best_effort
from agents.storage.raw_sql import columns_of, make_row, read_rows
from learnagent.accounts.authentication.digests import digest_of
from learnagent.accounts.models import ApiToken, Person, Scope

TOKEN_PATTERN = re.compile(r"la_[A-Za-z0-9_-]{43}")
PREFIX_LENGTH = 11
"""`la_` and eight letters: enough to tell a person's tokens apart, but not to guess the rest."""
MAX_TOKENS = 20
LIFETIME_DAYS = 365
"""How long a token is valid by default."""
LAST_USE_PRECISION = timedelta(minutes=1)
"""Uses closer together than this are recorded only once."""
# Every request and every message of a socket asks: to compose this anew by the ORM takes longer than to answer it.
TOKEN_QUERY = """
    SELECT {tokens}, {owners} FROM accounts_apitoken JOIN accounts_person ON accounts_person.id = owner_id
    WHERE prefix = %s AND accounts_person.is_active"""

type Headers = Mapping[str, str] | Iterable[tuple[bytes, bytes]]


class TooManyTokens(Exception):
    """The person has MAX_TOKENS already."""


def scopes_available_to(person: Person) -> list[str]:
    """Return what the person's tokens may do at most."""
    return [scope for scope in Scope.values if scope != Scope.ADMIN or person.is_staff]


def make_token(
    owner: Person, *, label: str = "", scopes: Collection[str] | None = None, days: int = LIFETIME_DAYS
) -> str:
    """Store a token and return it, for the only time it can be read. Raises TooManyTokens.

    It may do all that its owner's tokens may unless `scopes` names less. Expired ones make room for it.
    """
    allowed = [scope for scope in scopes_available_to(owner) if scopes is None or scope in scopes]
    ApiToken.objects.filter(owner=owner, expires_at__lte=timezone.now()).delete()
    if ApiToken.objects.filter(owner=owner).count() >= MAX_TOKENS:
        raise TooManyTokens
    raw = f"la_{secrets.token_urlsafe(32)}"
    ApiToken.objects.create(
        owner=owner,
        label=label,
        prefix=raw[:PREFIX_LENGTH],
        digest=digest_of(raw),
        scopes=" ".join(allowed),
        expires_at=timezone.now() + timedelta(days=days),
    )
    return raw


def person_for_token(raw: str) -> Person | None:
    """Return whose token this is, with its `scopes`; None if it is nobody's or too old, or its owner may not sign in.

    Notes the use.
    """
    if not TOKEN_PATTERN.fullmatch(raw):
        return None
    digest = digest_of(raw)
    # Found by its public part and compared as a hash: the time this takes says nothing about the secret part.
    statement = TOKEN_QUERY.format(tokens=columns_of(ApiToken), owners=columns_of(Person))
    for token, columns in read_rows(ApiToken, statement, [raw[:PREFIX_LENGTH]]):
        if compare_digest(token.digest, digest) and not token.is_expired:
            owner, _ = make_row(Person, columns)
            _record_use(token)
            owner.scopes = frozenset(token.scopes.split()).intersection(scopes_available_to(owner))
            return owner
    return None


def _record_use(token: ApiToken) -> None:
    now = timezone.now()
    if token.last_used_at is None or now - token.last_used_at > LAST_USE_PRECISION:
        with best_effort("last use of a token"):
            ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)


def bearer_token(headers: Headers) -> str | None:
    """Return what `Authorization: Bearer …` carries, of a request's headers or a socket's.

    None means that no token was offered, so that the cookie may count; whatever was offered is returned,
    the empty text included, and a cookie must not make up for it.
    """
    scheme, _, raw = _authorization(headers).strip().partition(" ")
    return raw.strip() if scheme.lower() == "bearer" else None


def _authorization(headers: Headers) -> str:
    if isinstance(headers, Mapping):
        return headers.get("Authorization") or headers.get("authorization") or ""
    return ",".join(value.decode("latin-1") for name, value in headers if name.lower() == b"authorization")
