"""What a program or a page's script is told where something is refused."""

import logging

from django.http import HttpRequest, JsonResponse

from agents.wire.rejections import Rejection

logger = logging.getLogger(__name__)

CHALLENGE = 'Bearer realm="learnagent"'


def rejection_response(request: HttpRequest, rejection: Rejection) -> JsonResponse:
    """Return the refusal with its status, what to do now, and the id under which the request stands in the log."""
    body = rejection.as_wire(ref=getattr(request, "ref", "-"))
    response = JsonResponse(body, status=rejection.status, headers=rejection_headers(rejection))
    if rejection.status in (501, 503):
        # Django would call it a fault of the program: one was switched off by an admin, the other is said where it arose.
        response._has_been_logged = True  # type: ignore[attr-defined]  # Django's own mark.
        logger.info("refused with %d %s", rejection.status, rejection.code)
    return response


def rejection_headers(rejection: Rejection) -> dict[str, str]:
    """Return what the answer's head says of the refusal."""
    headers = {"Cache-Control": "no-store"}
    if rejection.retry_after_s is not None:
        headers["Retry-After"] = str(rejection.retry_after_s)
    if rejection.status == 401:
        headers["WWW-Authenticate"] = CHALLENGE
    return headers
