"""Cross-origin calls of the API, from the pages of the sites in `CORS_ORIGINS`: with a token, never with the cookie."""

from collections.abc import Callable
from inspect import iscoroutinefunction
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers
from django.utils.decorators import sync_and_async_middleware

from learnagent.api.bearer_tokens import accepts_tokens

PREFLIGHT_HEADERS = {
    "Access-Control-Allow-Methods": "GET, POST, DELETE",
    "Access-Control-Allow-Headers": "Authorization, Content-Type",
    "Access-Control-Max-Age": "600",
}
EXPOSED_HEADERS = "Retry-After, Deprecation, Sunset, Link, X-Turn-Id"
"""What scripts may read besides the usual headers."""


@sync_and_async_middleware
def cross_origin_middleware(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Answer the browser's question before a call, and allow its page to read the answer."""
    if iscoroutinefunction(get_response):

        async def allow_async(request: HttpRequest) -> Any:
            return _allow(request, _preflight_answer(request) or await get_response(request))

        return allow_async

    def allow(request: HttpRequest) -> Any:
        return _allow(request, _preflight_answer(request) or get_response(request))

    return allow


def _is_allowed(request: HttpRequest) -> bool:
    return accepts_tokens(request.path_info) and request.headers.get("Origin", "") in settings.CORS_ORIGINS


def _preflight_answer(request: HttpRequest) -> HttpResponse | None:
    """Return the answer to a browser that asks whether a call is allowed; None for anything else."""
    if request.method != "OPTIONS" or "Access-Control-Request-Method" not in request.headers:
        return None
    return HttpResponse(status=204, headers=PREFLIGHT_HEADERS) if _is_allowed(request) else None


def _allow(request: HttpRequest, response: Any) -> Any:
    if settings.CORS_ORIGINS and accepts_tokens(request.path_info):
        patch_vary_headers(response, ["Origin"])
    if _is_allowed(request):
        # Without `Access-Control-Allow-Credentials`: the browser sends no cookie along.
        response.headers["Access-Control-Allow-Origin"] = request.headers["Origin"]
        response.headers["Access-Control-Expose-Headers"] = EXPOSED_HEADERS
    return response
