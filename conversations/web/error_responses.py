"""JSON responses for rejected requests, for programs and page scripts."""

from django.http import HttpRequest, JsonResponse

from agents.wire.rejections import PROTECTIVE_STATUSES, Rejection

CHALLENGE = 'Bearer realm="learnagent"'


def rejection_response(request: HttpRequest, rejection: Rejection) -> JsonResponse:
    """Return the rejection with its status, message, and the id of the request in the log."""
    body = rejection.as_wire(ref=getattr(request, "ref", "-"))
    response = JsonResponse(body, status=rejection.status, headers=rejection_headers(rejection))
    response.refusal = rejection.code  # type: ignore[attr-defined]  # For the log.
    if rejection.status in PROTECTIVE_STATUSES or rejection.status >= 500:
        # Not by Django too: it has a line of its own.
        response._has_been_logged = True  # type: ignore[attr-defined]  # Django's own mark.
    return response


def rejection_headers(rejection: Rejection) -> dict[str, str]:
    """Return the response headers of a rejection."""
    headers = {"Cache-Control": "no-store"}
    if rejection.retry_after_s is not None:
        headers["Retry-After"] = str(rejection.retry_after_s)
    if rejection.status == 401:
        headers["WWW-Authenticate"] = CHALLENGE
    return headers
