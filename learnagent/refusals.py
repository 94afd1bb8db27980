"""The page for a request that cannot be read: 413 where it was too large, else 400."""

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's `handler400`, which knows the size limit only as one more bad request."""
    return render(request, "400.html", status=413 if isinstance(exception, RequestDataTooBig) else 400)
