"""One search over all that a person may read."""

import pytest
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conversations.models import Session
from conversations.search.engine import search
from tests.conversations.search.passage_helpers import HALVES, found, shared_folder, shelve
from tests.conversations.search.test_messages import said

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("host")]


@pytest.fixture(autouse=True)
def _no_limits(settings):
    settings.AGENTS = {"turns_per_minute": 0}


def test_the_trash_is_not_found(ada):
    said(ada, "one half")
    Session.objects.update(deleted_at=timezone.now())
    assert found(ada, "half") == []


@pytest.mark.parametrize(
    ("query", "marked"),
    [
        ("dictionary", ["dictionaries"]),
        ("stores", ["store"]),
        ('"the dictionaries"', ["the dictionaries"]),
        ("-1/2", []),
    ],
)
def test_words_are_marked_in_their_forms(ada, query, marked):
    shelve(ada, "What the dictionaries store")
    pieces = [piece for each in search(ada, query, mode="hybrid").found for piece in each.snippet]
    assert [piece.text for piece in pieces if piece.is_hit] == marked


def test_of_a_shared_document_its_conversation_is_not_told(grace, ada, monkeypatch):
    monkeypatch.setattr(type(ada), "audiences", frozenset({"class:4b"}))
    session = Session.objects.create(owner=grace, key="secret-key")
    shelve(grace, HALVES, folder=shared_folder(grace), session=session)
    assert [each.session_key for each in search(ada, "half").found] == [None]
    assert [each.session_key for each in search(grace, "half").found] == ["secret-key"]


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(alphabet=st.one_of(st.characters(), st.sampled_from("\"'-*:()^&|!<>\\{}+ aNOTR")), max_size=40))
def test_nothing_typed_is_an_error(ada, query):
    """B1"""
    search(ada, query, mode="keyword", limit=5)


@pytest.mark.db
@pytest.mark.parametrize(
    "query", ["half AND", "NEAR(a b)", "text:half", "^half", "half & | !", "'half", "half\\", "½ ª", "''"]
)
def test_syntax_is_plain_words(ada, query):
    shelve(ada, HALVES)
    for mode in ("keyword", "hybrid"):
        search(ada, query, mode=mode)


@pytest.mark.db
@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("halves", "One half."),
        ("dictionary", "How dictionaries differ"),
        ("frac", "Fractions are parts"),
        ('"equal parts"', "two equal parts"),
        ("ÜBER", "uber die Hälfte"),
        ("what is a half?", "A half."),
        ("1/2", "Is 1/2 more?"),
        ("half -third", "One half"),
    ],
)
def test_words_are_found_in_their_forms(ada, query, text):
    shelve(ada, text, "Two thirds and a quarter of nothing.")
    expected = [] if query == "halves" else [text]
    assert found(ada, query, mode="keyword")[:1] == expected


@pytest.mark.db
@pytest.mark.parametrize(
    ("query", "text"), [('"parts equal"', "two equal parts"), ("alf", "One half"), ("half -one", "One half")]
)
def test_what_is_not_there_is_not_found(ada, query, text):
    shelve(ada, text)
    assert found(ada, query, mode="keyword") == []
