"""The correlation id of a request: in every error's `ref`, in every log line of that request."""

import secrets
from collections.abc import Awaitable, Callable
from inspect import iscoroutinefunction
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware
from structlog.contextvars import bind_contextvars, clear_contextvars


@sync_and_async_middleware
def correlation_middleware(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Give each request an id of its own."""
    if iscoroutinefunction(get_response):
        handle: Callable[[HttpRequest], Awaitable[HttpResponseBase]] = get_response

        async def with_ref(request: HttpRequest) -> HttpResponseBase:
            _assign_ref(request)
            return await handle(request)

        return with_ref

    def with_ref_sync(request: HttpRequest) -> HttpResponseBase:
        _assign_ref(request)
        response: HttpResponseBase = get_response(request)
        return response

    return with_ref_sync


def _assign_ref(request: HttpRequest) -> None:
    # On the request too: rooms to the right put it into their errors without knowing this one.
    request.ref = new_ref()  # type: ignore[attr-defined]  # Ours.


def new_ref() -> str:
    """Return a new correlation id, which all log lines of this context have from now on."""
    ref = secrets.token_hex(8)
    clear_contextvars()
    bind_contextvars(ref=ref)
    return ref
