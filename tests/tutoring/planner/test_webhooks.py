"""Messages to the workflow server: signed, sent once, tried again for a day, and only for those who agreed to it."""

import hashlib
import hmac
import json
import subprocess
from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from tests.tutoring.planner.webhook_server import closed_port, workflow_server
from tutoring.models import WebhookDelivery
from tutoring.planner import webhook_sender, webhooks
from tutoring.planner.webhooks import attempt_delivery, order_webhook, pause_after, send_due_webhooks

pytestmark = pytest.mark.django_db
SECRET = "a secret of the workflow"
WAITING, SENT, GIVEN_UP = WebhookDelivery.Status.WAITING, WebhookDelivery.Status.SENT, WebhookDelivery.Status.GIVEN_UP


@pytest.fixture
def workflow(settings):
    with workflow_server() as workflow:
        settings.N8N_WEBHOOK_URL, settings.N8N_WEBHOOK_SECRET = workflow.url, SECRET
        yield workflow


@pytest.fixture
def ordered(monkeypatch):
    """The deliveries of which an attempt was ordered."""
    pks = []
    monkeypatch.setattr(type(webhooks.send_webhook), "enqueue", lambda _task, *given: pks.append(given[0]))
    return pks


def order(person):
    delivery = order_webhook(person, kind="task_due", body={"title": "Sheet 6"})
    assert delivery is not None
    return delivery


def attempt(delivery, *, at=None):
    attempt_delivery(str(delivery.pk), at=at or timezone.now())
    delivery.refresh_from_db()
    return delivery


class TestWhatIsSent:
    def test_is_signed_over_its_time_and_named_for_the_server_to_take_it_once(self, workflow, ben):
        delivery = attempt(order(ben))
        [(headers, body)] = workflow.requests
        expected = hmac.new(SECRET.encode(), headers["x-learnagent-timestamp"].encode() + b"." + body, hashlib.sha256)
        assert headers["x-learnagent-signature"] == f"sha256={expected.hexdigest()}"
        assert headers["idempotency-key"] == str(delivery.pk)
        said = json.loads(body)
        assert (said["id"], said["kind"], said["body"]) == (str(delivery.pk), "task_due", {"title": "Sheet 6"})
        assert (delivery.status, delivery.answer, delivery.tries) == (SENT, "200", 1)
        assert delivery.sent_at is not None

    def test_is_not_sent_again_once_it_was_accepted(self, workflow, ben):
        delivery = attempt(order(ben))
        attempt(delivery)
        assert len(workflow.requests) == 1

    def test_has_the_same_name_each_time_it_is_tried(self, workflow, ben):
        workflow.behavior = 503
        delivery = attempt(order(ben))
        attempt(delivery)
        assert {headers["idempotency-key"] for headers, _body in workflow.requests} == {str(delivery.pk)}


class TestWhoAgreed:
    def test_nothing_is_stored_for_a_person_who_did_not_agree(self, workflow, ada):
        assert order_webhook(ada, kind="task_due", body={}) is None
        assert not WebhookDelivery.objects.exists()

    def test_nothing_is_stored_without_a_server(self, settings, ben):
        settings.N8N_WEBHOOK_URL = ""
        assert order_webhook(ben, kind="task_due", body={}) is None

    def test_a_person_who_withdraws_stops_what_still_waits(self, workflow, ben):
        delivery = order(ben)
        ben.set_consent(False)
        ben.save()
        attempt(delivery)
        assert (delivery.status, workflow.requests) == (GIVEN_UP, [])

    def test_what_a_transaction_takes_back_is_not_sent(self, workflow, ben):
        with transaction.atomic():
            order(ben)
            transaction.set_rollback(True)
        assert not WebhookDelivery.objects.exists()


class TestFaults:
    def test_an_hour_of_500_ends_with_one_delivery(self, workflow, ben):
        workflow.behavior = 500
        delivery = order(ben)
        begun = at = delivery.created_at
        while at < begun + timedelta(hours=1):
            attempt(delivery, at=at)
            assert (delivery.status, delivery.answer) == (WAITING, "500")
            assert delivery.next_at > at
            at = delivery.next_at
        failed = len(workflow.requests)
        workflow.behavior = 200
        attempt(delivery, at=at)
        assert (delivery.status, len(workflow.requests)) == (SENT, failed + 1)
        assert failed < 12  # The pauses grow.

    def test_is_given_up_on_after_a_day(self, workflow, ben):
        workflow.behavior = 500
        delivery = order(ben)
        at = delivery.created_at
        while delivery.status == WAITING:
            attempt(delivery, at=at)
            at = max(at, delivery.next_at)
        assert delivery.status == GIVEN_UP
        assert timedelta(hours=22) < at - delivery.created_at <= timedelta(days=1)

    def test_a_server_that_hangs_is_left_alone_after_the_time_limit(self, workflow, ben, monkeypatch):
        monkeypatch.setattr(webhook_sender, "TIMEOUT_S", 0.2)
        workflow.behavior = "hang"
        delivery = attempt(order(ben))
        assert (delivery.status, delivery.tries) == (WAITING, 1)
        assert delivery.answer.startswith("no answer within")

    def test_a_redirect_is_not_followed(self, workflow, ben):
        workflow.behavior = "redirect"
        delivery = attempt(order(ben))
        assert (delivery.status, delivery.answer, len(workflow.requests)) == (WAITING, "302", 1)

    def test_a_body_that_never_ends_is_not_waited_for(self, workflow, ben):
        workflow.behavior = "slow body"
        assert attempt(order(ben)).status == SENT

    def test_a_server_that_is_not_there_is_tried_again(self, settings, ben):
        settings.N8N_WEBHOOK_URL = f"http://127.0.0.1:{closed_port()}/webhook"
        delivery = attempt(order(ben))
        assert (delivery.status, delivery.answer) == (WAITING, "ConnectError")

    def test_a_wrong_certificate_gets_nothing(self, settings, ben, tmp_path):
        names = ["-subj", "/CN=elsewhere.example", "-keyout", str(tmp_path / "key"), "-out", str(tmp_path / "cert")]
        make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", *names]
        subprocess.run(make, check=True, capture_output=True)
        both = tmp_path / "both.pem"
        both.write_bytes((tmp_path / "cert").read_bytes() + (tmp_path / "key").read_bytes())
        with workflow_server(certificate=both) as workflow:
            settings.N8N_WEBHOOK_URL = workflow.url
            delivery = attempt(order(ben))
            assert (delivery.status, workflow.requests) == (WAITING, [])


class TestOrders:
    def test_what_is_due_is_ordered_once(self, workflow, ben, ordered):
        delivery = order(ben)
        at = timezone.now()
        send_due_webhooks(at=at)
        send_due_webhooks(at=at)
        assert ordered == [str(delivery.pk)]

    def test_what_a_dead_worker_took_along_is_ordered_again(self, workflow, ben, ordered):
        order(ben)
        at = timezone.now()
        send_due_webhooks(at=at)
        send_due_webhooks(at=at + webhooks.ORDERED_FOR)
        assert len(ordered) == 2

    def test_what_was_sent_or_waits_for_its_time_is_not_ordered(self, workflow, ben, ordered):
        attempt(order(ben))
        workflow.behavior = 500
        attempt(order(ben))
        send_due_webhooks()
        assert ordered == []


def test_the_pauses_double_up_to_an_hour():
    assert [pause_after(tries).total_seconds() for tries in (1, 2, 3, 9, 40)] == [30, 60, 120, 3600, 3600]
