"""The gates in front of pages for admins: nobody else finds them, and a second factor is asked for where it is set up."""

from collections.abc import Callable
from functools import wraps
from inspect import iscoroutinefunction
from typing import Any, Final

from asgiref.sync import sync_to_async
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import resolve_url
from django.utils.decorators import sync_and_async_middleware

from learnagent.accounts.authentication.api_tokens import bearer_token
from learnagent.accounts.authentication.second_factor import is_code_needed

CODE_PATHS: Final = frozenset({"/metrics", "/config", "/api/stats"})
CODE_PREFIXES: Final = ("/admin/", "/ops/", "/teach/", "/co-teach/", "/accounts/tokens/")
"""What admins open only with a code, where they have set one up. A token is enough without."""


@sync_and_async_middleware
def second_factor_middleware(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Lead an admin whose session has no code yet to the page that asks for it."""
    if iscoroutinefunction(get_response):
        find_in_thread = sync_to_async(_code_page)

        async def ask_async(request: HttpRequest) -> Any:
            asks = await find_in_thread(request) if _is_guarded(request) else None
            return asks or await get_response(request)

        return ask_async

    def ask(request: HttpRequest) -> Any:
        asks = _code_page(request) if _is_guarded(request) else None
        return asks or get_response(request)

    return ask


def _is_guarded(request: HttpRequest) -> bool:
    path = request.path_info
    return (path in CODE_PATHS or path.startswith(CODE_PREFIXES)) and bearer_token(request.headers) is None


def _code_page(request: HttpRequest) -> HttpResponseBase | None:
    """Return the way to the page that asks an admin for a code; None for others, and if none is needed."""
    person = request.user
    if not (person.is_authenticated and person.is_active and person.is_staff and is_code_needed(request)):
        return None
    return redirect_to_login(request.get_full_path(), resolve_url("accounts:second-factor-code"))


def admins_only[**P, R: HttpResponseBase](
    view: Callable[..., R],
) -> Callable[..., HttpResponseBase]:
    """Let only admins in: others sign in first, or get a 404 as for an unknown page."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        if not (request.user.is_active and request.user.is_staff):
            raise Http404
        return view(request, *args, **kwargs)

    return guarded
