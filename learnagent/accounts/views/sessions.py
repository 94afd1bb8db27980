"""Where a person is signed in: look, and sign out from afar."""

from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from learnagent.accounts.authentication.sessions import end_session, end_sessions, sessions_of
from learnagent.accounts.requests import PersonRequest


@never_cache
@login_required
@require_http_methods(["GET", "HEAD"])
def sessions(request: PersonRequest) -> HttpResponse:
    context = {
        "sessions": sessions_of(request.user, current=request.session.session_key),
        "tokens": request.user.api_tokens.count(),
    }
    return render(request, "accounts/sessions.html", context)


@login_required
@require_POST
def end(request: PersonRequest, name: str) -> HttpResponse:
    if not end_session(request.user, name):
        raise Http404
    messages.success(request, _("That browser has been signed out."))
    return redirect("accounts:sessions")


@login_required
@require_POST
def end_all(request: PersonRequest) -> HttpResponse:
    """Sign the person out everywhere, here too."""
    end_sessions(request.user)
    logout(request)
    return redirect("accounts:sign-in")
