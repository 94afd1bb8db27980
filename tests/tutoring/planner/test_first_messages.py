"""First messages: only to those who want them, once a day, for a reason, and as an ordinary conversation."""

from datetime import UTC, datetime, timedelta

import pytest

from conversations.models import Message, Session, Turn
from tests.tutoring.planner.pages.planner_rows import add_event
from tests.tutoring.review_helpers import load_tiny, master, quiz
from tutoring.models import PlannerSettings, Review, StudySettings
from tutoring.planner.first_messages import CONVERSATION, first_message_to_offer, write_first_messages

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 11, 25, 12, 0, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def _wednesday(monkeypatch):
    monkeypatch.setattr("django.utils.timezone.now", lambda: NOON)


@pytest.fixture
def learner(ben):
    """Ben, who wants first messages; his clock is UTC."""
    ben.zone = "UTC"
    ben.save()
    PlannerSettings.objects.create(owner=ben, first_messages=True)
    return ben


def texts():
    return list(Message.objects.order_by("pk").values_list("text", flat=True))


def add_test(person, start=NOON + DAY):
    return add_event(person, "Fractions test", start, kind="test")


class TestReasons:
    def test_without_one_nothing_is_written(self, learner):
        write_first_messages(at=NOON)
        assert texts() == []

    def test_a_test_tomorrow(self, learner):
        add_test(learner)
        write_first_messages(at=NOON)
        [text] = texts()
        assert text.startswith("Tomorrow at 12:00 is your test: Fractions test.")
        assert "/planner/settings/" in text

    @pytest.mark.parametrize("days", [0, 2])
    def test_a_test_on_another_day_is_no_reason(self, learner, days):
        add_test(learner, NOON + days * DAY + timedelta(hours=1))
        write_first_messages(at=NOON)
        assert texts() == []

    def test_a_study_session_that_went_by(self, learner):
        add_event(learner, "Halves", NOON - timedelta(hours=3), kind="study")
        write_first_messages(at=NOON)
        assert texts()[0].startswith("A study session in your planner went by: Halves.")

    def test_a_study_session_on_a_day_with_practice_was_not_missed(self, learner):
        load_tiny()
        quiz(learner, at=NOON - timedelta(hours=2))
        add_event(learner, "Halves", NOON - timedelta(hours=3), kind="study")
        write_first_messages(at=NOON)
        assert texts() == []

    def test_what_was_missed_is_named_once(self, learner):
        add_event(learner, "Halves", NOON - timedelta(hours=3), kind="study")
        write_first_messages(at=NOON)
        write_first_messages(at=NOON + DAY)
        assert len(texts()) == 1

    def test_a_review_that_is_due(self, learner):
        load_tiny()
        card = master(learner, at=NOON - timedelta(days=40))
        Review.objects.filter(pk=card.pk).update(due_at=NOON - timedelta(hours=4))
        write_first_messages(at=NOON)
        assert texts()[0].startswith("It’s time to refresh Halves.")

    def test_the_most_important_one_is_written(self, learner):
        add_event(learner, "Halves", NOON - timedelta(hours=3), kind="study")
        add_test(learner)
        write_first_messages(at=NOON)
        assert len(texts()) == 1
        assert "is your test" in texts()[0]


class TestWhenAndToWhom:
    def test_it_is_off_unless_it_was_turned_on(self, learner):
        add_test(learner)
        PlannerSettings.objects.update(first_messages=False)
        write_first_messages(at=NOON)
        assert texts() == []

    def test_one_a_day_by_the_persons_clock(self, learner):
        learner.zone = "Asia/Tokyo"
        learner.save()
        StudySettings.objects.create(learner=learner, quiet_from=8, quiet_until=8)
        for hours in range(-12, 36, 3):
            add_test(learner, NOON + timedelta(hours=hours))
        midnight_there = NOON.replace(hour=15)
        for at in (NOON, NOON + timedelta(hours=1), midnight_there - timedelta(minutes=1), midnight_there):
            write_first_messages(at=at)
        assert len(texts()) == 2

    @pytest.mark.parametrize(("hour", "count"), [(6, 0), (7, 1), (18, 1), (19, 0)])
    def test_not_in_quiet_hours(self, learner, hour, count):
        add_test(learner)
        write_first_messages(at=NOON.replace(hour=hour))
        assert len(texts()) == count

    def test_a_crash_between_the_claim_and_the_message_writes_no_second_one(self, learner):
        add_test(learner)
        write_first_messages(at=NOON)
        PlannerSettings.objects.update(first_message_at=None)
        write_first_messages(at=NOON + timedelta(hours=1))
        assert len(texts()) == 1

    def test_a_conversation_that_is_busy_is_tried_again(self, learner):
        session = Session.objects.create(owner=learner, key=CONVERSATION)
        turn = Turn.objects.create(session=session, owner=learner, number=1, client_id="x", body_hash="x")
        add_test(learner)
        write_first_messages(at=NOON)
        assert texts() == []
        Turn.objects.filter(pk=turn.pk).update(status="done")
        write_first_messages(at=NOON + timedelta(minutes=15))
        assert len(texts()) == 1


class TestTheConversation:
    def test_is_read_like_any_other(self, client, learner):
        add_test(learner)
        write_first_messages(at=NOON)
        client.force_login(learner)
        page = client.get(f"/c/{CONVERSATION}/")
        assert page.status_code == 200
        assert "is your test: Fractions test" in page.text
        assert 'href="http://127.0.0.1:8000/planner/settings/"' in page.text
        listed = client.get("/c/").text
        assert "From your tutor" in listed

    def test_the_api_shows_it(self, client, learner):
        add_test(learner)
        write_first_messages(at=NOON)
        client.force_login(learner)
        [turn] = Turn.objects.all()
        assert (turn.kind, turn.status, turn.number) == ("open", "done", 1)
        assert [each.type for each in turn.events.order_by("seq")] == ["turn_started", "reply_text", "turn_finished"]

    def test_is_offered_until_it_is_a_day_old(self, client, learner, eve):
        add_test(learner)
        write_first_messages(at=NOON)
        assert first_message_to_offer(learner, at=NOON + DAY - timedelta(minutes=1))
        assert first_message_to_offer(learner, at=NOON + DAY + timedelta(minutes=1)) is None
        assert first_message_to_offer(eve, at=NOON) is None

    def test_is_offered_on_home_and_turned_off_there_by_one_press(self, client, learner):
        load_tiny()
        add_test(learner)
        write_first_messages(at=NOON)
        client.force_login(learner)
        assert "Your tutor wrote to you" in client.get("/").text
        client.post("/planner/settings/first-messages/stop/", {"next": "/"})
        assert not PlannerSettings.objects.get().first_messages

    def test_is_not_offered_any_more_once_it_was_answered(self, learner):
        add_test(learner)
        write_first_messages(at=NOON)
        session = Session.objects.get()
        Turn.objects.create(session=session, owner=learner, number=2, client_id="x", body_hash="x")
        assert first_message_to_offer(learner, at=NOON) is None
