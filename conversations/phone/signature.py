"""The signature of Twilio's requests: HMAC-SHA1 over the URL and the form's fields, with the account's token as the key."""

import base64
import hmac
from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.http import HttpRequest

HEADER = "X-Twilio-Signature"
_DEFAULT_PORTS = {"http": 80, "https": 443}


def sign(url: str, fields: Mapping[str, Sequence[str]], *, token: str) -> str:
    """Return the signature of a form that is posted to the URL, in Base64."""
    pairs = (f"{name}{value}" for name in sorted(fields) for value in sorted({*fields[name]}))
    signed = (url + "".join(pairs)).encode("utf-8", "surrogatepass")
    return base64.b64encode(hmac.digest(token.encode(), signed, "sha1")).decode()


def is_signed(request: HttpRequest) -> bool:
    """Return whether the request's signature is Twilio's, for this site's public address."""
    given = request.headers.get(HEADER, "").encode()
    query = request.META.get("QUERY_STRING", "")
    url = f"{settings.PUBLIC_URL}{request.path}{f'?{query}' if query else ''}"
    fields = dict(request.POST.lists())
    expected = (sign(each, fields, token=settings.TWILIO_AUTH_TOKEN) for each in _spellings(url))
    return any(hmac.compare_digest(given, each.encode()) for each in expected)


def _spellings(url: str) -> Iterable[str]:
    """Return the URL as given, and without or with its default port: Twilio signs either."""
    parts = urlsplit(url)
    default = _DEFAULT_PORTS.get(parts.scheme)
    if parts.port is None:
        return (url, _at(parts, f"{parts.netloc}:{default}"))
    return (url, _at(parts, parts.netloc.rpartition(":")[0])) if parts.port == default else (url,)


def _at(parts: SplitResult, netloc: str) -> str:
    return parts._replace(netloc=netloc).geturl()
