"""Who is told of a concern: as the class has agreed, without a word of what was written."""

from datetime import timedelta
from typing import Any
from unittest.mock import Mock

import pytest
from django.core import mail
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from tests import people
from tests.tutoring.class_helpers import agree, make_class
from tests.tutoring.small_course import ask, make_course, numeric
from tutoring.classes import membership
from tutoring.models import Classroom, Concern, ConcernNotice, Policy
from tutoring.safety import incidents, teacher_mail
from tutoring.safety.teacher_mail import TRIES, mail_teachers
from tutoring.understanding.concerns import detector

pytestmark = [pytest.mark.db, pytest.mark.django_db]
HURT = "i cut my arms with a razor because nobody likes me"


def concern_of(person: Any, text: str = HURT) -> Concern:
    found = detector.find_concern(text)
    assert found is not None
    return incidents.record_concern(person, found)


@pytest.fixture
def classroom(ada: Any, grace: Any, client: Any) -> Classroom:
    made = make_class(grace, ada, concerns="teacher")
    client.force_login(grace)
    return made


@pytest.mark.parametrize(
    ("policy", "text", "told"),
    [
        ("teacher", HURT, True),
        ("teacher", "someone is breaking into my house right now", True),
        ("nobody", HURT, False),
        ("teacher", "my coach touched me", False),
        ("teacher", "how do i make a bomb", False),
    ],
)
def test_class_is_told_what_was_agreed(classroom, client, ada, policy, text, told):
    """P5: by the policy; never of a teacher's own doing, nor of what was merely asked for."""
    agree(classroom, concerns=policy)
    concern = concern_of(ada, text)
    page = client.get("/teach/4b/").content.decode()
    assert ("A pupil may need help" in page) is told
    assert concern.tellings.exists() is told
    assert any("Your teacher will be told" in said for said in incidents.concern_reply(ada, concern)) is told
    assert not [word for word in ("razor", "breaking", "coach", "bomb") if word in page]


def test_unsure_concern_asks_kindly_and_tells_no_class(classroom, client, ada):
    """Kept, with one kind question and whom one can turn to; no alarm, no mail."""
    agree(classroom, concerns="teacher", contact="Ms Reed, room 12")
    concern = concern_of(ada, "i have a plan")
    said = incidents.concern_reply(ada, concern)
    assert not concern.is_sure
    assert not concern.tellings.exists()
    assert "A pupil may need help" not in client.get("/teach/4b/").content.decode()
    assert sum(paragraph.count("?") for paragraph in said) == 1
    assert "Who you can talk to in 4b: Ms Reed, room 12" in said
    assert "112 or 911" in " ".join(said)
    work()
    assert mail.outbox == []


def test_whoever_teaches_marks_it_as_seen(classroom, client, ada, grace):
    """P5: logged with who has seen it; another learner's teacher finds nothing."""
    concern_of(ada)
    concern_of(ada, "someone is breaking into my house right now")
    page = client.get("/teach/4b/").content.decode()
    assert "may be in danger right now" in page
    assert "2 times" in page
    assert client.post(f"/teach/4b/{ada.pk}/seen/").status_code == 302
    assert set(ConcernNotice.objects.values_list("seen_by", flat=True)) == {grace.pk}
    page = client.get("/teach/4b/").content.decode()
    assert "seen by Grace" in page
    assert "Mark as seen" not in page
    concern_of(ada)
    assert "Mark as seen" in client.get("/teach/4b/").content.decode()


@pytest.mark.parametrize("mastery", ["evidence", "nothing"])
def test_page_that_is_open_brings_it_by_itself(classroom, client, ada, mastery):
    make_course()
    agree(classroom, mastery=mastery)
    assert "data-poll" in client.get("/teach/4b/").content.decode()
    seen = client.get("/teach/4b/").context["version"]
    address = f"/teach/4b/?seen={seen}"
    assert client.get(address, headers={"HX-Request": "true"}).status_code == 204
    concern_of(ada)
    assert "A pupil may need help" in client.get(address, headers={"HX-Request": "true"}).content.decode()


def test_old_ones_that_were_seen_and_those_who_left_are_not_shown(classroom, client, ada):
    concern = concern_of(ada)
    ConcernNotice.objects.update(seen_at=timezone.now() - timedelta(days=15))
    assert "A pupil may need help" not in client.get("/teach/4b/").content.decode()
    ConcernNotice.objects.update(seen_at=None)
    membership.leave_class(ada, "4b")
    membership.join_class(ada, "4b")
    assert "A pupil may need help" not in client.get("/teach/4b/").content.decode()
    assert concern.tellings.count() == 1


