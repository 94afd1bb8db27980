"""The library's pages: who reads what, what is done with it, and what a hostile name comes to."""

import re
import uuid

import pytest
from django.db import connection
from django.test import Client
from django.utils.html import escape

from conversations.library import document_text, folders, reading_jobs
from conversations.library.deletion import delete_documents
from conversations.models import Document, Folder, Message, Passage, Session
from conversations.readers import Page
from conversations.search.index import store_passages
from tests.conversations.library.conftest import files_in, path_of, ready
from tests.sqlite_files import bytes_of_database
from tutoring.classes.membership import join_class, leave_class, make_class

pytestmark = pytest.mark.django_db
LIBRARY = "/library/"
HOSTILE = (
    "<script>alert(1)<\\script>.txt", "\"><img src=x onerror=alert(1)>.txt", "{{ 7|add:7 }}.txt", "a.png.html",
    "'; DROP TABLE x;--.txt", "=HYPERLINK(1).txt", "javascript:alert(1)", "[x](javascript:alert(1)).md",
)  # fmt: skip


@pytest.fixture
def reader(ada):
    return signed_in(ada)


def signed_in(person):
    client = Client()
    client.force_login(person)
    return client


def page(client, address=LIBRARY, **query):
    response = client.get(address, query)
    assert response.status_code == 200, response.status_code
    return response.content.decode()


@pytest.fixture
def shared(grace, ada, put):
    """A document in a folder that Grace shares with the class in which she teaches Ada."""
    make_class(grace, "4b", code="4b")
    join_class(ada, "4b")
    folder = folders.make_folder(grace, "For 4b")
    folders.share(folder, "class:4b")
    document = put(grace)
    Document.objects.filter(pk=document.pk).update(folder=folder)
    document.refresh_from_db()
    return document


def test_empty_library_says_what_it_is_for(reader):
    assert "Your library is empty" in page(reader)


def test_lists_what_is_there_in_few_queries(reader, ada, put, django_assert_max_num_queries):
    folder = folders.make_folder(ada, "Maths")
    for number in range(12):
        put(ada, f"notes {number}".encode(), name=f"notes {number}.txt")
    Document.objects.filter(name="notes 3.txt").update(folder=folder)
    with django_assert_max_num_queries(15):
        shown = page(reader)
    assert all(f"notes {number}.txt" in shown for number in range(12))
    assert "Waiting to be read" in shown
    assert "notes 3.txt" in page(reader, folder=folder.pk)
    assert "notes 4.txt" not in page(reader, folder=folder.pk)
    assert reader.get(LIBRARY, {"page": 2}).status_code == 404


def test_a_page_asks_after_what_is_unread_until_it_is_done(reader, ada, eve, put):
    """A1: of one's own alone."""
    mine, theirs = put(ada), put(eve)
    asked = f"/library/states/?id={mine.pk}&id={theirs.pk}&id=x"
    shown = page(reader, asked)
    assert (str(mine.pk) in shown, "hx-get" in shown, str(theirs.pk) in shown) == (True, True, False)
    ready(mine)
    shown = page(reader, asked)
    assert ("2 sections" in shown, "hx-get" in shown) == (True, False)


def test_text_is_shown_with_its_headings_and_places(reader, ada, put):
    document = put(ada)
    ready(document)
    shown = page(reader, document.get_absolute_url())
    assert "Halves › Why" in shown
    assert '<span id="passage-2">Unequal pieces are not halves.</span>' in shown


def test_long_document_comes_in_parts_of_bounded_size(reader, ada, put):
    document = put(ada)
    worst = [Page(number=number, heading="", text="'<&\"" * 700) for number in range(1, 60)]
    store_passages(document, worst)
    Document.objects.update(status="ready", pages=59)
    last = Passage.objects.order_by("number").last()
    responses = [reader.get(document.get_absolute_url(), {"part": part}) for part in (1, 2)]
    assert all(len(response.content) < 150_000 for response in responses)
    assert "Part 2 of" in responses[1].content.decode()
    led_to = page(reader, document.get_absolute_url(), at=last.number)
    assert f'id="passage-{last.number}"' in led_to
    assert 'id="passage-1"' not in led_to
    assert reader.get(document.get_absolute_url(), {"part": 999}).status_code == 404
    shown = "".join(
        passage.text
        for part in range(1, document_text.screen_of(document).total + 1)
        for leaf in document_text.screen_of(document, number=part).leaves
        for passage in leaf.passages
    )
    assert shown == "".join(each.text for each in worst)


