"""A request of somebody who is signed in, as the views here see it."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse


class LearnerRequest(HttpRequest):
    """What `login_required` lets through. The person's class belongs to a room that this one may not import."""

    user: Any


def polling_login_required(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Let nobody in without signing in, as `login_required` does; a page that asks for what is new is told by a 401."""
    guarded = login_required(view)

    @wraps(view)
    def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.headers.get("HX-Request") and not request.user.is_authenticated:
            return HttpResponse(status=401)
        return guarded(request, *args, **kwargs)

    return answered