def test_teachers_are_written_to_once_an_hour_without_a_name_or_a_word(classroom, ada, grace):
    """P5: the mail says that there is something, and where to look; a graver one is written of again."""
    grace.email = "grace@school.example"
    grace.save()
    ada.display_name = "Ada L."
    ada.save()
    concern_of(ada)
    concern_of(ada)
    concern_of(ada, "someone is breaking into my house right now")
    work()
    assert [each.to for each in mail.outbox] == [["grace@school.example"]] * 2
    for each in mail.outbox:
        assert "/teach/4b/" in each.body
        assert not [word for word in ("Ada", "razor", "breaking", "at once") if word in each.subject + each.body]


def test_concern_of_a_clock_that_was_ahead_silences_none(classroom, ada, grace):
    """G11, P5"""
    grace.email = "grace@school.example"
    grace.save()
    concern_of(ada)
    Concern.objects.update(created_at=timezone.now() + timedelta(days=3))
    concern_of(ada)
    work()
    assert [each.to for each in mail.outbox] == [["grace@school.example"]] * 2


def test_mail_that_a_server_does_not_take_is_tried_again_a_few_times(classroom, ada, grace, monkeypatch, caplog):
    """P5: the server's own words, which may hold the address, are in no log."""
    grace.email = "grace@school.example"
    grace.save()
    monkeypatch.setattr(teacher_mail, "send_to_person", Mock(side_effect=OSError("550 grace@school.example refused")))
    for tries in range(1, TRIES + 1):
        mail_teachers.func(classroom.pk, None, tries)
    orders = [job.args_kwargs["args"] for job in DBTaskResult.objects.order_by("enqueued_at")]
    assert orders == [[classroom.pk, [grace.pk], tries] for tries in range(2, TRIES + 1)]
    assert "grace@" not in caplog.text


def test_without_a_class_it_is_noted_for_the_person_alone(ada, grace, client):
    """P5: adults and children without a class get the words."""
    concern = concern_of(ada)
    assert not concern.tellings.exists()
    assert any("112 or 911" in said for said in incidents.concern_reply(ada, concern))


def test_contact_is_shown_as_it_was_typed(classroom, ada):
    agree(classroom, contact="Ms *Reed*,\nroom 12 <b>")
    said = incidents.concern_reply(ada, concern_of(ada))
    assert r"Who you can talk to in 4b: Ms \*Reed\*, room 12 \<b\>" in said


def test_classes_from_before_keep_that_nobody_is_told_and_new_ones_begin_otherwise(grace):
    assert Policy._meta.get_field("concerns").default == "teacher"
    assert membership.make_class(grace, "5a").policy.tells_of_concerns


def test_admin_reads_that_there_was_one_and_cannot_change_it(classroom, client, ada):
    concern_of(ada)
    client.force_login(people.make_person("root", role="admin"))
    page = client.get("/admin/tutoring/concern/").content.decode()
    assert "may not be okay" in page
    assert "razor" not in page
    assert client.get("/admin/tutoring/concern/add/").status_code == 404
    assert client.get(f"/admin/tutoring/concern/{Concern.objects.get().pk}/change/").status_code == 200


def work() -> None:
    """Do what was ordered of the worker."""
    for job in DBTaskResult.objects.order_by("enqueued_at"):
        mail_teachers.func(*job.args_kwargs["args"])


def test_a_card_of_its_own_page_that_is_sent_twice_is_told_once(classroom, client, ada):
    """P5: a press too many, or a connection that broke, makes no second one of it."""
    question = ask(ada, numeric("t1"))
    question.session = None
    question.save()
    client.force_login(ada)
    sent = {"action": "check", "answer": HURT, "idempotency_key": "k"}
    pages = [client.post(f"/learn/answers/{question.pk}", sent, headers={"HX-Request": "true"}) for _ in range(2)]
    assert all("Your teacher will be told" in page.text for page in pages)
    assert (Concern.objects.count(), ConcernNotice.objects.count()) == (1, 1)
    client.post(f"/learn/answers/{question.pk}", sent | {"idempotency_key": "l"})
    assert Concern.objects.count() == 2
