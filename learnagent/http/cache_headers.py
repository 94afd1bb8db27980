"""What this place answers is one person's: no cache between us and them keeps it, nor does a shared machine's disk."""

from collections.abc import Callable
from inspect import iscoroutinefunction
from typing import Any

from django.http import HttpRequest
from django.utils.decorators import sync_and_async_middleware


@sync_and_async_middleware
def no_store_middleware(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Forbid to store any answer that says nothing of it itself. Stands behind whatever serves static files."""
    if iscoroutinefunction(get_response):

        async def mark_async(request: HttpRequest) -> Any:
            return _with_cache_control(await get_response(request))

        return mark_async

    def mark(request: HttpRequest) -> Any:
        return _with_cache_control(get_response(request))

    return mark


def _with_cache_control(response: Any) -> Any:
    response.headers.setdefault("Cache-Control", "private, no-store")
    return response
