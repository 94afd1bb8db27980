"""What a page's script is told where something is refused."""

from django.http import HttpRequest, JsonResponse

from agents.rejections import Rejection


def as_json(request: HttpRequest, rejection: Rejection) -> JsonResponse:
    """Return the refusal with its status, what to do now, and the id under which the request stands in the log."""
    body = rejection.as_wire(ref=getattr(request, "ref", "-"))
    response = JsonResponse(body, status=rejection.status)
    if rejection.retry_after_s is not None:
        response["Retry-After"] = str(rejection.retry_after_s)
    return response
