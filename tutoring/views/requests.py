"""A request of somebody who is signed in, as the views here see it."""

from typing import Any

from django.http import HttpRequest


class LearnerRequest(HttpRequest):
    """What `login_required` lets through. The person's class belongs to a room that this one may not import."""

    user: Any
