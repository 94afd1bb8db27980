"""What a page may ask of a device: the microphone, for speaking; nothing else, and no page within ours anything."""

from collections.abc import Callable
from inspect import iscoroutinefunction
from typing import Any

from django.http import HttpRequest
from django.utils.decorators import sync_and_async_middleware

POLICY = ", ".join(
    ("microphone=(self)", *(f"{name}=()" for name in ("camera", "display-capture", "geolocation", "payment", "usb")))
)


@sync_and_async_middleware
def permissions_policy_middleware(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Say so with every answer."""
    if iscoroutinefunction(get_response):

        async def mark_async(request: HttpRequest) -> Any:
            return _with_policy(await get_response(request))

        return mark_async

    def mark(request: HttpRequest) -> Any:
        return _with_policy(get_response(request))

    return mark


def _with_policy(response: Any) -> Any:
    response.headers["Permissions-Policy"] = POLICY
    return response
