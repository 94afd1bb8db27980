"""The access log, with a span for each request, and a line for each request that was refused.

Paths may contain what signs somebody in, and queries may contain tokens: the log has the pattern of the URL instead.
"""

from collections.abc import Awaitable, Callable
from inspect import iscoroutinefunction
from time import perf_counter
from typing import Any
from urllib.parse import quote

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware
from structlog.contextvars import get_contextvars

from agents import tracing
from agents.event_log import get_logger
from agents.wire.rejections import PROTECTIVE_STATUSES, log_refusal

type Application = Callable[..., Awaitable[None]]

logger = get_logger(__name__)

FACTS = "learnagent.access_log"
"""Where a request's scope has what only Django knows of it."""
MAX_PATH = 200
REFUSAL_CODES = {403: "forbidden", 408: "timeout", 413: "too_large", 429: "rate_limited", 503: "unavailable"}
"""Of pages; a response to a program has its own."""


def access_log_middleware(application: Application) -> Application:
    """Return the ASGI application with a line in the log for each request, and two for each socket."""

    async def logged(scope: dict[str, Any], receive: Any, send: Any) -> None:
        if scope["type"] == "websocket":
            await _log_socket(application, scope, receive, send)
        else:
            await _log_request(application, scope, receive, send)

    return logged


async def _log_request(application: Application, scope: dict[str, Any], receive: Any, send: Any) -> None:
    method, began = scope["method"], perf_counter()
    facts: dict[str, Any] = {}
    status, size = None, 0

    async def send_counted(message: dict[str, Any]) -> None:
        nonlocal status, size
        if message["type"] == "http.response.start":
            status = message["status"]
        else:
            size += len(message.get("body", b""))
        await send(message)

    with tracing.span(method, {"http.request.method": method}, serves=True) as span:
        try:
            await application(scope | {FACTS: facts}, receive, send_counted)
        finally:
            place = facts.pop("place", None) or _path(scope)
            if "route" in place:
                span.rename(f"{method} /{place['route']}")
            span.set(
                {"http.response.status_code": status or 0, **{f"learnagent.{name}": facts[name] for name in facts}}
            )
            ms = round((perf_counter() - began) * 1000, 1)
            logger.info("request", method=method, **place, status=status, ms=ms, bytes=size, **facts)


async def _log_socket(application: Application, scope: dict[str, Any], receive: Any, send: Any) -> None:
    began, code = perf_counter(), None

    async def receive_watched() -> dict[str, Any]:
        nonlocal code
        message: dict[str, Any] = await receive()
        if message["type"] == "websocket.disconnect":
            code = code or message.get("code")
        return message

    async def send_watched(message: dict[str, Any]) -> None:
        nonlocal code
        if message["type"] == "websocket.accept":
            logger.info("socket_opened", **_path(scope))
        elif message["type"] == "websocket.close":
            code = message.get("code", 1000)
        await send(message)

    try:
        await application(scope, receive_watched, send_watched)
    finally:
        logger.info("socket_closed", **_path(scope), code=code, ms=round((perf_counter() - began) * 1000, 1))


def _path(scope: dict[str, Any]) -> dict[str, str]:
    # Encoded, as it was sent: the log hides keys up to the next blank.
    return {"path": quote(scope["path"])[:MAX_PATH]}


@sync_and_async_middleware
def refusal_middleware(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Log a refused request, and tell the access log what Django knows of each. Right after the correlation id."""
    if iscoroutinefunction(get_response):
        handle: Callable[[HttpRequest], Awaitable[HttpResponseBase]] = get_response

        async def noted(request: HttpRequest) -> HttpResponseBase:
            response = await handle(request)
            _note(request, response)
            return response

        return noted

    def noted_sync(request: HttpRequest) -> HttpResponseBase:
        response: HttpResponseBase = get_response(request)
        _note(request, response)
        return response

    return noted_sync


def _note(request: HttpRequest, response: HttpResponseBase) -> None:
    match = request.resolver_match
    place = {"route": match.route} if match else _path({"path": request.path})
    if response.status_code in PROTECTIVE_STATUSES:
        code = getattr(response, "refusal", REFUSAL_CODES[response.status_code])
        why = {"reason": response.refusal_reason} if hasattr(response, "refusal_reason") else {}
        log_refusal("request_refused", status=response.status_code, code=code, method=request.method, **place, **why)
    facts = getattr(request, "scope", {}).get(FACTS)
    if facts is not None:
        facts |= {"place": place, **get_contextvars()}
