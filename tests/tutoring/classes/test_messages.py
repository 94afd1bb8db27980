"""Messages between a class's teachers and a pupil."""

from datetime import timedelta

import pytest
from django.core import mail
from django.db import transaction
from django.utils import timezone

from agents.wire.rejections import Rejection
from tests.people import make_person
from tests.tutoring.class_helpers import make_class
from tests.tutoring.small_course import make_course
from tutoring.classes.membership import leave_class
from tutoring.classes.message_mail import mail_message, order_mail
from tutoring.classes.messages import MOST_AN_HOUR, send_message, threads_of_class, threads_of_learner
from tutoring.models import ClassMessage, Concern, StudySettings

pytestmark = pytest.mark.django_db
MINE = "/messages/4b/"


@pytest.fixture
def place(ada, grace):
    classroom = make_class(grace, ada)
    return classroom.memberships.select_related("classroom__policy", "person").get(person=ada)


def test_both_sides_write_and_see_what_is_new(client, ada, grace, place):
    make_course()
    client.force_login(grace)
    assert client.post(f"/teach/4b/{ada.pk}/messages/", {"text": "Well <b>done</b>"}).status_code == 302
    client.force_login(ada)
    assert "1 new message from a teacher" in client.get("/").text
    page = client.get(MINE).text
    assert "Well &lt;b&gt;done&lt;/b&gt;" in page
    assert "<bdi>Grace</bdi> (teacher)" in page
    assert "Nothing new." in client.get("/").text
    client.post(MINE, {"text": "Thank you"})
    assert [(each.name, each.unread) for each in threads_of_class(place.classroom)] == [("Ada", 1)]
    client.force_login(grace)
    assert "Thank you" in client.get(f"/teach/4b/{ada.pk}/").text
    assert [each.unread for each in threads_of_class(place.classroom)] == [0]


@pytest.mark.parametrize(
    ("text", "said"), [("  ", "Write a message first."), ("x" * 2001, "at most 2000"), ("a\x00", "stored")]
)
def test_unfit_message_is_refused_and_stays_typed(client, ada, place, text, said):
    client.force_login(ada)
    response = client.post(MINE, {"text": text})
    assert response.status_code == 422
    assert said in response.text
    assert not ClassMessage.objects.exists()


def test_nobody_but_the_pupil_and_the_teachers_writes(client, ada, eve, root, place):
    for person in (eve, root, make_person("carl", role="teacher")):
        client.force_login(person)
        client.post(f"/teach/4b/{ada.pk}/messages/", {"text": "I am your teacher"})
        client.post(MINE, {"text": "I am Ada"})
    assert not ClassMessage.objects.exists()


def test_too_many_messages_are_refused(ada, place):
    for _ in range(MOST_AN_HOUR):
        send_message(ada, place, "again")
    with pytest.raises(Rejection, match="many messages"):
        send_message(ada, place, "again")


def test_own_message_is_deleted_for_fifteen_minutes_only(client, ada, grace, place):
    sent = send_message(ada, place, "oops").message
    client.force_login(grace)
    assert client.post(f"/teach/4b/{ada.pk}/messages/{sent.pk}/delete/").status_code == 404
    client.force_login(ada)
    ClassMessage.objects.update(created_at=timezone.now() - timedelta(minutes=16))
    client.post(f"/messages/sent/{sent.pk}/delete/")
    assert ClassMessage.objects.exists()
    ClassMessage.objects.update(created_at=timezone.now() - timedelta(minutes=14))
    client.post(f"/messages/sent/{sent.pk}/delete/")
    assert not ClassMessage.objects.exists()


def test_words_of_danger_raise_the_concern_that_lessons_raise(client, ada, place):
    client.force_login(ada)
    page = client.post(MINE, {"text": "I want to kill myself"}, follow=True).text
    assert Concern.objects.get().learner == ada
    assert Concern.objects.get().tellings.get().classroom == place.classroom
    assert "Sent." in page
    assert "grown-up" in page or "adult" in page


def test_thread_of_a_class_that_was_left_is_closed_and_stays_readable(client, ada, grace, place):
    send_message(grace, place, "See you")
    leave_class(ada, "4b")
    client.force_login(ada)
    assert [each.is_open for each in threads_of_learner(ada)] == [False]
    page = client.get(MINE).text
    assert "See you" in page
    assert "You have left this class." in page
    assert client.post(MINE, {"text": "Hello?"}).status_code == 404


def test_message_of_an_erased_teacher_stays_without_a_name(client, ada, grace, place):
    send_message(grace, place, "Well done")
    grace.delete()
    client.force_login(ada)
    assert "Deleted account" in client.get(MINE).text


class TestMail:
    @pytest.fixture
    def wanted(self, ada, place):
        ada.email = "ada@mail.example"
        ada.save()
        return StudySettings.objects.create(learner=ada, message_mails=True, quiet_from=0, quiet_until=0)

    def order(self, place, django_capture_on_commit_callbacks, **when):
        with django_capture_on_commit_callbacks() as orders, transaction.atomic():
            order_mail(place, **when)
        return len(orders)

    def test_one_a_day_is_ordered(self, place, wanted, django_capture_on_commit_callbacks):
        noon = timezone.now().replace(hour=12)
        hours = [0, 1, 24]
        ordered = [
            self.order(place, django_capture_on_commit_callbacks, at=noon + timedelta(hours=hour)) for hour in hours
        ]
        assert ordered == [1, 0, 1]

    def test_it_says_that_there_is_something_and_not_what(self, client, grace, ada, place, wanted):
        send_message(grace, place, "Your secret mark")
        mail_message.func(ada.pk)
        [letter] = mail.outbox
        assert "Your secret mark" not in letter.body
        stop = letter.body.rpartition("/messages/stop/")[2].split("/")[0]
        assert client.get(f"/messages/stop/{stop}/").status_code == 200
        wanted.refresh_from_db()
        assert wanted.message_mails
        client.post(f"/messages/stop/{stop}/")
        mail_message.func(ada.pk)
        assert len(mail.outbox) == 1

    def test_nobody_is_written_to_who_has_read_it(self, client, grace, ada, place, wanted):
        send_message(grace, place, "Well done")
        client.force_login(ada)
        client.get(MINE)
        mail_message.func(ada.pk)
        assert mail.outbox == []
