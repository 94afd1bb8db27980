"""`Authorization: Bearer TOKEN` on any address: who calls is whose token it is, and the cookie does not count."""

from collections.abc import Callable
from inspect import iscoroutinefunction
from typing import Any, cast

from asgiref.sync import sync_to_async
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.utils.decorators import sync_and_async_middleware
from django.utils.functional import SimpleLazyObject

from learnagent.accounts.tokens import bearer_token, person_for_token


@sync_and_async_middleware
def bearer_middleware(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Take a token for the caller; one that is nobody's makes the caller nobody."""
    if iscoroutinefunction(get_response):

        async def take_async(request: HttpRequest) -> Any:
            _take_token(request)
            return await get_response(request)

        return take_async

    def take(request: HttpRequest) -> Any:
        _take_token(request)
        return get_response(request)

    return take


def _take_token(request: HttpRequest) -> None:
    token = bearer_token(request.headers)
    if token is None:
        return

    def person() -> Any:
        return person_for_token(token) or AnonymousUser()

    request.user = cast("Any", SimpleLazyObject(person))
    request.auser = sync_to_async(person)
    # A token is sent by a program on purpose; only a cookie is sent by a browser that was tricked.
    request._dont_enforce_csrf_checks = True  # type: ignore[attr-defined]  # Django's own switch.
