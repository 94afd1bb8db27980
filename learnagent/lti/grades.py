"""Grades that go back to platforms: noticed as scores change, sent until they are accepted, given up on after days."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from django.db import models
from django.tasks import task
from django.utils import timezone

from agents.event_log import get_logger
from learnagent.lti.models import Grade
from tutoring.models import Mastery, Membership, Policy

logger = get_logger(__name__)

FIRST_PAUSE, LONGEST_PAUSE = timedelta(minutes=1), timedelta(hours=6)
GIVE_UP_AFTER: Final = timedelta(days=3)
ORDERED_FOR: Final = timedelta(minutes=5)
"""How long an ordered attempt is left alone; if the worker died with it, the next look orders it again."""
AT_ONCE: Final = 200
"""Attempts that one look orders; the others wait for the next look."""
ANSWER_LENGTH: Final = 200


def send_due_grades(*, at: datetime | None = None) -> None:
    """Notice the scores that have changed, and order an attempt for each grade that is due."""
    at = at or timezone.now()
    notice_scores(at=at)
    waiting = allowed_grades().filter(status=Grade.Status.WAITING, next_at__lte=at)
    for pk, next_at in waiting.order_by("next_at").values_list("pk", "next_at")[:AT_ONCE]:
        # Only the process that moves the time on has the attempt.
        if Grade.objects.filter(pk=pk, next_at=next_at).update(next_at=at + ORDERED_FOR):
            send_grade.enqueue(pk)


def notice_scores(*, at: datetime) -> None:
    """Store the scores that differ from those last noticed. Compared anew each time, so that none is missed."""
    masteries, changed = _masteries(), []
    for grade in allowed_grades():
        mastery = masteries.get((grade.account.person_id, grade.link.concept_id))
        score = score_of(mastery)
        if mastery is None or score is None or (score, mastery.is_mastered) == (grade.score, grade.is_mastered):
            continue
        grade.score, grade.is_mastered, grade.scored_at = score, mastery.is_mastered, at
        grade.status, grade.tries, grade.next_at, grade.answer = Grade.Status.WAITING, 0, at, ""
        changed.append(grade)
    fields = ["score", "is_mastered", "scored_at", "status", "tries", "next_at", "answer"]
    Grade.objects.bulk_update(changed, fields, batch_size=AT_ONCE)


def score_of(mastery: Mastery | None) -> int | None:
    """Return the score as pages show it, 0 to 100; None while there are too few answers for a number."""
    return None if mastery is None or mastery.score is None else round(100 * mastery.score)


def allowed_grades() -> models.QuerySet[Grade]:
    """Return the grades that may be sent.

    The platform takes scores for the link, the learner is in the class, and its agreement lets grades go there.
    """
    place = Membership.objects.filter(
        classroom=models.OuterRef("link__course__classroom"),
        person=models.OuterRef("account__person"),
        role=Membership.Role.LEARNER,
    )
    return (
        Grade.objects.filter(
            models.Exists(place),
            account__platform__is_active=True,
            link__concept__isnull=False,
            link__course__classroom__policy__sends_grades=True,
        )
        .exclude(link__line_item="")
        .exclude(link__course__classroom__policy__platform="")
        .exclude(link__course__classroom__policy__mastery=Policy.Progress.NOTHING)
        .select_related("account__platform", "link")
    )


@task
def send_grade(pk: int) -> None:
    """Try to send a grade once."""
    attempt_grade(pk, at=timezone.now())


def attempt_grade(pk: int, *, at: datetime) -> None:
    """Send a waiting grade, and note when it is tried again if it was not accepted."""
    grade = allowed_grades().filter(pk=pk, status=Grade.Status.WAITING).first()
    if grade is None or grade.scored_at is None:
        # What is no longer allowed is not sent. If it is allowed again, it waits here.
        return
    # The HTTP library takes long to load, and a start must not wait for it.
    from learnagent.lti.grade_sender import post_score

    tries = grade.tries + 1
    outcome = post_score(grade)
    fields: dict[str, object] = {"tries": tries, "answer": outcome.says[:ANSWER_LENGTH]}
    if outcome.is_accepted:
        fields |= {"status": Grade.Status.SENT, "sent_at": at}
    elif outcome.is_final or at + pause_after(tries) > grade.scored_at + GIVE_UP_AFTER:
        fields |= {"status": Grade.Status.GIVEN_UP}
        logger.warning("grade_given_up", grade=pk, tries=tries, answer=outcome.says)
    else:
        fields |= {"next_at": at + pause_after(tries)}
    # Not if the score has changed meanwhile: then the new one waits.
    Grade.objects.filter(pk=pk, scored_at=grade.scored_at, status=Grade.Status.WAITING).update(**fields)


def send_again(grades: Iterable[Grade], *, at: datetime) -> int:
    """Let grades that were given up wait again; return how many."""
    given_up = [each.pk for each in grades if each.status == Grade.Status.GIVEN_UP]
    fields = {"status": Grade.Status.WAITING, "scored_at": at, "next_at": at, "tries": 0, "answer": ""}
    return Grade.objects.filter(pk__in=given_up, status=Grade.Status.GIVEN_UP).update(**fields)


def pause_after(tries: int) -> timedelta:
    """Return how long to wait after so many attempts: a minute, then twice as long each time, at most six hours."""
    return min(FIRST_PAUSE * (1 << min(tries - 1, 10)), LONGEST_PAUSE)


def _masteries() -> dict[tuple[int, int | None], Mastery]:
    """Return the mastery behind every grade that may be sent, by learner and concept."""
    allowed = allowed_grades().order_by()
    rows = Mastery.objects.filter(
        learner__in=allowed.values("account__person"), concept__in=allowed.values("link__concept")
    )
    rows = rows.select_related("concept__course").defer("concept__course__content")
    return {(row.learner_id, row.concept_id): row for row in rows}
