"""Closing an announcement."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from learnagent.accounts.requests import PersonRequest
from learnagent.accounts.views.sign_in import same_site_address
from learnagent.site.look import close_announcement


@login_required
@require_POST
def close(request: PersonRequest, pk: int) -> HttpResponse:
    """Hide an announcement from now on; go back to the page that showed it."""
    if not close_announcement(request.user, pk):
        raise Http404
    return (
        HttpResponse()
        if request.headers.get("HX-Request")
        else redirect(same_site_address(request, request.headers.get("Referer", "")))
    )
