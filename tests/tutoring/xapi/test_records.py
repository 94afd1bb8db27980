"""Records of learning: made only where a class agrees, valid for a store, without names and words, and sent once."""

import json
from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from tests.tutoring.small_course import ask
from tests.tutoring.xapi.record_store import KEY, SECRET, record_store
from tutoring.classes.membership import join_class, leave_class, make_class
from tutoring.mastery.records.progress import begin_cycle, begin_lesson, close_cycle, record_attempt
from tutoring.models import LearningRecord, Mastery, Policy
from tutoring.xapi import delivery
from tutoring.xapi.delivery import send_batch, send_due_records
from tutoring.xapi.statements import pseudonym_of

pytestmark = [pytest.mark.db, pytest.mark.django_db]
WAITING, SENT, GIVEN_UP = LearningRecord.Status.values


@pytest.fixture
def store(settings):
    with record_store() as store:
        settings.XAPI_ENDPOINT, settings.XAPI_KEY, settings.XAPI_SECRET = store.url, KEY, SECRET
        yield store


@pytest.fixture
def agreed(ada, grace):
    """Ada is in a class that has agreed to records being sent."""
    classroom = make_class(grace, "4b", code="4b")
    classroom.policy.sends_records = True
    classroom.policy.save()
    join_class(ada, "4b")
    return classroom


def answer(person, text="1/2", key="k"):
    return record_attempt(ask(person), learner=person, answer=text, idempotency_key=key).attempt


def verbs():
    return [record.verb for record in LearningRecord.objects.order_by("created_at")]


def test_what_a_learner_does_arrives_without_name_and_words(store, agreed, ada):
    attempt = answer(ada, "1/2")
    question = attempt.question
    begin_lesson(ada, question.concept, question.session)
    close_cycle(begin_cycle(learner=ada, session=question.session, concept=question.concept)[0])
    at = timezone.now()
    Mastery.objects.update_or_create(
        learner=ada, concept=question.concept,
        defaults={"probability": 0.99, "threshold": 0.85, "answers": 9, "mastered_at": at, "last_at": at},
    )  # fmt: skip
    assert verbs() == ["answered", "experienced", "completed", "mastered"]
    assert send_batch(at=timezone.now())
    assert {record.status for record in LearningRecord.objects.all()} == {SENT}
    by_verb = {said["verb"]["id"].rpartition("/")[2]: said for said in store.statements.values()}
    assert by_verb["answered"]["result"]["success"] is True
    assert by_verb["mastered"]["object"]["definition"]["name"] == {"en": "One half"}
    written = json.dumps([*store.statements.values()])
    assert not [word for word in ("Ada", '"ada"', "1/2") if word in written]
    assert {said["actor"]["account"]["name"] for said in store.statements.values()} == {pseudonym_of(ada.pk)}


@pytest.mark.parametrize("reason", ["no store", "policy", "other class", "teacher", "archived"])
def test_nothing_is_recorded_without_agreement(store, agreed, ada, ben, grace, settings, reason):
    learner = {"other class": ben, "teacher": grace}.get(reason, ada)
    if reason == "no store":
        settings.XAPI_ENDPOINT = ""
    if reason == "policy":
        Policy.objects.update(sends_records=False)
    if reason == "archived":
        agreed.archived_at = timezone.now()
        agreed.save()
    answer(learner)
    assert verbs() == []


def test_records_are_off_until_a_class_decides(grace, store):
    policy = make_class(grace, "4c").policy
    assert not policy.sends_records
    before = len(policy.words)
    policy.sends_records = True
    assert len(policy.words) == before + 1


def test_what_is_taken_back_is_not_recorded(store, agreed, ada):
    with transaction.atomic():
        answer(ada)
        transaction.set_rollback(True)
    assert verbs() == []


def test_what_still_waits_is_forgotten_when_the_learner_leaves(store, agreed, ada):
    answer(ada)
    leave_class(ada, "4b")
    send_due_records()
    assert (verbs(), store.sizes) == ([], [])


def test_records_go_in_batches_of_fifty(store, agreed, ada):
    answer(ada)
    said = LearningRecord.objects.get().statement
    LearningRecord.objects.all().delete()
    ids = [f"00000000-0000-4000-8000-{number:012}" for number in range(60)]
    LearningRecord.objects.bulk_create(
        LearningRecord(pk=pk, owner=ada, verb="answered", statement=said | {"id": pk}, next_at=timezone.now())
        for pk in ids
    )
    delivery.send_records.func()
    assert (store.sizes, len(store.statements)) == ([50, 10], 60)


@pytest.mark.parametrize("status", [401, 403, 429, 500, 503])
def test_a_store_that_is_away_is_asked_again_later(store, agreed, ada, status):
    answer(ada)
    store.status, at = status, timezone.now()
    assert not send_batch(at=at)
    record = LearningRecord.objects.get()
    assert (record.status, record.tries, record.next_at) == (WAITING, 1, at + timedelta(minutes=1))
    assert record.answer.startswith(str(status))
    assert not send_batch(at=at)
    store.status = 0
    send_batch(at=at + timedelta(minutes=1))
    assert LearningRecord.objects.get().status == SENT


def test_an_unreachable_store_is_given_up_after_a_week(store, agreed, ada, settings):
    settings.XAPI_ENDPOINT = "http://127.0.0.1:1"
    answer(ada)
    send_batch(at=timezone.now() + timedelta(days=8))
    assert LearningRecord.objects.get().status == GIVEN_UP


def test_one_that_is_refused_does_not_hold_up_the_others(store, agreed, ada):
    attempt = answer(ada)
    begin_lesson(ada, attempt.question.concept, attempt.question.session)
    store.refused.add("experienced")
    send_batch(at=timezone.now())
    kept = {record.verb: (record.status, record.answer) for record in LearningRecord.objects.all()}
    assert kept["answered"][0] == SENT
    assert kept["experienced"] == (GIVEN_UP, '400 {"message": "statement\\nnot valid"}')


def test_a_record_that_was_stored_unnoticed_is_stored_once(store, agreed, ada):
    answer(ada)
    send_batch(at=timezone.now())
    LearningRecord.objects.update(status=WAITING)
    send_batch(at=timezone.now() + timedelta(hours=1))
    assert (len(store.statements), LearningRecord.objects.get().status) == (1, SENT)


def test_sent_records_are_deleted_after_a_month(store, agreed, ada):
    answer(ada)
    send_batch(at=timezone.now())
    send_due_records(at=timezone.now() + timedelta(days=29))
    assert LearningRecord.objects.exists()
    send_due_records(at=timezone.now() + timedelta(days=31))
    assert not LearningRecord.objects.exists()
