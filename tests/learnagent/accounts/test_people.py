"""What an account is and allows."""

import pytest
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import ValidationError

from agents.people import audiences_of, register_audiences
from learnagent.accounts.models import Person
from tests.people import make_person

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("field", ["username", "display_name", "zone", "language"])
@pytest.mark.parametrize("text", ["a\x00b", "a\ud800b"])
def test_text_that_cannot_be_stored_is_refused(field, text):
    """B1."""
    with pytest.raises(ValidationError) as caught:
        make_person(**{"username": "ada", field: text})
    assert field in caught.value.message_dict
    assert not Person.objects.exists()


def test_a_zone_that_does_not_exist_is_refused():
    with pytest.raises(ValidationError):
        make_person("ada", zone="Moon/Tranquillity")


def test_only_admins_are_staff(ada, grace, root):
    assert [(p.is_staff, p.has_perm("any")) for p in (ada, grace, root)] == [
        (False, False),
        (False, False),
        (True, True),
    ]


def test_an_admin_makes_a_teacher_on_the_admin_pages(client, ada, root):
    ContentType.objects.clear_cache()  # Its ids are of the database as a test before left it.
    client.force_login(root)
    address = f"/admin/accounts/person/{ada.pk}/change/"
    shown = client.get(address).context["adminform"].form.initial
    rows = ("memberships", "guardian_requests", "api_tokens")
    tokens = {f"{prefix}-{name}_FORMS": "0" for prefix in rows for name in ("TOTAL", "INITIAL")}
    posted = {name: "" if value is None else value for name, value in shown.items()} | tokens | {"role": "teacher"}
    assert client.post(address, posted)["Location"] == "/admin/accounts/person/"
    client.force_login(ada)
    assert client.get("/teach/").status_code == 200


def test_an_admin_who_may_not_sign_in_may_do_nothing(root):
    root.is_active = False
    assert not root.has_perm("agents.change_flag")
    assert not root.has_module_perms("agents")


def test_a_childs_consent_never_counts(ada):
    ada.set_consent(True)
    assert not ada.consent


def test_giving_consent_again_keeps_the_first_day(ben):
    first = ben.consented_at
    ben.set_consent(True)
    assert ben.consented_at == first


def test_withdrawn_consent_leaves_no_day(ben):
    ben.set_consent(False)
    assert ben.consented_at is None
    assert not ben.consent


def test_create_superuser_makes_an_admin():
    assert Person.objects.create_superuser("boss", "x" * 12).is_staff


def test_audiences_come_from_the_rooms_that_know_them(ada, monkeypatch):
    monkeypatch.setattr("agents.people._sources", [])
    register_audiences(lambda person: [f"class:{person.username}"])
    assert audiences_of(ada) == ada.audiences == {"class:ada"}


def test_registering_an_audience_source_twice_asks_it_once(ada, monkeypatch):
    monkeypatch.setattr("agents.people._sources", [])
    asked = []

    def source(person):
        asked.append(person)
        return []

    register_audiences(register_audiences(source))
    audiences_of(ada)
    assert len(asked) == 1
