"""The JSON surfaces, assembled: who may call, how a body is read, how an error looks."""

from collections.abc import Callable
from functools import wraps
from inspect import iscoroutinefunction
from typing import Any

from django.conf import settings
from django.core.exceptions import BadRequest, RequestDataTooBig, SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from django.middleware.csrf import CsrfViewMiddleware
from django.urls import URLPattern, URLResolver
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, ValidationError
from ninja.parser import Parser
from ninja.security.base import SecuritySchema

from agents.event_log import get_logger
from agents.storage.availability import UNAVAILABLE_ERRORS, database
from agents.wire import rejections, strict_json
from agents.wire.rejections import Rejection
from conversations.companion.api import router as companion_router
from conversations.library.upload_gate import SPOKEN_VIEWS
from conversations.round_table.api import router as round_table_router
from conversations.v1.api import router as v1_router
from conversations.web.agents_api import router as agents_router
from conversations.web.api import router as conversations_router
from conversations.web.error_responses import rejection_response
from conversations.web.search_api import router as search_router
from learnagent.accounts.authentication.api_tokens import bearer_token
from learnagent.accounts.models import Person
from learnagent.http.body_limits import max_bytes
from learnagent.operations.configuration_api import router as configuration_router
from tutoring.pages.insights_api import router as insights_router

logger = get_logger(__name__)


class StrictParser(Parser):
    """Reads JSON as strangers may send it."""

    def parse_body(self, request: HttpRequest) -> Any:
        if request.content_type != "application/json":
            raise Rejection("unsupported_type", _("Send JSON with the content type application/json."), status=415)
        try:
            return strict_json.loads(request.body)
        except ValueError:
            raise rejections.unreadable(_("The request body is not valid JSON.")) from None


def _authenticated_person(request: HttpRequest) -> Person | None:
    """Return who calls: by token, or by cookie with CSRF, which Ninja's views are otherwise exempt from."""
    if not request.user.is_authenticated:
        return None
    if bearer_token(request.headers) is None:
        refused = CsrfViewMiddleware(_no_view).process_view(request, _no_view, (), {})
        if refused is not None:
            raise Rejection("forbidden", _("This page is out of date. Reload it."), status=403)
    return request.user


def _no_view(request: HttpRequest) -> HttpResponse:
    return HttpResponse()


class Token:
    """Takes the caller's token."""

    openapi_security_schema = SecuritySchema(
        type="http",
        scheme="bearer",
        description=("An API token: create one on your tokens page, or with `create_token`."),
    )

    def __call__(self, request: HttpRequest) -> Person | None:
        return _authenticated_person(request) if bearer_token(request.headers) is not None else None


class Cookie:
    """Takes the browser's sign-in, where no token was offered."""

    openapi_security_schema = SecuritySchema(
        type="apiKey",
        name=settings.SESSION_COOKIE_NAME,
        description="A browser session; requests other than GET also need the header `X-CSRFToken`.",
        **{"in": "cookie"},
    )

    def __call__(self, request: HttpRequest) -> Person | None:
        return _authenticated_person(request) if bearer_token(request.headers) is None else None


api = NinjaAPI(
    title="learnagent",
    version="2",
    description="Talk with a team of agents that teach. To get started, and for the sockets, see `/v2/docs`.",
    servers=[{"url": settings.PUBLIC_URL}],
    openapi_extra={"externalDocs": {"url": "/v2/docs", "description": "How to write a client"}},
    parser=StrictParser(),
    urls_namespace="api",
    # Both are shown by `learnagent.api.docs_pages`, with the sockets beside.
    docs_url=None,
    openapi_url=None,
)
for router in (conversations_router, search_router, agents_router, insights_router):
    api.add_router("/v2", router, auth=[Token(), Cookie()])
api.add_router("/api", v1_router, auth=[Token(), Cookie()])
api.add_router("/api", round_table_router, auth=[Token(), Cookie()])
api.add_router("", companion_router, auth=[Token(), Cookie()])
api.add_router("", configuration_router, auth=[Token(), Cookie()])


