"""Adds headers to answers of the v1 API and its socket that say that it is deprecated, if an admin has announced it."""

import re
from collections.abc import Awaitable, Callable, Mapping
from inspect import iscoroutinefunction
from typing import Any

from django.http import HttpRequest
from django.utils.decorators import sync_and_async_middleware

from conversations.v1.deprecation import acurrent_headers, current_headers

V1_PATHS = re.compile(r"/api/(?:conversation|search|stats|session/.+)")
"""The v1 calls. `/api/conversation/smart` stays: it answers by v2 as well."""

Application = Callable[[dict[str, Any], Any, Any], Awaitable[None]]


@sync_and_async_middleware
def deprecation_middleware(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Add the headers to each answer of a v1 call."""
    if iscoroutinefunction(get_response):

        async def mark_async(request: HttpRequest) -> Any:
            response = await get_response(request)
            return _marked(response, await acurrent_headers()) if _is_v1(request) else response

        return mark_async

    def mark(request: HttpRequest) -> Any:
        response = get_response(request)
        return _marked(response, current_headers()) if _is_v1(request) else response

    return mark


def _is_v1(request: HttpRequest) -> bool:
    return V1_PATHS.fullmatch(request.path_info) is not None


def _marked(response: Any, headers: Mapping[str, str]) -> Any:
    for name, value in headers.items():
        response.headers[name] = value
    return response


def deprecated_socket(inner: Application) -> Any:  # Django's type of what a path leads to is for HTTP alone.
    """Return the socket's application with the headers in the answer to its handshake."""

    async def marked(scope: dict[str, Any], receive: Any, send: Any) -> None:
        async def send_marked(message: dict[str, Any]) -> None:
            if message["type"] == "websocket.accept":
                headers = await acurrent_headers()
                ours = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
                message = {**message, "headers": [*message.get("headers", ()), *ours]}
            await send(message)

        await inner(scope, receive, send_marked)

    return marked
