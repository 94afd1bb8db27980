"""Making one's own account."""

import pytest

from learnagent.accounts.authentication.sign_in import SIGN_UPS
from learnagent.accounts.models import Person

pytestmark = pytest.mark.django_db
SIGN_UP = "/accounts/sign-up/"
GOOD = {"username": "ada", "age_band": "child", "password": "seven green boats", "again": "seven green boats"}


def sign_up(client, **changed):
    return client.post(SIGN_UP, {**GOOD, **changed})


def test_a_new_account_is_a_learners_and_signed_in(client):
    assert sign_up(client).status_code == 302
    person = Person.objects.get()
    assert (person.role, person.age_band, person.consent) == ("learner", "child", False)
    assert client.session["_auth_user_id"] == str(person.pk)


@pytest.mark.parametrize("claimed", [{"role": "admin"}, {"consented_at": "2026-01-01"}, {"is_demo": "on"}])
def test_nobody_makes_themselves_more_than_a_learner(client, claimed):
    """B8."""
    sign_up(client, age_band="adult", **claimed)
    person = Person.objects.get()
    assert (person.role, person.consented_at, person.is_demo) == ("learner", None, False)


def test_teachers_are_told_how_their_account_is_made(client, ada, grace):
    assert "ask a site admin" in client.get("/accounts/sign-up/").content.decode()
    for person, told in ((ada, True), (grace, False)):
        client.force_login(person)
        assert ("make this a teacher account" in client.get("/accounts/profile/").content.decode()) is told


def test_only_adults_are_asked_about_outside_models(client):
    assert sign_up(client)["Location"] != "/accounts/consent/"
    assert client.get("/accounts/consent/").status_code == 404
    assert client.post("/accounts/consent/", {"consent": "yes"}).status_code == 404


def test_an_adult_is_asked_and_has_consented_to_nothing_until_then(client):
    assert sign_up(client, age_band="adult")["Location"] == "/accounts/consent/"
    assert not Person.objects.get().consent


@pytest.mark.parametrize(("said", "consents"), [("yes", True), ("no", False), ("", None), ("maybe", None)])
def test_an_adults_answer_counts(client, said, consents):
    sign_up(client, age_band="adult")
    status = client.post("/accounts/consent/", {"consent": said}).status_code
    person = Person.objects.get()
    assert (status, person.consent) == (422 if consents is None else 302, bool(consents))
    assert person.needs_consent_decision is (consents is None)


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"username": ""}, "username"),
        ({"username": "<script>"}, "username"),
        ({"username": "a\x00b"}, "username"),
        ({"display_name": "a\x00b"}, "display_name"),
        ({"age_band": ""}, "age_band"),
        ({"age_band": "robot"}, "age_band"),
        ({"password": "ab", "again": "ab"}, "password"),
        ({"password": "password", "again": "password"}, "password"),
        ({"again": "six red boats"}, "again"),
    ],
)
def test_what_will_not_do_is_said_beside_its_field(client, changed, field):
    """B1, B7."""
    response = sign_up(client, **changed)
    assert response.status_code == 422
    assert field in response.context["form"].errors
    assert not Person.objects.exists()


def test_a_password_too_long_to_look_at_is_unreadable_input(client):
    """W2."""
    assert sign_up(client, password="x" * 5_000, again="x" * 5_000).status_code == 400


def test_a_name_that_is_taken_is_an_error(client, ada):
    assert "username" in sign_up(client).context["form"].errors


def test_one_address_makes_only_so_many_accounts_an_hour(client, monkeypatch):
    for _ in range(SIGN_UPS.limit):
        SIGN_UPS.count_try("127.0.0.1")
    response = sign_up(client)
    assert (response.status_code, response["Retry-After"]) == (429, str(SIGN_UPS.window_s))
    assert not Person.objects.exists()


def test_every_field_tells_the_browser_what_it_is_for(client):
    page = client.get(SIGN_UP).content.decode()
    assert [word for word in ("username", "nickname", "new-password") if f'autocomplete="{word}"' not in page] == []
