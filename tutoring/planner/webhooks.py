"""Messages to the configured workflow server (n8n): signed, tried until they are accepted, given up on after a day."""

import uuid
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from asgiref.sync import async_to_sync
from django.conf import settings
from django.tasks import task
from django.utils import timezone

from agents.event_log import get_logger
from agents.people import Person
from tutoring.models import WebhookDelivery

logger = get_logger(__name__)

FIRST_PAUSE, LONGEST_PAUSE = timedelta(seconds=30), timedelta(hours=1)
GIVE_UP_AFTER: Final = timedelta(days=1)
ORDERED_FOR: Final = timedelta(minutes=5)
"""How long an ordered attempt is left alone; if the worker died with it, the next look orders it again."""
AT_ONCE: Final = 200
"""Deliveries that one look orders; the others wait for the next look."""
ANSWER_LENGTH: Final = 200


def is_set_up() -> bool:
    return bool(settings.N8N_WEBHOOK_URL)


def order_webhook(person: Person, *, kind: str, body: Mapping[str, Any]) -> WebhookDelivery | None:
    """Store a message to the workflow server, which is sent within a minute.

    None, with nothing stored, if there is no server or the person has not agreed that data may leave the site. Can be
    called inside a transaction: the message is sent only if that succeeds.
    """
    if not (is_set_up() and person.consent):
        return None
    return WebhookDelivery.objects.create(owner_id=person.pk, kind=kind, body=dict(body), next_at=timezone.now())


def send_due_webhooks(*, at: datetime | None = None) -> None:
    """Order an attempt for each delivery that is due. Each runs as a job of its own: one that hangs holds up no other."""
    at = at or timezone.now()
    waiting = WebhookDelivery.objects.filter(status=WebhookDelivery.Status.WAITING, next_at__lte=at)
    for pk, next_at in waiting.order_by("next_at").values_list("pk", "next_at")[:AT_ONCE]:
        # Only the process that moves the time on has the attempt.
        if WebhookDelivery.objects.filter(pk=pk, next_at=next_at).update(next_at=at + ORDERED_FOR):
            send_webhook.enqueue(str(pk))


@task
def send_webhook(pk: str) -> None:
    """Try a delivery once."""
    attempt_delivery(pk, at=timezone.now())


def attempt_delivery(pk: str, *, at: datetime) -> None:
    """Send a waiting delivery, and note when it is tried again if it was not accepted."""
    rows = WebhookDelivery.objects.select_related("owner").filter(status=WebhookDelivery.Status.WAITING)
    delivery = rows.filter(pk=uuid.UUID(pk)).first()
    if delivery is None:
        return
    if not (is_set_up() and delivery.owner.consent):
        _give_up(delivery, "consent was withdrawn" if is_set_up() else "no server is configured")
        return
    delivery.tries += 1
    # The HTTP library takes long to load, and a start must not wait for it.
    from tutoring.planner.webhook_sender import post_delivery

    accepted, answer = async_to_sync(post_delivery)(delivery, at)
    delivery.answer, delivery.next_at = answer[:ANSWER_LENGTH], at + pause_after(delivery.tries)
    if accepted:
        delivery.status, delivery.sent_at = WebhookDelivery.Status.SENT, at
    elif delivery.next_at > delivery.created_at + GIVE_UP_AFTER:
        _give_up(delivery, delivery.answer)
        return
    delivery.save(update_fields=["status", "tries", "next_at", "answer", "sent_at"])


def pause_after(tries: int) -> timedelta:
    """Return how long to wait after so many attempts: 30 s, then twice as long each time, at most an hour."""
    # Past the eighth attempt the pause is an hour anyway; a larger factor would be too large for a timedelta.
    return min(FIRST_PAUSE * (1 << min(tries - 1, 8)), LONGEST_PAUSE)


def _give_up(delivery: WebhookDelivery, answer: str) -> None:
    delivery.status, delivery.answer = WebhookDelivery.Status.GIVEN_UP, answer
    delivery.save(update_fields=["status", "tries", "answer"])
    logger.warning("webhook_given_up", webhook=delivery.pk, tries=delivery.tries)
