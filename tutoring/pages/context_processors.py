"""Context of every page: how many pupils may need help, for those who teach."""

from collections.abc import Sequence
from typing import Any, cast

from django.http import HttpRequest

from agents.people import Person
from tutoring.classes.concerns import LearnerConcern, concerns_for, unseen_count


def concern_count(request: HttpRequest) -> dict[str, Any]:
    """Return how many pupils of the reader's classes nobody has looked after yet; queried only when used."""
    return {"concern_count": lambda: unseen_count(concerns_of(request))}


def concerns_of(request: HttpRequest) -> Sequence[LearnerConcern]:
    """Return who may need help in the reader's classes; one query for each request, none for those who teach nobody."""
    if not request.user.is_authenticated:
        return []
    known: Sequence[LearnerConcern] | None = getattr(request, "learner_concerns", None)
    if known is None:
        known = concerns_for(cast("Person", request.user))
        setattr(request, "learner_concerns", known)  # noqa: B010  # The request's class does not know it.
    return known
