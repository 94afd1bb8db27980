"""How a lesson goes, as its learner wants it."""

from django.db import transaction

from conversations.models import Session
from tutoring.models import Lesson


@transaction.atomic
def keep_wishes(lesson: Lesson, *, own_level: str, threshold: float) -> None:
    """Explain at this level from now on (empty: as the answers show), and go on from this mastery score (0–1).

    What has been begun keeps the score it began with.
    """
    # Held, so that a turn that ends meanwhile and this each keep what they changed.
    session = Session.objects.select_for_update(of=("self",)).get(pk=lesson.session_id)
    session.state["mastery_threshold"] = threshold
    session.save(update_fields=["state"])
    Lesson.objects.filter(pk=lesson.pk).update(own_level=own_level)
