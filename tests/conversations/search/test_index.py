"""Passages kept in step with their texts, on whichever database runs."""

import pytest
from django.db import connection

from agents.local_models import embeddings
from conversations.models import Document, Embedding, Passage, Publication
from conversations.readers import Page
from conversations.search import index, publications, vectors
from conversations.search.publications import PublishedSection, PublishedText
from tests.conversations.search.passage_helpers import HALVES, RAIN, found, index_document, shelve

pytestmark = [pytest.mark.django_db, pytest.mark.db]


@pytest.fixture(autouse=True)
def _no_articles():
    """Leave out the articles that come with the program: these tests count passages."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(publications._publishers, "article", list)
        yield


@pytest.fixture
def without_model(monkeypatch):
    monkeypatch.setattr(embeddings, "PACKAGE", "no_such_package")
    embeddings._load_model.cache_clear()
    yield
    embeddings._load_model.cache_clear()


def test_all_is_embedded_some_at_a_time(ada, monkeypatch):
    monkeypatch.setattr(index, "EMBEDDED_AT_ONCE", 2)
    document = shelve(ada, "empty")
    pages = [Page(number=number, heading="H", text=f"Page {number}.") for number in range(1, 6)]
    assert index_document(document, pages) == 5
    assert Embedding.objects.count() == Passage.objects.count() == 5
    assert found(ada, "empty", mode="keyword") == []


def test_what_is_stopped_is_caught_up_on(ada, monkeypatch):
    monkeypatch.setattr(index, "EMBEDDED_AT_ONCE", 1)
    document = shelve(ada, "empty")
    pages = [Page(number=number, heading="", text=text) for number, text in enumerate((HALVES, RAIN), 1)]
    index_document(document, pages, stop=lambda: Embedding.objects.exists())
    assert Embedding.objects.count() == 1
    index.update_index()
    assert Embedding.objects.count() == 2


def test_a_document_deleted_meanwhile_leaves_nothing(ada):
    document = shelve(ada, "empty")
    Document.objects.all().delete()
    assert index_document(document, [Page(number=1, heading="", text=HALVES)]) == 0
    assert not Passage.objects.exists()


def test_a_passage_deleted_while_it_is_read_leaves_no_vector(ada, monkeypatch):
    document = shelve(ada, "empty")
    embed = embeddings.embed

    def deleting(texts):
        Document.objects.all().delete()
        return embed(texts)

    monkeypatch.setattr(embeddings, "embed", deleting)
    index_document(document, [Page(number=1, heading="", text=HALVES)])
    assert not Embedding.objects.exists()


@pytest.mark.usefixtures("without_model")
def test_without_the_model_words_are_found_and_meanings_wait(ada, monkeypatch):
    shelve(ada, HALVES)
    assert not Embedding.objects.exists()
    assert found(ada, "half", mode="keyword") == [HALVES]
    index.update_index()
    monkeypatch.undo()
    index.update_index()
    assert Embedding.objects.count() == 1


def test_what_another_model_read_is_read_anew(ada):
    shelve(ada, HALVES)
    before = Embedding.objects.get().pk
    Embedding.objects.update(model_id="another")
    assert found(ada, "one of two", mode="semantic") == []
    index.update_index()
    assert Embedding.objects.get().pk > before
    assert found(ada, "one of two", mode="semantic") == [HALVES]


def test_a_glossary_is_kept_and_not_found(ada):
    document = shelve(ada, "empty")
    index_document(document, [Page(number=1, heading="", text=HALVES, glossary=True)])
    assert Passage.objects.get().text == HALVES
    assert not Embedding.objects.exists()
    assert found(ada, "half") == []


@pytest.mark.parametrize("change", [{"text": RAIN}, {"indexed": False}])
def test_what_is_changed_is_found_anew(ada, change):
    shelve(ada, HALVES)
    Passage.objects.update(**change)
    assert found(ada, "half", mode="keyword") == []
    assert found(ada, "rain", mode="keyword") == ([RAIN] if "text" in change else [])


@pytest.mark.django_db(transaction=True)
def test_deletion_removes_text_words_and_vectors(ada):
    """A6: a second search finds nothing, and no word of it is left in the index."""
    document = shelve(ada, "The secretword is a half.")
    kept = shelve(ada, RAIN, name="rain.txt")
    assert len(found(ada, "secretword")) == 2
    document.delete()
    assert found(ada, "secretword", mode="keyword") == []
    assert found(ada, "secretword", mode="semantic") == [RAIN]
    assert list(Embedding.objects.values_list("passage__document", flat=True)) == [kept.pk]
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("SELECT block FROM conversations_passage_search_data")
            assert not [block for (block,) in cursor.fetchall() if b"secretword" in bytes(block)]


def test_pgvector_is_used_where_it_is(ada):
    shelve(ada, HALVES)
    assert vectors.has_pgvector() == (connection.vendor == "postgresql")
    assert (Embedding.objects.get().vector is None) == vectors.has_pgvector()


class TestPublishing:
    @pytest.fixture
    def publish(self, monkeypatch):
        """Return a function that says what is published from now on."""
        monkeypatch.setattr(publications, "_publishers", {})

        def say(*texts, version="1"):
            sections = [PublishedSection(heading="Halves", text=text, link="/learn/halves/") for text in texts]
            published = [PublishedText(key="halves", title="Halves", version=version, sections=lambda: sections)]
            publications.register_publisher("course", lambda: published if texts else [])
            index.update_index()

        return say

    def test_everybody_finds_what_is_published(self, publish, ada, eve):
        publish(HALVES)
        for person in (ada, eve):
            for mode in ("keyword", "semantic", "hybrid"):
                assert found(person, "half", mode=mode) == [HALVES]
            assert found(person, "half", kinds={"document"}) == []

    def test_what_changed_is_published_anew(self, publish, ada):
        publish(HALVES)
        publish(RAIN)
        assert found(ada, "half", mode="keyword") == [HALVES]
        publish(RAIN, version="2")
        assert found(ada, "half", mode="keyword") == []
        assert found(ada, "clouds") == [RAIN]

    def test_what_is_published_no_more_is_gone(self, publish, ada):
        publish(HALVES)
        publish()
        assert not Publication.objects.exists()
        assert found(ada, "half") == []
