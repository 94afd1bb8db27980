"""Drawings of courses from elsewhere, each as an image of its own."""

from typing import Final

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from tutoring.access import course_for, not_found_text
from tutoring.pages.views.requests import LearnerRequest

SANDBOX: Final = "sandbox; default-src 'none'; style-src 'unsafe-inline'"
"""Opened in a tab of its own, the drawing runs nothing and asks nobody for anything."""


@login_required
@require_safe
def drawing(request: LearnerRequest, course: str, file: str) -> HttpResponse:
    """Return a drawing of a course that the person may open."""
    found = course_for(request.user, course).catalogue().drawings.get(file)
    if found is None:
        raise Http404(not_found_text())
    headers = {
        "Content-Security-Policy": SANDBOX,
        "X-Content-Type-Options": "nosniff",
    }
    return HttpResponse(found, content_type="image/svg+xml; charset=utf-8", headers=headers)