def test_file_is_sent_to_be_kept_and_never_shown(reader, ada, put):
    """U1"""
    document = put(ada, name="a.png.html")
    response = reader.get(f"{document.get_absolute_url()}file")
    assert response.content == path_of(document).read_bytes()
    assert response["Content-Type"] == "application/octet-stream"
    assert response["Content-Disposition"] == 'attachment; filename="a.png.html"'
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Content-Security-Policy"] == "sandbox; default-src 'none'"
    assert "no-store" in response["Cache-Control"]
    path_of(document).unlink()
    assert reader.get(f"{document.get_absolute_url()}file").status_code == 404


def test_hostile_names_stay_text_wherever_they_are_shown(reader, ada, root, put):
    """X1, X6: in the list, on their page, in its title, in the file's head, among what admins see."""
    for number, name in enumerate(HOSTILE):
        document = put(ada, f"words {number}".encode())
        Document.objects.filter(pk=document.pk).update(name=name, title=name)
    lists = page(reader) + page(signed_in(root), "/admin/conversations/document/")
    assert all(escape(name) in lists for name in HOSTILE)
    own = page(reader, document.get_absolute_url()) + page(reader, f"{document.get_absolute_url()}delete/")
    assert own.count(escape(HOSTILE[-1])) >= 4
    assert not re.search(r"<img src=x|<script>alert|javascript:alert\(1\)\">", lists + own)
    header = reader.get(f"{document.get_absolute_url()}file")["Content-Disposition"]
    assert header.startswith("attachment; filename")
    assert not re.search(r"[\r\n]", header)


class TestWhatIsShared:
    def test_is_read_and_not_changed(self, reader, shared, ada):
        """A4"""
        address = shared.get_absolute_url()
        assert "is sharing this with you" in page(reader, address)
        assert "For 4b" in page(reader)
        assert reader.get(f"{address}file").status_code == 200
        assert "This document" not in page(reader, address)
        for change in ("rename", "move", "keep", "delete"):
            assert reader.post(f"{address}{change}/", {"name": "mine"}).status_code == 404
        for change in ("rename", "share", "delete"):
            assert reader.post(f"/library/folders/{shared.folder_id}/{change}/", {"name": "x"}).status_code == 404
        assert reader.post(LIBRARY, {"folder": shared.folder_id}).status_code == 404

    @pytest.mark.parametrize(
        "revoke",
        [
            lambda document: folders.share(document.folder, ""),
            lambda document: Document.objects.filter(pk=document.pk).update(folder=None),
            lambda document: leave_class(document.learner, "4b"),
            lambda document: leave_class(document.owner, "4b"),
            lambda document: document.folder.delete(),
        ],
        ids=["unshared", "moved", "left by the reader", "left by the owner", "folder deleted"],
    )
    def test_is_gone_at_once_when_it_is_taken_back(self, reader, ada, shared, revoke):
        """A4"""
        shared.learner = ada
        before = (page(reader, shared.get_absolute_url()), "For 4b" in page(reader))
        assert before[1]
        revoke(shared)
        assert reader.get(shared.get_absolute_url()).status_code == 404
        assert reader.get(f"{shared.get_absolute_url()}file").status_code == 404
        assert "For 4b" not in page(reader)
        assert Document.objects.filter(pk=shared.pk).exists()

    def test_is_nothing_to_a_stranger(self, shared, eve):
        """A1"""
        stranger = signed_in(eve)
        for address in (shared.get_absolute_url(), f"{shared.get_absolute_url()}file"):
            assert stranger.get(address).status_code == 404
        assert stranger.get(LIBRARY, {"folder": shared.folder_id}).status_code == 404
        assert "For 4b" not in page(stranger)

    def test_class_of_the_same_code_inherits_nothing(self, shared, grace, eve):
        """A4"""
        grace.memberships.get().classroom.delete()
        make_class(grace, "another", code="4b")
        join_class(eve, "4b")
        assert signed_in(eve).get(shared.get_absolute_url()).status_code == 404

    def test_only_with_a_class_that_one_teaches(self, ada, shared, reader):
        """A4: who learns in it shares with nobody."""
        folder = folders.make_folder(ada, "Mine")
        share = f"/library/folders/{folder.pk}/share/"
        assert reader.post(share, {"audience": "class:4b"}).status_code == 404
        assert reader.post(share, {"audience": ""}).status_code == 302
        assert "Who can read this folder" not in page(reader, folder=folder.pk)


