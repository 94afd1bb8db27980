"""Who answers open questions in a conversation is its owner's choice."""

from typing import Any

import pytest
from django.test import Client

from conversations.models import Session
from tests import people

pytestmark = pytest.mark.django_db


@pytest.fixture
def session() -> Session:
    return Session.objects.create(owner=people.make_person("ada"), key="talk")


def choose(session: Session, by: str, client: Client, **more: Any) -> Any:
    return client.post(f"/c/{session.key}/answered-by/", {"answered_by": by}, **more)


def test_owner_chooses_on_the_page(session: Session, client: Client) -> None:
    client.force_login(session.owner)
    assert choose(session, "team", client, headers={"HX-Request": "true"}).status_code == 204
    session.refresh_from_db()
    assert session.answered_by == Session.AnsweredBy.TEAM
    assert '<option value="team" selected>' in client.get("/c/talk/").content.decode()


def test_form_works_without_scripts(session: Session, client: Client) -> None:
    client.force_login(session.owner)
    assert choose(session, "tutor", client).url == "/c/talk/"


def test_unknown_choice_changes_nothing(session: Session, client: Client) -> None:
    client.force_login(session.owner)
    assert choose(session, "me", client).status_code == 422
    session.refresh_from_db()
    assert session.answered_by == Session.AnsweredBy.FITTING


def test_stranger_finds_nothing(session: Session, client: Client) -> None:
    client.force_login(people.make_person("eve"))
    assert choose(session, "team", client).status_code == 404
