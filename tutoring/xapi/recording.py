"""Notices what learners do and stores it for the record store, in the same transaction: what is undone is not sent."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import Exists, OuterRef, QuerySet
from django.db.models.signals import post_save
from django.utils import timezone

from tutoring.models import Attempt, Cycle, LearningRecord, Lesson, Mastery, Membership
from tutoring.xapi import statements


def connect() -> None:
    """Have answers, lessons, rounds of lessons and mastered topics recorded from now on."""
    for model, record in ((Attempt, _answer), (Mastery, _mastery), (Cycle, _cycle), (Lesson, _lesson)):
        post_save.connect(record, sender=model, dispatch_uid=f"xapi {model.__name__}")


def is_set_up() -> bool:
    return bool(settings.XAPI_ENDPOINT)


def agreed_places() -> QuerySet[Membership]:
    """Return the places of learners in classes that have agreed to records being sent."""
    return Membership.objects.filter(
        role=Membership.Role.LEARNER, classroom__archived_at=None, classroom__policy__sends_records=True
    )


def allowed_records() -> QuerySet[LearningRecord]:
    """Return the records of learners who are in such a class now."""
    return LearningRecord.objects.filter(Exists(agreed_places().filter(person=OuterRef("owner"))))


def _answer(instance: Attempt, created: bool, raw: bool = False, **kwargs: object) -> None:
    if created and not raw:
        _record(instance.learner_id, "answered", lambda: statements.answered(instance))


def _mastery(instance: Mastery, raw: bool = False, **kwargs: object) -> None:
    if not raw and instance.mastered_at is not None and instance.mastered_at == instance.last_at:
        _record(instance.learner_id, "mastered", lambda: statements.mastered(instance))


def _cycle(instance: Cycle, raw: bool = False, **kwargs: object) -> None:
    if not raw and instance.completed_at is not None:
        _record(instance.learner_id, "completed", lambda: statements.completed(instance))


def _lesson(instance: Lesson, created: bool, raw: bool = False, **kwargs: object) -> None:
    if created and not raw:
        _record(instance.learner_id, "experienced", lambda: statements.experienced(instance))


def _record(learner_pk: int, verb: str, say: Callable[[], dict[str, Any]]) -> None:
    if not is_set_up() or not agreed_places().filter(person=learner_pk).exists():
        return
    statement = say()
    record = LearningRecord(
        pk=UUID(statement["id"]), owner_id=learner_pk, verb=verb, statement=statement, next_at=timezone.now()
    )
    LearningRecord.objects.bulk_create([record], ignore_conflicts=True)
