"""The correlation id of a request: in every error's `ref`, in every log line of that request."""

import logging
import secrets
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from inspect import iscoroutinefunction
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

current_ref: ContextVar[str] = ContextVar("current_ref", default="-")


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
    request.ref = secrets.token_hex(8)  # type: ignore[attr-defined]  # Ours.
    current_ref.set(request.ref)  # type: ignore[attr-defined]  # As above.


class RefFilter(logging.Filter):
    """Adds `ref` to every log record."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.ref = current_ref.get()
        return True
