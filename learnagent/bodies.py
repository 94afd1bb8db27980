"""How much may be sent in one request, decided by its head alone: nothing of a larger body is read or kept."""

import json
import logging
import secrets
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from agents import rejections
from agents.rejections import Rejection

logger = logging.getLogger(__name__)

AROUND_BYTES = 64 * 1024
"""What a form has around its file."""

type Headers = Sequence[tuple[bytes, bytes]]
type Application = Callable[..., Awaitable[None]]


def most_bytes() -> int:
    """Return the largest body that is read, in bytes."""
    return int(settings.UPLOADS["file_bytes"]) + AROUND_BYTES


def refusal_of(headers: Headers) -> Rejection | None:
    """Return why a request with this head is not read, None where it is. Names of headers are in lower case."""
    lengths = [value for name, value in headers if name == b"content-length"]
    if any(name == b"transfer-encoding" for name, _value in headers):
        return rejections.too_large(_("Say with Content-Length how much you send."))
    if not lengths:
        return None
    if len({*lengths}) > 1 or not lengths[0].isdigit() or len(lengths[0]) > 20:
        return rejections.unreadable(_("The length of this request cannot be read."))
    if int(lengths[0]) > most_bytes():
        return rejections.too_large(
            _("At most %(limit)s MB can be sent at once.") % {"limit": settings.UPLOADS["file_bytes"] >> 20}
        )
    return None


def answer_to(rejection: Rejection) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
    """Return status, headers and body of the refusal, in the contract's shape whoever asked: no page sends such a thing."""
    ref = secrets.token_hex(8)
    logger.warning("ref=%s a body was refused unread: %s", ref, rejection.code)
    body = json.dumps(rejection.as_wire(ref=ref)).encode()
    headers = {
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        "Content-Security-Policy": "default-src 'none'",
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "private, no-store",
        "Connection": "close",
    }
    return rejection.status, [(name.encode(), value.encode()) for name, value in headers.items()], body


def bounded(application: Application) -> Application:
    """Return the ASGI application behind this look at a request's head."""

    async def look_first(scope: dict[str, Any], receive: Any, send: Any) -> None:
        rejection = refusal_of(scope["headers"])
        if rejection is None:
            return await application(scope, receive, send)
        status, headers, body = answer_to(rejection)
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})
        return None

    return look_first
