"""How a lesson goes, as its learner wants it."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from conversations.models import Session
from tutoring.models import Lesson, Mastery

READS_PACE = "reads_pace"
"""The key of a session's state that is false where its learner wants nothing made of their messages but what they say."""


@transaction.atomic
def save_settings(lesson: Lesson, *, own_level: str, threshold: float, reads_pace: bool = True) -> None:
    """Explain at this level from now on (empty: as the answers show), and go on from this mastery score (0–1).

    `reads_pace`: how it goes may be made out from messages, and from the time they take.

    What has been answered keeps the score that was in force then.
    """
    # Held, so that a turn that ends meanwhile and this each keep what they changed.
    session = Session.objects.select_for_update(of=("self",)).get(pk=lesson.session_id)
    session.change("mastery_threshold", threshold)
    session.change(READS_PACE, reads_pace)
    session.save(update_fields=["state"])
    Lesson.objects.filter(pk=lesson.pk).update(own_level=own_level)


def threshold_in(state: Mapping[str, Any], *, default: float) -> float:
    """Return the mastery score (0–1) from which a conversation goes on; `default`, its course's, where it names none."""
    wanted = state.get("mastery_threshold", default)
    is_number = isinstance(wanted, int | float) and not isinstance(wanted, bool)
    return float(wanted) if is_number and 0 <= wanted <= 1 else default


def threshold_for(row: Mastery | None, state: Mapping[str, Any], *, default: float) -> float:
    """Return the mastery score (0–1) from which a concept is mastered: its own once it was answered, else as `threshold_in`.

    A placement stores what it believes of a concept before anybody answers on it: that begins nothing.
    """
    return row.threshold if row is not None and row.answers else threshold_in(state, default=default)
