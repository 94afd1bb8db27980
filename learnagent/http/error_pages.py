"""What is answered to a request that cannot be read, is for no address, or cannot be done just now."""

import sys
from collections.abc import Sequence

from django.conf import settings
from django.core.exceptions import BadRequest, RequestDataTooBig, SuspiciousOperation, TooManyFilesSent
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.csrf import csrf_failure as csrf_failure_page
from django.views.defaults import page_not_found

from agents.storage.availability import UNAVAILABLE_ERRORS, database
from agents.wire import rejections
from conversations.library.file_store import StoreUnavailable
from conversations.web.error_responses import rejection_response
from learnagent.api.bearer_tokens import accepts_tokens
from learnagent.operations.health import health

SECRET_FIELDS = ("password", "again", "old")
"""Fields whose content is never shown again on a page."""
HEALTH_PATH = "/health"
FORM_TYPES = ("application/x-www-form-urlencoded", "multipart/form-data")
MAX_TYPED_CHARACTERS = 100_000


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's `handler400`, which knows the size limit only as one more bad request."""
    is_too_large = isinstance(exception, RequestDataTooBig)
    if not accepts_tokens(request.path):
        context = {"message": _too_many_files()} if isinstance(exception, TooManyFilesSent) else {}
        return render(request, "400.html", context, status=413 if is_too_large else 400)
    words = _("The request body is too large.") if is_too_large else _("This request could not be read.")
    return rejection_response(request, rejections.too_large(words) if is_too_large else rejections.unreadable(words))


def _too_many_files() -> str:
    return _("You can send up to %(limit)d files at once.") % {"limit": settings.DATA_UPLOAD_MAX_NUMBER_FILES}


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Django's `CSRF_FAILURE_VIEW`; the log says what is wrong, such as a `PUBLIC_URL` that people do not use."""
    response = csrf_failure_page(request, reason)
    response.refusal_reason = reason  # type: ignore[attr-defined]  # For the log.
    return response


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's `handler404`. A call gets here by an address that no pattern matches: one with a line break."""
    if accepts_tokens(request.path):
        return rejection_response(request, rejections.not_found())
    return page_not_found(request, exception)


def server_error(request: HttpRequest) -> HttpResponse:
    """Django's `handler500`: 503 where what keeps things cannot be used just now, 500 for anything else.

    It hears of every exception, whichever view or middleware raised it.
    """
    error = sys.exc_info()[1]
    if isinstance(error, UNAVAILABLE_ERRORS) and request.path_info == HEALTH_PATH:
        # Whose browser asks could not be looked up; what is wrong can be told all the same.
        return health(request)
    return (
        unavailable_response(request, error)
        if isinstance(error, (*UNAVAILABLE_ERRORS, StoreUnavailable))
        else render(request, "500.html", status=500)
    )


def unavailable_response(request: HttpRequest, error: BaseException) -> HttpResponse:
    """Answer 503 in the caller's own form: JSON, a status for htmx, or a page that offers to send the form again."""
    if isinstance(error, UNAVAILABLE_ERRORS):
        database.failed(error)
    rejection = rejections.unavailable()
    if wants_json(request):
        response: HttpResponse = rejection_response(request, rejection)
    elif request.headers.get("HX-Request"):
        # The page says it itself, and keeps what was typed: see trouble.js.
        response = HttpResponse(rejection.message, content_type="text/plain; charset=utf-8", status=503)
    else:
        context = {
            "posted": request.method == "POST",
            "fields": resubmittable_fields(request),
            "address": request.get_full_path(),
        }
        # Without the request: context processors would ask the database.
        response = render(None, "503.html", context, status=503)
    response["Retry-After"] = str(rejection.retry_after_s)
    response.refusal_reason = type(error).__name__  # type: ignore[attr-defined]  # For the log.
    # Not by Django too: it would add a traceback for each request.
    response._has_been_logged = True  # type: ignore[attr-defined]  # Django's own mark.
    return response


def wants_json(request: HttpRequest) -> bool:
    """Whether a program asks: by token, with JSON, or for it."""
    if accepts_tokens(request.path_info) or "Authorization" in request.headers:
        return True
    if request.content_type == "application/json":
        return True
    return request.get_preferred_type(["text/html", "application/json"]) == "application/json"


def resubmittable_fields(request: HttpRequest) -> Sequence[tuple[str, str]]:
    """Return the fields of a form that may be sent once more as it is; none where it has secrets, files or too much."""
    if request.method != "POST" or request.content_type not in FORM_TYPES:
        return ()
    try:
        if request.FILES:
            return ()
        fields = [(name, value) for name, values in request.POST.lists() for value in values]
    except (BadRequest, SuspiciousOperation, UnreadablePostError, UnicodeError):
        return ()
    if any(name.startswith(SECRET_FIELDS) for name, _value in fields):
        return ()
    return fields if sum(len(value) for _name, value in fields) <= MAX_TYPED_CHARACTERS else ()
