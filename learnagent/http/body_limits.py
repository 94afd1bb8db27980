"""How much may be sent in one request and how fast, decided by its head: nothing of a larger body is read or kept.

Anybody may send a small body; who sends a larger one has to be signed in, and files are read where files are taken.
"""

import asyncio
import json
import secrets
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from django.conf import settings
from django.http import parse_cookie
from django.template.loader import render_to_string
from django.urls import Resolver404, resolve
from django.utils.translation import gettext as _

from agents.storage.availability import UNAVAILABLE_ERRORS, database
from agents.storage.threads import in_orm_thread
from agents.wire import rejections
from agents.wire.rejections import Rejection, log_refusal
from conversations.library.upload_gate import SPOKEN_VIEWS, UPLOAD_VIEWS
from conversations.web.error_responses import rejection_headers
from conversations.web.transcription import MOST_BASE64_CHARACTERS
from learnagent.accounts.authentication.api_tokens import bearer_token, person_for_token
from learnagent.accounts.authentication.sessions import person_of_session
from learnagent.accounts.models import Person
from learnagent.api.bearer_tokens import accepts_tokens

FORM_OVERHEAD_BYTES = 64 * 1024
"""The rest of a form besides its file, or of a JSON object besides its recording."""
SMALL_BODY_BYTES = 64 * 1024
"""The limit for everybody: more than any form that is available without signing in."""
MAX_LARGE_BODIES = 8
"""How many larger bodies of one person are handled at a time; each may be kept in a file meanwhile."""
BODY_TIMEOUT_S = 15.0
SLOWEST_BYTES_PER_S = 32 * 1024
"""A body may take BODY_S, plus the time that its length takes at this pace."""

type Headers = Sequence[tuple[bytes, bytes]]
type Application = Callable[..., Awaitable[None]]

_large_bodies: Counter[int] = Counter()
"""Person → how many of their larger bodies are being handled."""


class BodyTooSlow(Exception):
    """The body has not come in the time that it has."""


def max_bytes(path: str) -> int:
    """Return the largest body that is read at this address, in bytes."""
    try:
        name = resolve(path).view_name
    except Resolver404:
        return SMALL_BODY_BYTES
    if name in UPLOAD_VIEWS:
        return int(settings.UPLOADS["file_bytes"]) + FORM_OVERHEAD_BYTES
    if name in SPOKEN_VIEWS:
        return MOST_BASE64_CHARACTERS + FORM_OVERHEAD_BYTES
    # Where people sign in, nobody is.
    return SMALL_BODY_BYTES if name.startswith("accounts:") else int(settings.DATA_UPLOAD_MAX_MEMORY_SIZE)


def find_rejection(headers: Headers, path: str) -> Rejection | None:
    """Return why a request with this head is not read, None where it may be. Names of headers are in lower case."""
    lengths = [value for name, value in headers if name == b"content-length"]
    if any(name == b"transfer-encoding" for name, _value in headers):
        return rejections.too_large(_("Send a Content-Length header."))
    if not lengths:
        return None
    if len({*lengths}) > 1 or not lengths[0].isdigit() or len(lengths[0]) > 20:
        return rejections.unreadable(_("The length of this request is not valid."))
    if int(lengths[0]) > (most := max_bytes(path)):
        limit = f"{most >> 20} MB" if most >> 20 else f"{most >> 10} KB"
        return rejections.too_large(
            _("What you sent is too large. You can send up to %(limit)s at once.") % {"limit": limit}
        )
    return None


def content_length(headers: Headers) -> int:
    """Return the length of the body, in bytes, for a head that is not refused."""
    return int(next((value for name, value in headers if name == b"content-length"), b"0"))


def is_large_body(headers: Headers) -> bool:
    """Return whether the sender of this body has to be signed in."""
    return content_length(headers) > SMALL_BODY_BYTES


def time_allowed(length: int) -> float:
    """Return how long a body of so many bytes may take to come, in seconds."""
    return BODY_TIMEOUT_S + length / SLOWEST_BYTES_PER_S


