"""Every page in the language and by the clock of whoever is signed in, who is named in the log by their id."""

from collections.abc import Awaitable, Callable
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from asgiref.sync import iscoroutinefunction
from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone, translation
from django.utils.decorators import sync_and_async_middleware
from structlog.contextvars import bind_contextvars

type Next = Callable[[HttpRequest], Any]


@sync_and_async_middleware
def person_settings_middleware(
    get_response: Next,
) -> Callable[[HttpRequest], HttpResponseBase | Awaitable[HttpResponseBase]]:
    """Set language and time zone for the request. Stands after LocaleMiddleware, whose guess it overrules."""
    if iscoroutinefunction(get_response):

        async def follow_async(request: HttpRequest) -> HttpResponseBase:
            _activate_settings(await request.auser())
            response: HttpResponseBase = await get_response(request)
            return response

        return follow_async

    def follow(request: HttpRequest) -> HttpResponseBase:
        _activate_settings(request.user)
        response: HttpResponseBase = get_response(request)
        return response

    return follow


def _activate_settings(user: Any) -> None:
    # The thread may still stand as the request before left it.
    timezone.deactivate()
    if not user.is_authenticated:
        return
    bind_contextvars(person=user.pk)
    if user.language in dict(settings.LANGUAGES):
        translation.activate(user.language)
    try:
        timezone.activate(ZoneInfo(user.zone))
    except ZoneInfoNotFoundError:  # The machine's list of zones is another one than when it was chosen.
        return
