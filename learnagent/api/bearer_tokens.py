"""`Authorization: Bearer TOKEN` on addresses of the API: who calls is whose token it is, and the cookie does not count.

A token opens no page: with one, whoever asks for a page is nobody.
"""

from collections.abc import Callable
from inspect import iscoroutinefunction
from typing import Any, cast

from asgiref.sync import sync_to_async
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, JsonResponse
from django.utils.decorators import sync_and_async_middleware

from agents.wire import rejections
from conversations.web.error_responses import rejection_response
from learnagent.accounts.authentication.api_tokens import bearer_token, person_for_token
from learnagent.accounts.models import Person, Scope

ADMIN_PATHS = frozenset({"/config", "/metrics"})
API_CALLS = ADMIN_PATHS | {"/chat"}
API_PREFIXES = ("/api/", "/v2/", "/chat/", "/session/")
SOCKET_PREFIXES = ("/ws/", "/v2/ws/")
SEARCH_PATHS = frozenset({"/api/search", "/v2/search"})
"""POST requests that change nothing."""
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


def accepts_tokens(path: str) -> bool:
    """Return whether a token counts at this address, where only programs ask."""
    return path in API_CALLS or path.startswith(API_PREFIXES)


def socket_accepts_tokens(path: str) -> bool:
    return path.startswith(SOCKET_PREFIXES)


def required_scope(method: str, path: str) -> Scope:
    """Return what a token must be good for to make this call."""
    if path in ADMIN_PATHS:
        return Scope.ADMIN
    return Scope.READ if method in SAFE_METHODS or path in SEARCH_PATHS else Scope.CONVERSE


@sync_and_async_middleware
def bearer_middleware(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Take a token for the caller; one that is nobody's makes the caller nobody."""
    if iscoroutinefunction(get_response):
        take_in_thread = sync_to_async(_set_token_caller)

        async def take_async(request: HttpRequest) -> Any:
            token = bearer_token(request.headers)
            refusal = None if token is None else await take_in_thread(request, token)
            return refusal or await get_response(request)

        return take_async

    def take(request: HttpRequest) -> Any:
        token = bearer_token(request.headers)
        refusal = None if token is None else _set_token_caller(request, token)
        return refusal or get_response(request)

    return take


def _set_token_caller(request: HttpRequest, token: str) -> JsonResponse | None:
    """Make the token's owner the caller; return the answer where the token is not good for this call."""
    person = person_for_token(token) if accepts_tokens(request.path_info) else None
    _set_caller(request, person)
    if person is None or required_scope(request.method or "", request.path_info) in person.scopes:
        return None
    # As where there is nothing: what needs more than one has is not told of.
    return rejection_response(request, rejections.not_found())


def _set_caller(request: HttpRequest, person: Person | None) -> None:
    caller: Any = person or AnonymousUser()

    async def auser() -> Any:
        return caller

    request.user = caller
    request.auser = cast("Any", auser)
    if person is not None:
        # A token is sent by a program on purpose; only a cookie is sent by a browser that was tricked.
        request._dont_enforce_csrf_checks = True  # type: ignore[attr-defined]  # Django's own switch.
