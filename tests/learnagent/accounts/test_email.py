"""An account's email address, which it need not have."""

import pytest

from learnagent.accounts.authentication.sign_in import OLD_PASSWORDS
from learnagent.accounts.models import Person
from tests.people import PASSWORD, make_ben

pytestmark = pytest.mark.django_db
EMAIL, MAIL = "/accounts/email/", "ben@mail.example"


@pytest.fixture
def ben(client):
    person = make_ben(password=PASSWORD)
    client.force_login(person)
    return person


def change(client, email=MAIL, old=PASSWORD):
    return client.post(EMAIL, {"email": email, "old": old})


def test_an_address_is_set_in_small_letters_and_taken_back(client, ben):
    assert change(client, "Ben@Mail.Example").status_code == 302
    assert Person.objects.get().email == MAIL
    change(client, "")
    assert Person.objects.get().email == ""


def test_changing_it_takes_the_password(client, ben):
    """W2: whoever finds a page open could have a new password sent to themselves."""
    assert change(client, old="nonsense").status_code == 422
    assert change(client, old="").status_code == 422
    assert Person.objects.get().email == ""


def test_guessing_the_password_is_throttled(client, ben):
    """W2"""
    for _ in range(OLD_PASSWORDS.limit):
        change(client, old="nonsense")
    response = change(client)
    assert (response.status_code, response["Retry-After"]) == (429, str(OLD_PASSWORDS.window_s))
    assert Person.objects.get().email == ""


def test_who_has_no_password_needs_none(client, eve):
    client.force_login(eve)
    assert change(client, old="").status_code == 302


@pytest.mark.parametrize("email", ["no address", "a@b", "a@b.example\r\nBcc: x@y.example", "x" * 250 + "@b.example"])
def test_what_is_no_address_is_refused(client, ben, email):
    assert change(client, email).status_code == 422


def test_one_may_sign_up_with_an_address_or_without(client):
    fields = {"age_band": "child", "password": "four slow rivers", "again": "four slow rivers"}
    client.post("/accounts/sign-up/", {"username": "cora", "email": "Cora@Mail.Example", **fields})
    client.post("/accounts/sign-out/")
    client.post("/accounts/sign-up/", {"username": "dora", **fields})
    assert dict(Person.objects.values_list("username", "email")) == {"cora": "cora@mail.example", "dora": ""}
