"""Launches from a platform: who comes in, as whom, where they get, and what is agreed first."""

import pytest
from django.urls import reverse

from learnagent.accounts.models import Person
from learnagent.lti.models import Grade, PlatformAccount, PlatformCourse
from tests.learnagent.lti.platform_server import LEARNER, TEACHER
from tests.people import make_person
from tutoring.models import Classroom, Membership

pytestmark = pytest.mark.django_db


def test_a_learner_gets_an_account_and_reads_the_agreement_before_the_topic(client, enter, taught, half):
    client.logout()
    came = enter(concept="fractions/one_half")
    page = client.get(came["Location"])
    assert "your score on it is sent to Moodle as a grade" in page.content.decode()
    learner = PlatformAccount.objects.get(subject="user-1").person
    assert (learner.display_name, learner.role, learner.age_band, learner.email) == (
        "Lina Moser",
        "learner",
        "child",
        "",
    )
    assert not learner.has_usable_password()
    assert not Membership.objects.filter(person=learner).exists()
    joined = client.post(came["Location"])
    assert joined["Location"] == half.get_absolute_url()
    assert Membership.objects.get(person=learner).classroom.name == "Maths 4b"
    # The next time they get there at once.
    assert enter(concept="fractions/one_half")["Location"] == half.get_absolute_url()


def test_a_teacher_gets_the_class_of_the_course_and_a_second_one_shares_it(client, enter, taught):
    classroom = Classroom.objects.get()
    assert enter(user_id="teacher-2", lis_roles=[TEACHER])["Location"] == classroom.get_absolute_url()
    assert classroom.memberships.filter(role="teacher").count() == 2
    assert client.get(classroom.get_absolute_url()).status_code == 200


def test_the_only_teacher_stays_one(client, enter, taught):
    assert enter(user_id="teacher-1", lis_roles=[LEARNER])["Location"] == Classroom.objects.get().get_absolute_url()


def test_who_teaches_no_longer_loses_the_class(client, enter, taught):
    enter(user_id="teacher-2", lis_roles=[TEACHER])
    assert enter(user_id="teacher-1", lis_roles=[LEARNER])["Location"].startswith("/lti/agreement/")
    assert client.get(Classroom.objects.get().get_absolute_url()).status_code == 404


def test_a_learner_who_comes_before_the_teacher_can_learn(enter, course):
    assert enter(concept="fractions/one_half")["Location"] == "/learn/fractions/one_half/"
    assert not Classroom.objects.exists()
    assert PlatformCourse.objects.get().classroom is None


def test_an_account_is_never_found_by_its_mail_or_name(enter):
    ada = make_person("ada", email="ada@example.org", display_name="Lina Moser")
    enter()
    assert PlatformAccount.objects.get().person != ada


@pytest.mark.parametrize(
    "role",
    [
        "http://purl.imsglobal.org/vocab/lis/v2/system/person#Administrator",
        "http://purl.imsglobal.org/vocab/lis/v2/institution/person#Instructor",
        "http://purl.imsglobal.org/vocab/lis/v2/membership#Learner",
    ],
)
def test_nobody_teaches_by_a_role_outside_the_course(enter, role):
    enter(lis_roles=[role])
    assert PlatformAccount.objects.get().person.role == "learner"


def test_an_account_that_became_an_admins_is_not_opened(launch, enter):
    enter()
    Person.objects.filter(platform_account__isnull=False).update(role="admin")
    assert launch().status_code == 403


def test_the_button_works_once(client, launch):
    ticket = launch().context["ticket"]
    assert client.post("/lti/open/", {"ticket": ticket}).status_code == 302
    client.logout()
    assert client.post("/lti/open/", {"ticket": ticket}).status_code == 400


def test_only_the_platforms_pages_show_the_launch_in_a_frame(launch, client, registered):
    registered.pages = "https://school.example.org/"
    registered.save()
    page = launch()
    policy = page["Content-Security-Policy"]
    assert "frame-ancestors http://127.0.0.1" in policy
    assert "https://school.example.org" in policy
    assert "X-Frame-Options" not in page
    assert 'target="_blank"' in page.content.decode()
    assert "frame-ancestors 'none'" in client.get(reverse("accounts:sign-in"))["Content-Security-Policy"]


def test_the_agreement_is_there_only_for_who_opened_the_link(client, enter, taught, eve):
    enter()
    address = reverse("lti-agreement", args=[Grade.objects.get().link_id])
    assert client.get(address).status_code == 200
    client.force_login(eve)
    assert client.get(address).status_code == 404
