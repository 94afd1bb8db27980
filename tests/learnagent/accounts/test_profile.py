"""Profile and password."""

import pytest
from django.test import Client

from learnagent.accounts.authentication.sign_in import OLD_PASSWORDS
from learnagent.accounts.models import Person
from tests.learnagent.accounts.counting_hasher import hashes_during
from tests.people import PASSWORD, make_ben

pytestmark = pytest.mark.django_db
PROFILE, NEW = "/accounts/profile/", "four slow rivers"
GOOD = {
    "display_name": "Ada L",
    "level": "advanced",
    "language": "en",
    "zone": "Europe/London",
    "theme": "dark",
    "text_size": "large",
}


@pytest.fixture
def ben(db):
    return make_ben(password=PASSWORD)


def change_password(client, old=PASSWORD, new=NEW, again=None):
    return client.post("/accounts/password/", {"old": old, "password": new, "again": again or new})


def test_a_profile_is_saved(client, ada):
    client.force_login(ada)
    assert client.post(PROFILE, GOOD)["Location"] == PROFILE
    assert Person.objects.filter(pk=ada.pk, **GOOD).exists()


def test_age_and_role_are_not_ones_own_to_change(client, ada):
    """B8: or a child could make itself an adult and consent."""
    client.force_login(ada)
    client.post(PROFILE, {**GOOD, "age_band": "adult", "role": "admin", "consent": "on", "username": "root"})
    ada.refresh_from_db()
    assert (ada.age_band, ada.role, ada.consented_at, ada.username) == ("child", "learner", None, "ada")


def test_only_adults_are_offered_consent(client, ada, ben):
    client.force_login(ada)
    assert 'name="consent"' not in client.get(PROFILE).content.decode()
    client.force_login(ben)
    assert 'name="consent"' in client.get(PROFILE).content.decode()


def test_an_adult_withdraws_and_gives_consent(client, ben):
    client.force_login(ben)
    client.post(PROFILE, GOOD)
    assert not Person.objects.get(pk=ben.pk).consent
    client.post(PROFILE, {**GOOD, "consent": "on"})
    assert Person.objects.get(pk=ben.pk).consent


@pytest.mark.parametrize(
    "wrong",
    [
        {"zone": "Moon/Base"},
        {"level": "genius"},
        {"language": "xx"},
        {"theme": "pink"},
        {"text_size": "9"},
        {"display_name": "a\x00b"},
        {"display_name": "x" * 81},
    ],
)
def test_what_will_not_do_changes_nothing(client, ada, wrong):
    client.force_login(ada)
    response = client.post(PROFILE, {**GOOD, **wrong})
    assert response.status_code == 422
    assert set(response.context["form"].errors) == set(wrong)
    assert Person.objects.get(pk=ada.pk).level == "beginner"


def test_a_name_to_show_is_escaped_everywhere(client, ada):
    """X1."""
    client.force_login(ada)
    client.post(PROFILE, {**GOOD, "display_name": "<img src=x onerror=alert(1)>"})
    assert "<img src=x" not in client.get(PROFILE).content.decode()


def test_a_new_password_signs_out_everywhere_else(client, ben):
    elsewhere = Client()
    for each in (client, elsewhere):
        each.force_login(ben)
    assert change_password(client)["Location"] == PROFILE
    assert client.get(PROFILE).status_code == 200
    assert elsewhere.get(PROFILE).status_code == 302


@pytest.mark.parametrize(
    ("typed", "field"),
    [({"old": "nonsense"}, "old"), ({"new": "ab"}, "password"), ({"again": "other words"}, "again")],
)
def test_a_password_change_that_will_not_do_changes_nothing(client, ben, typed, field):
    client.force_login(ben)
    response = change_password(client, **typed)
    assert response.status_code == 422
    assert field in response.context["form"].errors
    assert Person.objects.get(pk=ben.pk).check_password(PASSWORD)


def test_guessing_the_old_password_is_throttled(client, ben):
    """W2."""
    client.force_login(ben)
    for _ in range(OLD_PASSWORDS.limit):
        change_password(client, old="nonsense")
    response = change_password(client)
    assert (response.status_code, response["Retry-After"]) == (429, str(OLD_PASSWORDS.window_s))


def test_passwords_too_long_to_look_at_are_not_hashed(client, ben):
    """W2."""
    client.force_login(ben)
    long = "x" * 100_000
    assert hashes_during(lambda: change_password(client, old=long, new=long)) == 0
    assert change_password(client, old=long, new=long).status_code == 400


def test_who_came_by_a_link_sets_a_first_password(client, eve):
    client.force_login(eve)
    assert client.post("/accounts/password/", {"password": NEW, "again": NEW}).status_code == 302
    eve.refresh_from_db()
    assert eve.check_password(NEW)
