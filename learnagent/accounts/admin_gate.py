"""The gate in front of pages for admins: nobody else finds them, and a second factor is asked for where it is set up."""

from collections.abc import Callable
from functools import wraps

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import resolve_url

from learnagent.accounts.authentication.second_factor import is_code_needed


def code_page(request: HttpRequest) -> HttpResponseBase | None:
    """Return the way to the page that asks an admin for a code; None if none is needed."""
    if not is_code_needed(request):
        return None
    return redirect_to_login(request.get_full_path(), resolve_url("accounts:second-factor-code"))


def admins_only[**P, R: HttpResponseBase](
    view: Callable[..., R],
) -> Callable[..., HttpResponseBase]:
    """Let only admins in: others sign in first, or get a 404 as for an unknown page."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        if not (request.user.is_active and request.user.is_staff):
            raise Http404
        return code_page(request) or view(request, *args, **kwargs)

    return guarded
