"""Context of every page: how many pupils may need help, for those who teach, and what a pupil reads for a class."""

from collections.abc import Sequence
from typing import Any, cast

from django.http import HttpRequest

from agents.people import Person
from tutoring.assignments.readings import open_reading
from tutoring.classes.concerns import LearnerConcern, concerns_for, unseen_count
from tutoring.models import Assignment


def concern_count(request: HttpRequest) -> dict[str, Any]:
    """Return how many pupils of the reader's classes nobody has looked after yet; queried only when used."""
    return {"concern_count": lambda: unseen_count(concerns_of(request))}


def reading_assignment(request: HttpRequest) -> dict[str, Any]:
    """Return the assignment for which the reader has opened the text of this page; queried only when used."""
    return {"reading_assignment": lambda: _reading_assignment(request)}


def _reading_assignment(request: HttpRequest) -> Assignment | None:
    match = request.resolver_match
    if match is None or match.url_name not in ("article", "document"):
        return None
    text = match.kwargs[match.url_name]
    return open_reading(cast("Person", request.user), **{match.url_name: text})


def concerns_of(request: HttpRequest) -> Sequence[LearnerConcern]:
    """Return who may need help in the reader's classes; one query for each request, none for those who teach nobody."""
    if not request.user.is_authenticated:
        return []
    known: Sequence[LearnerConcern] | None = getattr(request, "learner_concerns", None)
    if known is None:
        known = concerns_for(cast("Person", request.user))
        setattr(request, "learner_concerns", known)  # noqa: B010  # The request's class does not know it.
    return known