def api_urls() -> list[URLPattern | URLResolver]:
    """Return the addresses of all calls; a method that one of them does not have is refused as anything else is."""
    # Without Ninja's own page at the root, which is ours.
    patterns = [each for each in api.urls[0] if str(each.pattern)]
    for pattern in patterns:
        if isinstance(pattern, URLPattern):
            if f"api:{pattern.name}" in SPOKEN_VIEWS:
                pattern.callback = _reading_recordings(pattern.callback)
            pattern.callback = _rejecting_method(pattern.callback)
    return patterns


def _reading_recordings(view: Callable[..., Any]) -> Callable[..., Any]:
    """Return the asynchronous view of a call whose body may be longer than that of others."""

    @wraps(view)
    async def asynchronous(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        length = request.META.get("CONTENT_LENGTH") or "0"
        if length.isdigit() and settings.DATA_UPLOAD_MAX_MEMORY_SIZE < int(length) <= max_bytes(request.path_info):
            # `request.body` has one limit for all addresses. It returns what is already here.
            request._body = request.read(int(length))
        return await view(request, *args, **kwargs)

    return asynchronous


def _rejecting_method(view: Callable[..., Any]) -> Callable[..., Any]:
    if iscoroutinefunction(view):

        @wraps(view)
        async def asynchronous(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
            return _method_rejection(request, await view(request, *args, **kwargs))

        return asynchronous

    @wraps(view)
    def synchronous(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        return _method_rejection(request, view(request, *args, **kwargs))

    return synchronous


def _method_rejection(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    if response.status_code != 405:
        return response
    refused = rejection_response(request, rejections.method_not_allowed())
    refused["Allow"] = response["Allow"]
    return refused


@api.exception_handler(Rejection)
def _rejected(request: HttpRequest, error: Rejection) -> HttpResponse:
    return rejection_response(request, error)


@api.exception_handler(AuthenticationError)
def _unauthenticated(request: HttpRequest, error: AuthenticationError) -> HttpResponse:
    return rejection_response(request, rejections.unauthenticated())


@api.exception_handler(Http404)
def _not_found(request: HttpRequest, error: Http404) -> HttpResponse:
    return rejection_response(request, rejections.not_found())


@api.exception_handler(ValidationError)
def _invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
    # Ninja puts where it looked and what the function calls the whole body before the name that the client knows.
    places = [each["loc"][2 if each["loc"][0] == "body" else 1 :] for each in error.errors]
    if not all(places):
        return rejection_response(request, rejections.unreadable(_("The request body is not a JSON object.")))
    fields = {
        ".".join(map(str, place)): rejections.describe_fault(each)
        for place, each in zip(places, error.errors, strict=True)
    }
    message = _("Some fields are invalid.")
    return rejection_response(request, Rejection("invalid_input", message, status=422, fields=fields))


@api.exception_handler(HttpError)
def _unreadable(request: HttpRequest, error: HttpError) -> HttpResponse:
    """Answer what the parser raised; Ninja wraps it in an error of its own."""
    cause = error.__cause__
    return rejection_response(
        request, cause if isinstance(cause, Rejection) else rejections.unreadable(_("This request could not be read."))
    )


@api.exception_handler(MultiPartParserError)
@api.exception_handler(SuspiciousOperation)
@api.exception_handler(BadRequest)
@api.exception_handler(UnreadablePostError)
def _unreadable_form(request: HttpRequest, error: Exception) -> HttpResponse:
    return rejection_response(request, rejections.unreadable(_("This form could not be read.")))


@api.exception_handler(RequestDataTooBig)
def _too_large(request: HttpRequest, error: RequestDataTooBig) -> HttpResponse:
    return rejection_response(request, rejections.too_large(_("The request body is too large.")))


def _database_busy(request: HttpRequest, error: Any) -> HttpResponse:
    database.failed(error)
    return rejection_response(request, rejections.unavailable())


for kind in UNAVAILABLE_ERRORS:
    api.add_exception_handler(kind, _database_busy)


@api.exception_handler(Exception)
def _internal(request: HttpRequest, error: Exception) -> HttpResponse:
    logger.exception("request_failed", exc_info=error)
    return rejection_response(
        request, Rejection("unavailable", _("Something went wrong on our end. Try again in a moment."), status=500)
    )


@csrf_exempt
def unknown_call(request: HttpRequest, rest: str = "") -> HttpResponse:
    """Answer, to any method, that there is no such call."""
    return rejection_response(request, rejections.not_found())
