"""Headers that tell clients of the v1 API and its socket that it is deprecated, if the operator says so."""

import re
from calendar import monthrange
from collections.abc import Awaitable, Callable
from datetime import UTC, date, datetime, time
from inspect import iscoroutinefunction
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.decorators import sync_and_async_middleware
from django.utils.http import http_date

V1_PATHS = re.compile(r"/api/(?:conversation|search|stats|session/.+)")
"""The v1 calls. `/api/conversation/smart` stays: it answers by v2 as well."""
MONTHS_TO_SUNSET = 6

Application = Callable[[dict[str, Any], Any, Any], Awaitable[None]]


@sync_and_async_middleware
def deprecation_middleware(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Add the headers to each answer of a v1 call."""
    if iscoroutinefunction(get_response):

        async def mark_async(request: HttpRequest) -> Any:
            return _mark(request, await get_response(request))

        return mark_async

    def mark(request: HttpRequest) -> Any:
        return _mark(request, get_response(request))

    return mark


def _mark(request: HttpRequest, response: Any) -> Any:
    if V1_PATHS.fullmatch(request.path_info):
        for name, value in _headers().items():
            response.headers[name] = value
    return response


def deprecated_socket(inner: Application) -> Any:  # Django's type of what a path leads to is for HTTP alone.
    """Return the socket's application with the headers in the answer to its handshake."""

    async def marked(scope: dict[str, Any], receive: Any, send: Any) -> None:
        async def send_marked(message: dict[str, Any]) -> None:
            if message["type"] == "websocket.accept":
                ours = [(name.lower().encode(), value.encode()) for name, value in _headers().items()]
                message = {**message, "headers": [*message.get("headers", ()), *ours]}
            await send(message)

        await inner(scope, receive, send_marked)

    return marked


def _headers() -> dict[str, str]:
    return deprecation_headers(settings.V1_DEPRECATED_SINCE, settings.V1_SUNSET)


def deprecation_headers(since: date | None, sunset: date | None) -> dict[str, str]:
    """Return the headers, empty without a date: `Deprecation` (RFC 9745), `Sunset` (RFC 8594), and `Link`."""
    if since is None:
        return {}
    docs = f"{settings.PUBLIC_URL}/v2/docs"
    return {
        "Deprecation": f"@{_seconds(since)}",
        "Sunset": http_date(_seconds(sunset or months_after(since, MONTHS_TO_SUNSET))),
        "Link": f'<{docs}#the-v1-api>; rel="deprecation"; type="text/html", <{docs}>; rel="successor-version"',
    }


def months_after(day: date, months: int) -> date:
    """Return the same day so many months later, or that month's last day if it has no such day."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def _seconds(day: date) -> int:
    return int(datetime.combine(day, time(), UTC).timestamp())
