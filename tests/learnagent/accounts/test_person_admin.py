"""People on the admin pages: added with a link shown once, changed, signed out; every change in words."""

import re
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.test import Client

from learnagent.accounts.models import BrowserSession, GuardianRequest, Person, SignInLink
from tutoring.classes.membership import make_class
from tutoring.models import Membership

pytestmark = [pytest.mark.db, pytest.mark.django_db]
PEOPLE = "/admin/accounts/person/"
NO_ROWS = {
    f"{prefix}-{name}_FORMS": "0"
    for prefix in ("memberships", "guardian_requests", "api_tokens")
    for name in ("TOTAL", "INITIAL")
}


@pytest.fixture
def admin(root: Any, client: Client) -> Client:
    ContentType.objects.clear_cache()  # Its ids are of the database as a test before left it.
    client.force_login(root)
    return client


def page_of(person: Any) -> str:
    return f"{PEOPLE}{person.pk}/change/"


def change(admin: Client, person: Any, **fields: Any) -> Any:
    shown = admin.get(page_of(person)).context["adminform"].form.initial
    values = {name: "" if value is None else value for name, value in shown.items()}
    wanted = values | NO_ROWS | fields
    return admin.post(page_of(person), {name: value for name, value in wanted.items() if value is not False})


def test_new_person_signs_in_once_with_the_link(admin: Client) -> None:
    new = {"username": "noor", "role": "teacher", "age_band": "adult", "language": "en", "zone": "UTC"}
    shown = admin.post(f"{PEOPLE}add/", new | NO_ROWS)
    noor = Person.objects.get(username="noor")
    assert (noor.role, noor.has_usable_password()) == ("teacher", False)
    link = re.search(r"https?://[^/]+(/accounts/link/[^\s<]+)", shown.text)[1]  # type: ignore[index]
    assert "no-store" in shown["Cache-Control"]
    assert link not in admin.get(page_of(noor)).text
    assert Client().post(link).status_code == 302
    assert Client().post(link).status_code == 404
    assert LogEntry.objects.get().get_change_message() == "Added."


def test_link_is_never_for_somebody_who_has_signed_in(admin: Client, ben: Any) -> None:
    page = f"{PEOPLE}{ben.pk}/sign-in-link/"
    assert admin.post(page).status_code == 200
    Client().force_login(ben)
    assert admin.post(page).status_code == 404
    assert SignInLink.objects.count() == 1


def test_history_is_in_words(admin: Client, ada: Any, grace: Any) -> None:
    classroom = make_class(grace, "4b", code="4b")
    rows = {"memberships-TOTAL_FORMS": "1", "memberships-0-classroom": classroom.pk, "memberships-0-role": "learner"}
    assert change(admin, ada, role="teacher", display_name="Ada L.", **rows).status_code == 302
    words = LogEntry.objects.get().get_change_message()
    assert "Changed role from learner to teacher." in words
    assert "Changed display name from Ada to Ada L.." in words
    assert "Added membership “Ada L. · 4b”." in words
    assert Membership.objects.filter(person=ada, classroom=classroom).exists()


def test_nobody_takes_away_their_own_rights(admin: Client, root: Any) -> None:
    for fields in ({"role": "learner"}, {"is_active": False}):
        assert "your own admin rights" in change(admin, root, **fields).text
    assert Person.objects.get(pk=root.pk).is_staff


def test_deactivated_person_is_signed_out(admin: Client, ben: Any) -> None:
    Client().force_login(ben)
    change(admin, ben, is_active=False)
    assert not BrowserSession.objects.filter(person=ben).exists()


def test_browsers_are_listed_and_signed_out(admin: Client, ben: Any) -> None:
    Client().force_login(ben)
    assert [each.is_this_browser for each in admin.get(page_of(ben)).context["sessions"]] == [False]
    admin.post(f"{PEOPLE}{ben.pk}/sign-out/")
    assert not BrowserSession.objects.filter(person=ben).exists()
    assert LogEntry.objects.get().get_change_message() == "Signed out everywhere."


def test_no_page_holds_a_password(admin: Client, ben: Any) -> None:
    Person.objects.filter(pk=ben.pk).update(password="pbkdf2$CANARY")
    assert "CANARY" not in admin.get(page_of(ben)).text + admin.get(f"{PEOPLE}?q=ben").text


def test_admin_asks_a_guardian_and_sees_the_answer(admin: Client, ada: Any, ben: Any) -> None:
    admin.post(f"{PEOPLE}{ada.pk}/guardian/", {"email": "parent@mail.example"})
    assert GuardianRequest.objects.get().person == ada
    assert "no answer yet" in admin.get(page_of(ada)).text
    assert admin.post(f"{PEOPLE}{ben.pk}/guardian/", {"email": "parent@mail.example"}).status_code == 404


def test_list_finds_the_people_of_a_class(admin: Client, ada: Any, grace: Any) -> None:
    make_class(grace, "4b", code="4b")
    found = admin.get(f"{PEOPLE}?q=4b").context["cl"].queryset
    assert [person.username for person in found] == ["grace"]
