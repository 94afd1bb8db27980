"""A guardian's consent: asked by mail, answered by a link without an account, honored and withdrawn at once."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings as project
from django.core import mail
from django.test import Client
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from learnagent.accounts import guardians
from learnagent.accounts.authentication.rate_limits import TooManyTries
from learnagent.accounts.models import GuardianRequest, Person
from learnagent.operations.log_redaction import redact
from tutoring.classes.membership import join_class, make_class

pytestmark = [pytest.mark.db, pytest.mark.django_db]
PAGE, PARENT = "/accounts/guardian/", "Parent@mail.example"
YES = {"answer": "yes", "name": "Pat Parent", "is_guardian": "on"}


@pytest.fixture
def pupil(ada: Any, client: Client) -> Any:
    client.force_login(ada)
    return ada


@pytest.fixture
def send(django_capture_on_commit_callbacks: Any) -> Any:
    """Return a function that does something, lets the worker send the mails ordered by it, and returns its result."""

    def done(work: Any) -> Any:
        with django_capture_on_commit_callbacks(execute=True):
            result = work()
        for job in DBTaskResult.objects.ready():
            guardians.send_guardian_mail.func(*job.args_kwargs["args"])
            job.delete()
        return result

    return done


def link_in(letter: Any) -> str:
    return re.search(r"https?://[^/]+(/accounts/guardian/\S+)", letter.body)[1]  # type: ignore[index]


def consent_of(person: Any) -> bool:
    return bool(Person.objects.get(pk=person.pk).consent)


def test_guardian_answers_by_mail_and_withdraws_by_the_same_link(client: Client, pupil: Any, send: Any) -> None:
    assert send(lambda: client.post(PAGE, {"email": PARENT})).status_code == 302
    letter = mail.outbox[0]
    assert (letter.to, consent_of(pupil)) == ([PARENT.lower()], False)
    guardian, link = Client(), link_in(letter)
    assert "May Ada use language models?" in guardian.get(link).text
    assert send(lambda: guardian.post(link, YES)).status_code == 302
    assert consent_of(pupil)
    assert "Pat Parent agreed on" in guardian.get(link).text
    assert "Language models may help you." in client.get(PAGE).text
    row = GuardianRequest.objects.get()
    assert (row.guardian_name, row.address, row.email) == ("Pat Parent", "127.0.0.1", PARENT.lower())
    assert "what Ada writes or says here is sent to" in row.text_shown
    assert link_in(mail.outbox[1]) == link
    guardian.post(link, {"withdraw": "on"})
    assert not consent_of(pupil)
    assert "was withdrawn" in guardian.get(link).text


def test_answer_needs_a_name_and_a_guardian(client: Client, pupil: Any) -> None:
    link = path_of(guardians.ask_guardian(pupil, PARENT, by=pupil))
    for missing in YES:
        refused = Client().post(link, {name: value for name, value in YES.items() if name != missing})
        assert refused.status_code == 422, missing
    assert not consent_of(pupil)


def test_no_is_an_answer_and_stands(pupil: Any) -> None:
    link = path_of(guardians.ask_guardian(pupil, PARENT, by=pupil))
    Client().post(link, YES | {"answer": "no"})
    assert "You said no" in Client().post(link, YES, follow=True).text
    assert not consent_of(pupil)


def test_pupil_cannot_ask_somebody_else_after_a_no(client: Client, pupil: Any) -> None:
    Client().post(path_of(guardians.ask_guardian(pupil, PARENT, by=pupil)), YES | {"answer": "no"})
    client.force_login(pupil)
    response = client.post("/accounts/guardian/", {"email": "friend@example.org"})
    assert response.status_code == 422
    assert "has said no" in response.text
    assert not pupil.guardian_requests.filter(email="friend@example.org").exists()


def test_unanswered_requests_are_forgotten_a_month_later(pupil: Any) -> None:
    request = guardians.ask_guardian(pupil, PARENT, by=pupil)
    guardians.forget_unanswered()
    assert pupil.guardian_requests.count() == 1
    type(request).objects.update(expires_at=timezone.now() - timedelta(days=31))
    guardians.forget_unanswered()
    assert pupil.guardian_requests.count() == 0


def test_link_signs_nobody_in_and_its_pupil_cannot_answer(client: Client, pupil: Any) -> None:
    link = path_of(guardians.ask_guardian(pupil, PARENT, by=pupil))
    guardian = Client()
    guardian.get(link)
    assert project.SESSION_COOKIE_NAME not in guardian.cookies
    assert guardian.get("/accounts/profile/").status_code == 302
    assert client.post(link, YES).status_code == 422
    assert not consent_of(pupil)


def test_link_can_be_answered_for_two_weeks_and_only_the_newest(pupil: Any) -> None:
    first, second = (guardians.ask_guardian(pupil, PARENT, by=pupil) for _ in range(2))
    assert "There is a newer request." in Client().post(path_of(first), YES, follow=True).text
    GuardianRequest.objects.filter(pk=second.pk).update(expires_at=timezone.now())
    assert "for 14 days" in Client().post(path_of(second), YES, follow=True).text
    assert not consent_of(pupil)


@pytest.mark.parametrize("token", ["1", "1:nothing", "x" * 200])
def test_made_up_link_is_nothing(token: str, pupil: Any) -> None:
    guardians.ask_guardian(pupil, PARENT, by=pupil)
    assert Client().get(f"{PAGE}{token}/").status_code == 404


def test_it_ends_when_the_pupil_is_an_adult_who_then_decides_alone(pupil: Any) -> None:
    request = guardians.ask_guardian(pupil, PARENT, by=pupil)
    assert guardians.answer_request(request, agrees=True, name="Pat", address="")
    Person.objects.filter(pk=pupil.pk).update(age_band="adult")
    assert not consent_of(pupil)
    assert Person.objects.get(pk=pupil.pk).needs_consent_decision


def test_pupil_may_stop_it(client: Client, pupil: Any) -> None:
    request = guardians.ask_guardian(pupil, PARENT, by=pupil)
    guardians.answer_request(request, agrees=True, name="Pat", address="")
    client.post(f"{PAGE}stop/")
    assert not consent_of(pupil)
    assert GuardianRequest.objects.get().status == "withdrawn"


def test_asking_is_limited_and_ones_own_address_is_refused(client: Client, pupil: Any) -> None:
    Person.objects.filter(pk=pupil.pk).update(email="ada@mail.example")
    assert client.post(PAGE, {"email": "ADA@mail.example"}).status_code == 422
    for _ in range(guardians.FOR_PERSON.limit):
        client.post(PAGE, {"email": PARENT})
    assert client.post(PAGE, {"email": PARENT}).status_code == 429
    with pytest.raises(TooManyTries):
        guardians.ask_guardian(pupil, "another@mail.example", by=pupil)


def test_teacher_asks_for_pupils_of_the_class_and_sees_the_answers(pupil: Any, ben: Any, grace: Any, eve: Any) -> None:
    make_class(grace, "4b", code="4b")
    for person in (pupil, ben):
        join_class(person, "4b")
    teacher = Client()
    teacher.force_login(grace)
    page = "/teach/4b/guardians/"
    assert [person for person, *_ in teacher.get(page).context["rows"]] == [pupil]
    for somebody in (ben, eve):
        assert teacher.post(page, {"person": somebody.pk, "email": PARENT}).status_code == 404
    assert teacher.post(page, {"person": pupil.pk, "email": "none"}).status_code == 422
    assert teacher.post(page, {"person": pupil.pk, "email": PARENT}).status_code == 302
    assert "no answer yet" in teacher.get(page).text
    guardians.answer_request(GuardianRequest.objects.get(), agrees=True, name="Pat", address="")
    shown = teacher.get(page).text
    assert ("agreed</span>" in shown, "Pat" in shown, PARENT.lower() in shown) == (True, False, False)


def test_page_says_if_mail_does_not_leave_the_server(client: Client, pupil: Any, settings: Any, tmp_path: Any) -> None:
    words = "This site cannot send email yet."
    settings.MAIL_FOLDER = None
    assert words not in client.get(PAGE).text
    settings.MAIL_FOLDER = tmp_path
    assert words in client.get(PAGE).text


def test_log_hides_the_link(pupil: Any) -> None:
    address = guardians.guardian_address(guardians.ask_guardian(pupil, PARENT, by=pupil))
    assert address.rstrip("/").rpartition("/")[2] not in redact(f"GET {address} HTTP/1.1")


def test_old_requests_run_out(pupil: Any) -> None:
    request = guardians.ask_guardian(pupil, PARENT, by=pupil)
    assert request.expires_at - request.asked_at > timedelta(days=13, hours=23)


def path_of(request: GuardianRequest) -> str:
    return guardians.guardian_address(request).removeprefix(project.PUBLIC_URL)
