"""Orders for questions: created in the transaction that needs them, leased by one worker at a time, settled once."""

import re
from collections.abc import Collection, Mapping
from datetime import timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now

from agents.event_log import get_logger
from agents.people import Person
from agents.runtime.model_connection import current_connection
from conversations.processes.identity import PROCESS, is_known_dead
from tutoring.courses.exercises.exercise import WRITTEN, Exercise, is_written, written_order_number
from tutoring.models import Concept, Question, WrittenQuestion
from tutoring.models.written_questions import LEASE_LENGTH, WrittenQuestionQuerySet
from tutoring.question_writing.drafts import UnusableDraft
from tutoring.question_writing.prompt_material import WritingFacts

logger = get_logger(__name__)

UNSEEN_NEEDED = 6
"""If a concept has more checked questions than this that a learner has not been asked, no more are ordered."""
OPEN_AT_MOST = 3
"""Open orders per concept."""
OFFERED = 12
"""Written questions that one turn chooses from."""
MAX_TRIES = 3
"""How often an order is tried; then it is recorded that no model answered."""
REQUEUE_AFTER = timedelta(minutes=2)
"""When an order that was enqueued and is still open is enqueued again."""
RETRY_AFTER = timedelta(minutes=5)
"""Pause after a try without an answer; twice as long after the second."""
Status = WrittenQuestion.Status
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def order_if_wanted(person: Person, concept: Concept) -> WrittenQuestion | None:
    """Order one question on the concept if this learner is about to run out of new ones; the caller has the transaction.

    Without a model that could write it, nothing happens: no query, no row.
    """
    if current_connection().state == "none":
        return None
    # Locked, so that no two learners create the same last order.
    Concept.objects.select_for_update(of=("self",), no_key=True).get(pk=concept.pk)
    rows = WrittenQuestion.objects.filter(concept=concept)
    asked = Question.objects.filter(learner_id=person.pk, concept=concept, template__startswith=WRITTEN)
    met = asked.values_list("template", flat=True)
    if rows.waiting().count() >= OPEN_AT_MOST or len(unseen_questions(rows, met=set(met))) >= UNSEEN_NEEDED:
        return None
    order = WrittenQuestion.objects.create(concept=concept, due_at=Now() + REQUEUE_AFTER)
    _requeue(order.pk)
    return order


def unseen_questions(rows: WrittenQuestionQuerySet, *, met: Collection[str]) -> list[WrittenQuestion]:
    """Return the first of these rows that may be asked, without those whose template was asked already; one query."""
    known = [written_order_number(template) for template in met if is_written(template)]
    checked = rows.checked().exclude(pk__in=known).select_related("concept").order_by("pk")
    return list(checked[:OFFERED])


def as_exercises(rows: Collection[WrittenQuestion]) -> tuple[Exercise, ...]:
    """Return the rows as exercises; one that this version of the program cannot read is left out."""
    found = []
    for row in rows:
        try:
            found.append(row.instance())
        except (UnusableDraft, ValueError):
            continue
    return tuple(found)


def claim_order(order_id: int) -> WrittenQuestion | None:
    """Lease an order to this process; None if it is settled, or another living process has it."""
    taken = WrittenQuestion.objects.free().filter(pk=order_id)
    if not taken.update(lease_owner=PROCESS, due_at=Now() + LEASE_LENGTH, tries=F("tries") + 1):
        return None
    orders = WrittenQuestion.objects.select_related("concept__course").defer("concept__course__content")
    return orders.get(pk=order_id)


def gather_facts(order: WrittenQuestion) -> WritingFacts:
    """Gather the facts for the writer, the checker and the code check."""
    kept = [Status.CHECKED, Status.RETIRED]
    rows = WrittenQuestion.objects.filter(concept=order.concept, status__in=kept).select_related("concept")
    course = order.concept.course.catalogue()
    return WritingFacts(
        order=order.pk,
        course=course,
        concept=course.concept(order.concept.slug),
        written=as_exercises(rows.order_by("-pk")),
    )


def settle_order(order: WrittenQuestion, *, status: str, **fields: Any) -> bool:
    """Store the result of an order; return whether it was still this process's to settle."""
    held = WrittenQuestion.objects.waiting().filter(pk=order.pk, lease_owner=PROCESS, tries=order.tries)
    stored = {name: storable(value) for name, value in fields.items()}
    return held.update(status=status, decided_at=Now(), lease_owner="", **stored) > 0


def release_order(order: WrittenQuestion) -> None:
    """Release an order that no model answered, to be tried again later."""
    held = WrittenQuestion.objects.waiting().filter(pk=order.pk, lease_owner=PROCESS, tries=order.tries)
    held.update(lease_owner="", due_at=Now() + RETRY_AFTER * order.tries)


def retire_questions(ids: Collection[int]) -> int:
    """Retire questions and cancel orders. Return how many; a question that is open already can still be answered."""
    rows = WrittenQuestion.objects.filter(pk__in=ids, status__in=[Status.ORDERED, Status.CHECKED])
    return rows.update(status=Status.RETIRED, reason=WrittenQuestion.Reason.WITHDRAWN, decided_at=Now(), lease_owner="")


def storable(value: Any) -> Any:
    """Return JSON data without the characters that PostgreSQL does not accept."""
    match value:
        case str():
            return _UNSTORABLE.sub("\ufffd", value)
        case Mapping():
            return {name: storable(each) for name, each in value.items()}
        case list() | tuple():
            return [storable(each) for each in value]
        case _:
            return value


def requeue_lost() -> list[int]:
    """Enqueue the orders that are due and still open: their task was lost, their worker died, or it is time to try again.

    Return which. An extra task does nothing. An order that was lost with its worker every time is given up: each try
    may have been paid for.
    """
    _release_leases_of_dead()
    with transaction.atomic():
        due = WrittenQuestion.objects.due()
        given_up = {"status": Status.REJECTED, "reason": WrittenQuestion.Reason.NO_ANSWER, "detail": "lost every time"}
        due.filter(tries__gte=MAX_TRIES).update(**given_up, decided_at=Now(), lease_owner="")
        lost = list(due.select_for_update(skip_locked=True).values_list("pk", flat=True))
        WrittenQuestion.objects.filter(pk__in=lost).update(lease_owner="", due_at=Now() + REQUEUE_AFTER)
        for order_id in lost:
            _requeue(order_id)
    if lost:
        logger.info("jobs_requeued", job="question_writing", jobs=len(lost))
    return lost


def _release_leases_of_dead() -> None:
    holders = WrittenQuestion.objects.waiting().exclude(lease_owner="").values_list("lease_owner", flat=True)
    dead = [name for name in set(holders) if is_known_dead(name)]
    if dead:
        WrittenQuestion.objects.waiting().filter(lease_owner__in=dead).update(lease_owner="", due_at=Now())


def _requeue(order_id: int) -> None:
    from tutoring.question_writing.jobs import write_question  # The job settles orders: it imports this module.

    # Whatever happens to the task, the order stays.
    transaction.on_commit(partial(write_question.enqueue, order_id), robust=True)
