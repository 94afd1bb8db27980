"""The JSON surfaces, assembled: who may call, how a body is read, how an error looks."""

import logging
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.middleware.csrf import CsrfViewMiddleware
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, ValidationError
from ninja.parser import Parser

from agents import rejections, strict_json
from agents.rejections import Rejection
from conversations.api import router as conversations_router
from conversations.searching.api import router as search_router
from learnagent.accounts.models import Person
from learnagent.accounts.tokens import bearer_token
from learnagent.correlation import current_ref

logger = logging.getLogger(__name__)


class StrictParser(Parser):
    """Reads JSON as strangers may send it."""

    def parse_body(self, request: HttpRequest) -> Any:
        if request.content_type != "application/json":
            raise Rejection("unsupported_type", _("Send JSON, as application/json."), status=415)
        try:
            return strict_json.loads(request.body)
        except ValueError:
            raise rejections.unreadable(_("The body is not JSON.")) from None


def _person(request: HttpRequest) -> Person | None:
    """Return who calls: by token, or by cookie with CSRF, which Ninja's views are otherwise exempt from."""
    if not request.user.is_authenticated:
        return None
    if bearer_token(request.headers) is None:
        refused = CsrfViewMiddleware(_checks_nothing).process_view(request, _checks_nothing, (), {})
        if refused is not None:
            raise Rejection("forbidden", _("This page is too old. Load it again."), status=403)
    return request.user


def _checks_nothing(request: HttpRequest) -> HttpResponse:
    return HttpResponse()


api = NinjaAPI(
    title="learnagent",
    version="2",
    description="Converse with a team of agents that teaches.",
    parser=StrictParser(),
    urls_namespace="v2",
    docs_url="/docs",
    openapi_url="/openapi.json",
)
api.add_router("", conversations_router, auth=_person)
api.add_router("", search_router, auth=_person)


def answer(request: HttpRequest, rejection: Rejection) -> HttpResponse:
    """Return a refusal as the contracts word it."""
    response = api.create_response(request, rejection.as_wire(ref=current_ref.get()), status=rejection.status)
    if rejection.retry_after_s is not None:
        response["Retry-After"] = str(rejection.retry_after_s)
    response["Cache-Control"] = "no-store"
    return response


@api.exception_handler(Rejection)
def _rejected(request: HttpRequest, error: Rejection) -> HttpResponse:
    return answer(request, error)


@api.exception_handler(AuthenticationError)
def _unauthenticated(request: HttpRequest, error: AuthenticationError) -> HttpResponse:
    return answer(request, rejections.unauthenticated())


@api.exception_handler(Http404)
def _not_found(request: HttpRequest, error: Http404) -> HttpResponse:
    return answer(request, rejections.not_found())


@api.exception_handler(ValidationError)
def _invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
    # Ninja puts where it looked and what the function calls the whole body before the name that the client knows.
    places = [each["loc"][2 if each["loc"][0] == "body" else 1 :] for each in error.errors]
    if not all(places):
        return answer(request, rejections.unreadable(_("The body is not a JSON object.")))
    fields = {".".join(map(str, place)): str(each["msg"]) for place, each in zip(places, error.errors, strict=True)}
    message = _("Some of this is not as it should be.")
    return answer(request, Rejection("invalid_input", message, status=422, fields=fields))


@api.exception_handler(HttpError)
def _unreadable(request: HttpRequest, error: HttpError) -> HttpResponse:
    """Answer what the parser raised; Ninja wraps it in an error of its own."""
    cause = error.__cause__
    return answer(
        request, cause if isinstance(cause, Rejection) else rejections.unreadable(_("This could not be read."))
    )


@api.exception_handler(RequestDataTooBig)
def _too_large(request: HttpRequest, error: RequestDataTooBig) -> HttpResponse:
    return answer(request, rejections.too_large(_("The body is too large.")))


@api.exception_handler(OperationalError)
@api.exception_handler(InterfaceError)
def _database_busy(request: HttpRequest, error: Exception) -> HttpResponse:
    logger.warning("database not at hand: %s", error)
    return answer(request, rejections.unavailable(_("This could not be saved just now. Try again in a moment.")))


@api.exception_handler(Exception)
def _internal(request: HttpRequest, error: Exception) -> HttpResponse:
    logger.exception("request failed", exc_info=error)
    return answer(request, Rejection("unavailable", _("Something went wrong here."), status=500))


@csrf_exempt
def nowhere(request: HttpRequest, rest: str = "") -> HttpResponse:
    """Answer, to any method, that there is no such call."""
    return answer(request, rejections.not_found())
