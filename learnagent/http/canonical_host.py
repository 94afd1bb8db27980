"""One address: a page opened under another name of this machine is sent to `PUBLIC_URL`.

Sockets and forms are accepted from that origin only, so a page under `localhost` would look right and not work.
"""

from collections.abc import Callable
from inspect import iscoroutinefunction
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponseRedirect
from django.utils.decorators import sync_and_async_middleware


@sync_and_async_middleware
def canonical_middleware(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Redirect a browser that asks for a page under another host name."""
    if iscoroutinefunction(get_response):

        async def redirect_async(request: HttpRequest) -> Any:
            return _canonical_redirect(request) or await get_response(request)

        return redirect_async

    def redirect(request: HttpRequest) -> Any:
        return _canonical_redirect(request) or get_response(request)

    return redirect


def _canonical_redirect(request: HttpRequest) -> HttpResponseRedirect | None:
    """Return the redirect to the public address; None for programs, and for whoever is there already."""
    wants_page = request.method in ("GET", "HEAD") and "text/html" in request.headers.get("Accept", "")
    if not wants_page or request.get_host() == urlsplit(settings.PUBLIC_URL).netloc:
        return None
    return HttpResponseRedirect(f"{settings.PUBLIC_URL}{request.get_full_path()}")
