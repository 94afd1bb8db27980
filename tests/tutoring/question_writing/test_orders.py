"""When a question is ordered, and when not."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from conversations.models import Session
from conversations.processes.identity import PROCESS
from tests import people
from tests.tutoring.lessons.learners import solve
from tests.tutoring.lessons.lesson_player import Stage
from tests.tutoring.question_writing.drafts import draft
from tests.tutoring.small_course import make_turn
from tutoring.mastery.records import progress
from tutoring.models import WrittenQuestion
from tutoring.question_writing import orders

pytestmark = pytest.mark.django_db


def checked(concept, count=1):
    """Store questions that a model wrote, each on another thing."""
    return [
        WrittenQuestion.objects.create(concept=concept, status="checked", item=draft().model_dump(mode="json"))
        for _ in range(count)
    ]


def asked(person, question, key="earlier"):
    turn = make_turn(person, key=key)
    return progress.open_question(
        learner=person, session=turn.session, turn=turn, concept=question.concept, instance=question.instance(),
        purpose="quiz", number=1,
    )  # fmt: skip


def test_without_a_model_nothing_is_asked_and_nothing_stored(half, ada, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert orders.order_if_wanted(ada, half) is None


def test_new_lesson_orders_one_question_and_wakes_the_worker(half, connected, ada, django_capture_on_commit_callbacks):
    session = Session.objects.create(owner=ada, key="one")
    with django_capture_on_commit_callbacks(execute=True):
        progress.begin_lesson(ada, half, session)
    order = WrittenQuestion.objects.get()
    assert (order.concept, order.status, order.lease_owner) == (half, "ordered", "")
    assert order.due_at > timezone.now()
    assert DBTaskResult.objects.get().args_kwargs["args"] == [order.pk]
    progress.begin_lesson(ada, half, session)
    assert WrittenQuestion.objects.count() == 1


def test_three_orders_of_a_concept_are_enough(half, connected, ada):
    for _ in range(5):
        orders.order_if_wanted(ada, half)
    assert WrittenQuestion.objects.waiting().count() == orders.OPEN_AT_MOST


def test_learner_with_six_unmet_questions_needs_no_more(half, connected, ada, ben):
    first, *_rest = checked(half, orders.UNSEEN_NEEDED)
    assert orders.order_if_wanted(ada, half) is None
    asked(ada, first)
    assert orders.order_if_wanted(ben, half) is None
    assert orders.order_if_wanted(ada, half) is not None


def test_end_of_a_quiz_orders_a_question(half, connected):
    stage = Stage(people.make_person("ada", level="beginner"), half)
    stage.open()
    WrittenQuestion.objects.all().delete()
    stage.say("quiz me")
    while stage.standing.cycle.state == "quiz_active":
        solve(stage)
        assert stage.standing.cycle.state != "quiz_active" or not WrittenQuestion.objects.exists()
    assert WrittenQuestion.objects.waiting().count() == 1


def test_order_whose_task_was_lost_is_woken_once_in_a_while(half, django_capture_on_commit_callbacks):
    """F4: no broker is trusted; the row is."""
    order = WrittenQuestion.objects.create(concept=half, due_at=timezone.now() - timedelta(seconds=1))
    with django_capture_on_commit_callbacks(execute=True):
        assert orders.requeue_lost() == [order.pk]
        assert orders.requeue_lost() == []
    assert DBTaskResult.objects.count() == 1


def test_order_due_by_a_clock_that_was_ahead_is_woken(half):
    """G11"""
    order = WrittenQuestion.objects.create(concept=half, due_at=timezone.now() + timedelta(days=3))
    assert orders.requeue_lost() == [order.pk]
    WrittenQuestion.objects.update(lease_owner="dead", due_at=timezone.now() + timedelta(days=3))
    assert orders.claim_order(order.pk) == order


def test_order_lost_with_its_worker_every_time_is_given_up(half):
    """F5: what ends every worker is not paid for again and again."""
    due = {"concept": half, "lease_owner": PROCESS, "due_at": timezone.now() - timedelta(seconds=1)}
    order, other = (
        WrittenQuestion.objects.create(tries=tries, **due) for tries in (orders.MAX_TRIES, orders.MAX_TRIES - 1)
    )
    assert orders.requeue_lost() == [other.pk]
    order.refresh_from_db()
    assert (order.status, order.reason, order.lease_owner) == ("rejected", "no_answer", "")


def test_checked_and_rejected_ones_are_left_asleep(half):
    for status in ("checked", "rejected", "retired"):
        WrittenQuestion.objects.create(concept=half, status=status, due_at=timezone.now() - timedelta(days=1))
    assert orders.requeue_lost() == []


def test_what_a_database_cannot_hold_is_replaced(half):
    order = orders.claim_order(WrittenQuestion.objects.create(concept=half).pk)
    assert orders.settle_order(order, status="rejected", item={"stem": "a\x00b", "hints": ["\ud800"]}, detail="\x00")
    order.refresh_from_db()
    assert (order.item, order.detail) == ({"stem": "a�b", "hints": ["�"]}, "�")


class TestAdmin:
    @pytest.fixture
    def admin(self, root: object) -> Client:
        client = Client()
        client.force_login(root)
        return client

    def test_reads_why_one_was_rejected(self, half, admin):
        row = WrittenQuestion.objects.create(
            concept=half, status="rejected", reason="leak", detail="hint 2", item={"stem": "Half of 8?"}
        )
        assert "Half of 8?" in admin.get(reverse("admin:tutoring_writtenquestion_changelist")).text
        page = admin.get(reverse("admin:tutoring_writtenquestion_change", args=[row.pk])).text
        assert "a hint gives the answer away" in page
        assert "hint 2" in page

    def test_takes_one_out_and_an_open_question_can_still_be_answered(self, half, admin, ada):
        question, other = checked(half, 2)
        open_one = asked(ada, question)
        admin.post(
            reverse("admin:tutoring_writtenquestion_changelist"),
            {"action": "take_out", "_selected_action": [question.pk]},
        )
        question.refresh_from_db()
        assert (question.status, question.reason) == ("retired", "withdrawn")
        assert orders.unseen_questions(WrittenQuestion.objects.filter(concept=half), met=()) == [other]
        question.delete()
        assert open_one.instance().stem == draft().stem
        recorded = progress.record_attempt(open_one, learner=ada, answer="9", idempotency_key="k")
        assert recorded.judgement.is_correct
