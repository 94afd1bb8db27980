"""Joining a class by its code, and leaving it."""

from dataclasses import replace

import pytest

from learnagent.accounts.views import classes
from tests.tutoring.class_helpers import agree, make_class
from tutoring.models import Membership

pytestmark = pytest.mark.django_db

WRONG = "No class has this code."


@pytest.fixture
def learning(client, ada):
    client.force_login(ada)
    return client


def text(response, status=200):
    assert response.status_code == status
    return response.content.decode()


def is_in(person):
    return Membership.objects.filter(person=person, role=Membership.Role.LEARNER).exists()


@pytest.mark.parametrize("mastery", ["nothing", "levels", "evidence"])
@pytest.mark.parametrize("conversations", ["nothing", "summaries", "everything"])
def test_agreement_is_read_before_one_joins(learning, grace, ada, mastery, conversations):
    made = make_class(grace, mastery=mastery, conversations=conversations)
    shown = text(learning.get("/accounts/classes/?code=+4B+"))
    assert all(f"<li>{words}</li>" in shown for words in made.policy.words)
    assert "<bdi>Grace</bdi>" in shown
    assert not is_in(ada)
    learning.post("/accounts/classes/", {"code": "4b"})
    assert is_in(ada)


@pytest.mark.parametrize("code", ["5c", "4b 5c", "4b\x00", "x" * 41, "", "💡"])
def test_wrong_code_is_told_kindly_and_joins_nothing(learning, grace, ada, code):
    make_class(grace)
    shown = text(learning.get("/accounts/classes/", {"code": code}), 422)
    assert "errorlist" in shown
    text(learning.post("/accounts/classes/", {"code": code}), 422)
    assert not is_in(ada)


def test_codes_are_not_found_by_guessing(learning, grace, ada, monkeypatch):
    """A5: as many tries as a bad hand needs, by whatever way, and then not even the right one."""
    monkeypatch.setattr(classes, "CODES", replace(classes.CODES, limit=3))
    make_class(grace)
    for number in range(3):
        assert WRONG in text(learning.get(f"/accounts/classes/?code=x{number}"), 422)
    refused = learning.post("/accounts/classes/", {"code": "4b"})
    assert "Wait ten minutes" in text(refused, 429)
    assert refused["Retry-After"] == str(classes.CODES.window_s)
    assert not is_in(ada)


def test_class_that_was_joined_is_listed_and_can_be_left(learning, grace, ada):
    make_class(grace, ada)
    assert "Yes, leave class" in text(learning.get("/accounts/classes/"))
    assert learning.post("/accounts/classes/4b/leave/")["Location"] == "/accounts/classes/"
    assert not is_in(ada)
    assert learning.post("/accounts/classes/4b/leave/").status_code == 404


def test_change_of_the_agreement_is_told_to_who_joined_before(learning, grace, ada):
    made = make_class(grace, ada)
    assert all("was changed on" not in text(learning.get(address)) for address in ("/accounts/classes/", "/"))
    agree(made, conversations="everything")
    shown = text(learning.get("/accounts/classes/"))
    assert "was changed on" in shown
    assert "This covers only what has been said since" in shown
    assert "the agreement on what your teacher can see was changed on" in text(learning.get("/"))


def test_teacher_does_not_become_a_learner_of_an_own_class(client, grace):
    make_class(grace)
    client.force_login(grace)
    client.post("/accounts/classes/", {"code": "4b"})
    assert Membership.objects.get().role == Membership.Role.TEACHER
    assert client.post("/accounts/classes/4b/leave/").status_code == 404
