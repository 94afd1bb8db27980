"""The request type of a signed-in person, and the check for it."""

import re
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse


class LearnerRequest(HttpRequest):
    """A request that `login_required` lets through. This app may not import the person's class."""

    user: Any


def answer_from(request: HttpRequest) -> int | None:
    """Return the answer at which a list of answers starts, from the address; None for the latest one."""
    asked = request.GET.get("from", "")
    return int(asked) if re.fullmatch(r"[0-9]{1,18}", asked) else None


def polling_login_required(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Require a signed-in person, as `login_required` does; a polling page gets a 401."""
    guarded = login_required(view)

    @wraps(view)
    def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.headers.get("HX-Request") and not request.user.is_authenticated:
            return HttpResponse(status=401)
        return guarded(request, *args, **kwargs)

    return answered
