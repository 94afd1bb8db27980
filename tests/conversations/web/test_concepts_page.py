"""The page of what a person asked about: their own, and gone with the conversation."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from conversations.concepts import lesson_links
from conversations.concepts.lesson_links import LessonLink
from conversations.concepts.names import concept_key
from conversations.history import actions
from conversations.models import Session, Turn
from tests.conversations.turn_helpers import begun

pytestmark = [pytest.mark.db, pytest.mark.django_db, pytest.mark.usefixtures("host")]
EMPTY = "Nothing here yet"


@pytest.fixture
def reader(client, ada):
    client.force_login(ada)
    return client


@pytest.fixture(autouse=True)
def _no_lessons(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lesson_links, "_finders", [])


def asked(owner: Any, *names: str, **fields: Any) -> Turn:
    """Store a message that the panel has answered."""
    turn = begun(owner, text=f"About {', '.join(names)}", **fields)
    concepts = [{"name": each, "category": "programming"} for each in names]
    related = [{"source": names[0], "target": each, "type": "compared_with"} for each in names[1:]]
    answer = {"concepts": concepts, "relationships": related}
    Turn.objects.filter(pk=turn.pk).update(status="done", answer=answer)
    return turn


def page(reader: Any) -> str:
    return str(reader.get(reverse("asked-concepts")).text)


def test_concepts_are_told_with_their_messages_and_drawn_as_links(reader, ada):
    turn = asked(ada, "list", "dictionary")
    text = page(reader)
    assert f'href="/c/s/?at=1#turn-{turn.pk}"' in text
    assert 'id="concept-list"' in text
    assert '<a class="asked-concept" href="#concept-list"' in text
    assert "dictionary and list" in text
    assert "You asked about this once" in text
    assert "(compared)" in text


def test_message_that_was_not_analyzed_is_not_there(reader, ada):
    turn = begun(ada, text="hello")
    Turn.objects.filter(pk=turn.pk).update(status="done", answer={"sources": []})
    assert EMPTY in page(reader)


def test_course_concept_has_its_lesson(reader, ada):
    link = LessonLink(title="All about lists", url="/learn/python/lists/")
    lesson_links.register_lesson_finder(lambda: {concept_key("lists"): link})
    asked(ada, "list")
    assert '<a href="/learn/python/lists/">Lesson: All about lists</a>' in page(reader)


def test_others_do_not_see_them(reader, ada, eve):
    asked(eve, "list")
    assert EMPTY in page(reader)


def test_deleted_conversation_takes_its_concepts_along_and_brings_them_back(reader, ada):
    asked(ada, "list")
    session = Session.objects.get()
    session.owner = ada
    actions.delete(session)
    assert EMPTY in page(reader)
    actions.restore(ada, session.pk)
    assert EMPTY not in page(reader)


def test_edited_message_takes_its_concepts_along(reader, ada):
    asked(ada, "tuple", replaces=asked(ada, "list").pk)
    text = page(reader)
    assert "<bdi>tuple</bdi>" in text
    assert "<bdi>list</bdi>" not in text


def test_only_the_latest_turns_are_searched(reader, ada, monkeypatch):
    monkeypatch.setattr("conversations.concepts.mentions.TURNS_SEARCHED", 1)
    earlier = asked(ada, "list")
    Turn.objects.filter(pk=earlier.pk).update(created_at="2020-01-01T00:00:00Z")
    asked(ada, "tuple")
    assert "<bdi>list</bdi>" not in page(reader)


def test_name_comes_alive_nowhere(reader, ada):
    """X1"""
    asked(ada, '"><script>alert(1)</script>', "list")
    assert "<script>alert" not in page(reader)


def test_number_of_queries_is_the_same_for_many_messages(reader, ada, settings, django_assert_num_queries):
    settings.AGENTS = {"turns_per_minute": 0}
    asked(ada, "list", "tuple")
    page(reader)
    with CaptureQueriesContext(connection) as few:
        page(reader)
    for number in range(5):
        asked(ada, "set", f"class {chr(97 + number)}")
    with django_assert_num_queries(len(few)):
        page(reader)
