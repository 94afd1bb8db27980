"""The current sitting of a learner."""

from datetime import datetime, timedelta

from django.utils import timezone

from tutoring.mastery.sittings import Sitting
from tutoring.mastery.spaced_review import AWAY_S
from tutoring.models import Attempt, Question

ANSWERS_AT_MOST = 100
"""Answers, latest first, that are counted: enough for a share."""
AWAY = timedelta(seconds=AWAY_S)
_FROM_BEFORE = "question__public__from_before"


def current_sitting(learner_id: int, *, at: datetime | None = None) -> Sitting:
    """Return the answers up to `at` without a break of half an hour, placements excluded; one query."""
    asked = Attempt.objects.filter(learner_id=learner_id, number=1).exclude(
        question__purpose__in=(Question.Purpose.PLACEMENT, Question.Purpose.PRACTICE)
    )
    # Not by time: a clock may be set back.
    answers = asked.order_by("-pk").values_list("created_at", "question__purpose", _FROM_BEFORE)
    later, questions, reviews = at or timezone.now(), 0, 0
    for answered_at, purpose, from_before in answers[:ANSWERS_AT_MOST]:
        if abs(later - answered_at) > AWAY:
            break
        later, questions = answered_at, questions + 1
        reviews += purpose == Question.Purpose.REVIEW or from_before is True
    return Sitting(questions=questions, reviews=reviews)