class TestFolders:
    def test_are_made_named_and_deleted_with_their_documents_kept(self, reader, ada, put):
        reader.post("/library/folders/", {"name": "  Maths  "})
        folder = Folder.objects.get(owner=ada)
        document = put(ada)
        reader.post(f"{document.get_absolute_url()}move/", {"folder": folder.pk})
        reader.post(f"/library/folders/{folder.pk}/rename/", {"name": "Mathematics"})
        assert "Mathematics" in page(reader)
        reader.post(f"/library/folders/{folder.pk}/delete/")
        document.refresh_from_db()
        assert (Folder.objects.count(), document.folder, document.in_library) == (0, None, True)

    @pytest.mark.parametrize("name", ["", " ", "x" * 256, "Maths"])
    def test_with_a_name_that_is_none_or_taken_are_refused_in_words(self, reader, ada, name):
        folders.make_folder(ada, "Maths")
        shown = reader.post("/library/folders/", {"name": name}, follow=True).content.decode()
        assert "note bad" in shown
        assert Folder.objects.count() == 1

    def test_of_somebody_else_take_nothing(self, reader, ada, eve, put):
        """A1"""
        document, theirs = put(ada), folders.make_folder(eve, "Eve's")
        for folder in (theirs.pk, 2**70, "x", "-1", "9" * 5000):
            assert reader.post(f"{document.get_absolute_url()}move/", {"folder": folder}).status_code == 404


class TestDeletion:
    def test_is_asked_for_and_leaves_nothing(self, reader, ada, put, folder, django_capture_on_commit_callbacks):
        """A6: a second look finds nothing."""
        document = put(ada)
        ready(document)
        address = document.get_absolute_url()
        assert "You can’t undo this." in page(reader, f"{address}delete/")
        assert Document.objects.count() == 1
        with django_capture_on_commit_callbacks(execute=True):
            assert reader.post(f"{address}delete/").status_code == 302
        assert (Document.objects.count(), Passage.objects.count(), files_in(folder)) == (0, 0, [])
        for gone in (address, f"{address}file", f"{address}delete/"):
            assert reader.get(gone).status_code == 404

    @pytest.mark.django_db(transaction=True)
    @pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL sweeps its files by itself, in time")
    def test_leaves_no_word_in_the_bytes(self, ada, put, folder):
        """A6: neither in the rows' places nor in the index."""
        put(ada, b"The canaryword sings.", name="canaryname.txt")
        reading_jobs.read_all()

        def words_left():
            with connection.cursor() as cursor:
                cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            kept = bytes_of_database() + b"".join(each.read_bytes() for each in files_in(folder))
            return [word for word in (b"canaryword", b"canaryname") if word in kept]

        assert len(words_left()) == 2
        delete_documents(Document.objects.all())
        assert words_left() == []

    def test_of_what_goes_with_a_deleted_conversation(self, reader, ada, put):
        """A1: in the trash it is there for nobody."""
        document = put(ada, in_library=False)
        session = Session.objects.create(owner=ada, key="s", deleted_at="2026-01-01T00:00:00Z")
        Document.objects.update(session=session)
        assert reader.get(document.get_absolute_url()).status_code == 404
        Session.with_deleted.update(deleted_at=None)
        assert "belongs to a conversation" in page(reader, document.get_absolute_url())


def test_file_of_a_message_is_listed_with_its_conversation(reader, ada, put):
    """It goes with its conversation; one that was not sent is nowhere, and neither is one of a deleted conversation."""
    sent, _unsent = put(ada, b"sent", name="sent.txt", in_library=False), put(ada, name="unsent.md", in_library=False)
    session = Session.objects.create(owner=ada, key="s")
    Document.objects.filter(pk=sent.pk).update(session=session)
    shown = page(reader)
    assert "sent.txt" in shown
    assert f'href="{session.get_absolute_url()}">from a message' in shown
    assert "unsent.md" not in shown
    Session.objects.update(deleted_at="2026-01-01T00:00:00Z")
    assert "Your library is empty" in page(reader)


def test_names_and_ids_that_are_none_find_nothing(reader, ada, put):
    """B5"""
    document = put(ada)
    for wrong in ("0", "../x", str(document.pk).upper(), uuid.uuid4(), document.pk.hex):
        assert reader.get(f"/library/{wrong}/").status_code in (301, 404)
    reader.post(f"{document.get_absolute_url()}rename/", {"name": "../../x.txt"})
    assert Document.objects.get().name == "x.txt"
    reader.post(f"{document.get_absolute_url()}rename/", {"name": " "})
    assert Document.objects.get().name == "x.txt"


def test_search_finds_the_place_in_few_queries(reader, ada, eve, put, django_assert_max_num_queries):
    """A1: and a stranger's search does not."""
    document = put(ada)
    ready(document)
    with django_assert_max_num_queries(15):
        shown = page(reader, q="unequal pieces")
    assert f"{document.get_absolute_url()}?at=2#passage-2" in shown
    assert "<mark>" in shown
    assert "Nothing found" in page(signed_in(eve), q="unequal pieces")
    assert not Message.objects.exists()