def slow_body_rejection() -> Rejection:
    return Rejection("timeout", _("This request took too long. Try again with a better connection."), status=408)


async def admit(headers: Headers, path: str) -> int | Rejection:
    """Return who sends a large body, which counts until `leave`; or why it is not read."""
    try:
        person = await in_orm_thread(_sender)(headers, path)
    except UNAVAILABLE_ERRORS as error:
        database.failed(error)
        return rejections.unavailable()
    if person is None:
        return rejections.unauthenticated()
    if _large_bodies[person.pk] >= MAX_LARGE_BODIES:
        return rejections.rate_limited(_("You are sending too much at once. Try again in a moment."), retry_after_s=5)
    _large_bodies[person.pk] += 1
    return person.pk


def release(sender: int) -> None:
    """Count one large body of this person no more."""
    _large_bodies[sender] -= 1
    if _large_bodies[sender] <= 0:
        del _large_bodies[sender]


def _sender(headers: Headers, path: str) -> Person | None:
    token = bearer_token(headers)
    if token is not None:
        return person_for_token(token) if accepts_tokens(path) else None
    cookies = b"; ".join(value for name, value in headers if name == b"cookie").decode("latin-1")
    return person_of_session(parse_cookie(cookies).get(settings.SESSION_COOKIE_NAME, ""))


def error_response(rejection: Rejection, request: Headers = ()) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
    """Return status, headers and body of the refusal: a page for a browser's form, else the contract's JSON."""
    ref = secrets.token_hex(8)
    log_refusal("request_refused", status=rejection.status, code=rejection.code, ref=ref)
    is_page = any(name == b"accept" and b"text/html" in value for name, value in request)
    words = render_to_string("400.html", {"message": rejection.message}) if is_page else ""
    body = words.encode() or json.dumps(rejection.as_wire(ref=ref)).encode()
    headers = {
        "Content-Type": "text/html; charset=utf-8" if is_page else "application/json",
        "Content-Length": str(len(body)),
        "Content-Security-Policy": "default-src 'none'; style-src 'self'; font-src 'self'",
        "X-Content-Type-Options": "nosniff",
        "Connection": "close",
        **rejection_headers(rejection),
    }
    return rejection.status, [(name.encode(), value.encode()) for name, value in headers.items()], body


def limit_bodies(application: Application) -> Application:
    """Return the ASGI application behind these bounds, for servers that have none of their own.

    A server that has looked at the body itself says so in the scope, by `is_bounded`.
    """

    async def look_first(scope: dict[str, Any], receive: Any, send: Any) -> None:
        if scope.get("is_bounded"):
            return await application(scope, receive, send)
        headers, path = scope["headers"], scope["path"]
        refusal: int | Rejection | None = find_rejection(headers, path)
        if refusal is None and is_large_body(headers):
            refusal = await admit(headers, path)
        if isinstance(refusal, Rejection):
            return await _refuse(refusal, headers, send)
        try:
            await application(scope, limit_receive_time(receive, within_s=time_allowed(content_length(headers))), send)
        except BodyTooSlow:
            await _refuse(slow_body_rejection(), headers, send)
        finally:
            if refusal is not None:
                release(refusal)
        return None

    return look_first


def limit_receive_time(receive: Callable[[], Awaitable[Any]], *, within_s: float) -> Callable[[], Awaitable[Any]]:
    """Return the ASGI `receive` that raises BodyTooSlow where the body is not whole by then."""
    until = asyncio.get_running_loop().time() + within_s
    is_whole = False

    async def receive_in_time() -> Any:
        nonlocal is_whole
        if is_whole:
            return await receive()
        try:
            async with asyncio.timeout_at(until):
                message = await receive()
        except TimeoutError:
            raise BodyTooSlow from None
        is_whole = not message.get("more_body")
        return message

    return receive_in_time


async def _refuse(rejection: Rejection, request: Headers, send: Any) -> None:
    status, headers, body = error_response(rejection, request)
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
