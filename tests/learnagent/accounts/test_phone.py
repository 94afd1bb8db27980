"""The page "Call from your phone", and the guests who call without an account."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from agents.periodic_work import run_due_jobs
from conversations.models import Message, PhoneCall, PhoneCode, PhoneLink
from conversations.phone import numbers
from conversations.phone.calls import forget_calls, open_call
from learnagent.accounts.models import Person
from learnagent.accounts.personal_data.guests import erase_guests
from learnagent.operations.periodic_jobs import PERIODIC_JOBS
from tests.conversations.turn_helpers import begun
from tests.page_text import without_csrf
from tests.tutoring.idle_turn_handler import quiet_host  # noqa: F401  # A fixture.

pytestmark = [pytest.mark.db, pytest.mark.django_db]

PHONE = "/accounts/phone/"
CODE = re.compile(r'<output class="phone-code">(\d\d \d\d \d\d \d\d)</output>')


@pytest.fixture(autouse=True)
def _calls_are_set_up(settings: Any) -> None:
    settings.TWILIO_AUTH_TOKEN = "0123456789abcdef0123456789abcdef"
    settings.PHONE_NUMBER = "+15017122661"


def test_page_shows_a_code_once(client: Client, ada: Any) -> None:
    client.force_login(ada)
    before = client.get(PHONE).content.decode()
    assert "No number is linked" in before
    assert "+15017122661" in before
    response = client.post(PHONE)
    assert response.status_code == 201
    found = CODE.search(response.content.decode())
    assert found is not None
    assert not CODE.search(client.get(PHONE).content.decode())
    call = open_call("CA1", number="+436641234567")
    assert numbers.use_code(call, found[1].replace(" ", ""), number="+436641234567") == "linked"
    assert "+436641234567" in client.get(PHONE).content.decode()


def test_linked_number_is_unlinked(client: Client, ada: Any) -> None:
    link = PhoneLink.objects.create(owner=ada, number="+436641234567")
    client.force_login(ada)
    assert "Unlink +436641234567" in client.get(PHONE).content.decode()
    assert client.post(f"{PHONE}{link.pk}/unlink/", follow=True).status_code == 200
    assert not PhoneLink.objects.exists()


def test_somebody_elses_number_is_as_one_that_is_not_there(client: Client, ada: Any, eve: Any) -> None:
    """A1"""
    link = PhoneLink.objects.create(owner=ada, number="+436641234567")
    client.force_login(eve)
    answers = [client.post(f"{PHONE}{pk}/unlink/") for pk in (link.pk, link.pk + 1, 2**70)]
    assert [each.status_code for each in answers] == [404] * 3
    assert without_csrf(answers[0]) == without_csrf(answers[1])
    assert "+436641234567" not in client.get(PHONE).content.decode()
    assert PhoneLink.objects.exists()


def test_code_is_refused_to_whoever_has_linked_enough(client: Client, ada: Any) -> None:
    for last in range(numbers.NUMBERS_AT_MOST):
        PhoneLink.objects.create(owner=ada, number=f"+1501712266{last}")
    client.force_login(ada)
    response = client.post(PHONE)
    assert response.status_code == 422
    assert "Unlink one first" in response.content.decode()


def test_page_says_where_calls_are_not_set_up(client: Client, ada: Any, settings: Any) -> None:
    settings.TWILIO_AUTH_TOKEN = ""
    client.force_login(ada)
    assert "not set up" in client.get(PHONE).content.decode()
    assert client.post(PHONE).status_code == 422
    assert not PhoneCode.objects.exists()


def test_profile_leads_to_the_page(client: Client, ada: Any) -> None:
    client.force_login(ada)
    assert PHONE in client.get("/accounts/profile/").content.decode()


@pytest.mark.usefixtures("quiet_host")
def test_guests_are_erased_after_a_day_with_what_they_said(ada: Any) -> None:
    guests = [Person.objects.create_guest() for _ in range(2)]
    for number, guest in enumerate(guests):
        begun(guest, key="phone", text=f"hello {number}")
        PhoneCall.objects.create(sid=f"CA{number}", owner=guest, number_digest="0" * 64)
    begun(ada, key="phone", text="hello")
    Person.objects.filter(pk=guests[0].pk).update(created_at=timezone.now() - timedelta(hours=25))
    Person.objects.filter(pk=ada.pk).update(created_at=timezone.now() - timedelta(days=900))
    erase_guests()
    assert {*Person.objects.values_list("pk", flat=True)} == {ada.pk, guests[1].pk}
    assert {*Message.objects.values_list("text", flat=True)} == {"hello", "hello 1"}
    assert [each.pk for each in PhoneCall.objects.all()] == ["CA1"]


def test_guests_cannot_sign_in(client: Client) -> None:
    guest = Person.objects.create_guest()
    assert not guest.has_usable_password()
    client.force_login(guest)
    assert client.get(PHONE).status_code == 302


def test_both_are_done_by_the_hour() -> None:
    jobs = [each for each in PERIODIC_JOBS if each.do in (forget_calls, erase_guests)]
    assert len(run_due_jobs(jobs)) == 2
