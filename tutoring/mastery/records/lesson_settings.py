"""A learner's settings of a lesson."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from conversations.models import Session
from tutoring.models import Lesson, Mastery

READS_PACE = "reads_pace"
"""Key in a session's state; false if its learner does not want moods to be estimated."""


@transaction.atomic
def save_settings(lesson: Lesson, *, own_level: str, threshold: float, reads_pace: bool = True) -> None:
    """Set the level of explanations (empty: by the answers) and the mastery threshold (0–1).

    `reads_pace`: moods may be estimated from messages and their timing. Earlier answers keep the threshold then in
    force.
    """
    # Held, so that a turn that ends meanwhile and this each keep what they changed.
    session = Session.objects.select_for_update(of=("self",)).get(pk=lesson.session_id)
    session.change("mastery_threshold", threshold)
    session.change(READS_PACE, reads_pace)
    session.save(update_fields=["state"])
    Lesson.objects.filter(pk=lesson.pk).update(own_level=own_level)


def threshold_in(state: Mapping[str, Any], *, default: float) -> float:
    """Return a conversation's mastery threshold (0–1); `default`, the course's, if it has none."""
    wanted = state.get("mastery_threshold", default)
    is_number = isinstance(wanted, int | float) and not isinstance(wanted, bool)
    return float(wanted) if is_number and 0 <= wanted <= 1 else default


def threshold_for(row: Mastery | None, state: Mapping[str, Any], *, default: float) -> float:
    """Return a concept's mastery threshold (0–1): its own once it was answered, else that of `threshold_in`.

    A placement stores probabilities before anything is answered; these do not fix a threshold.
    """
    return row.threshold if row is not None and row.answers else threshold_in(state, default=default)
