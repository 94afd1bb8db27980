"""The one way in for files."""

import io
import re
import threading

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connections
from django.test import RequestFactory
from django.urls import URLResolver, get_resolver, resolve, reverse
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from PIL import Image

from agents.wire.rejections import Rejection
from conversations.library import document_files, file_store, upload_gate, uploads
from conversations.library.deletion import delete_unsent
from conversations.models import Document, Folder, Session
from tests.conversations.library.conftest import NOTES, files_in, path_of, picture
from tests.conversations.readers.sample_files import zip_of

pytestmark = pytest.mark.django_db


def refusal(take):
    with pytest.raises(Rejection) as caught:
        take()
    return caught.value.status, caught.value.code


class TestWhatIsTaken:
    def test_lies_under_a_random_name_that_only_we_read(self, ada, put, folder):
        """U1"""
        document = put(ada, name="../../etc/passwd.md")
        [path] = files_in(folder)
        assert path == path_of(document)
        assert document.stored_as not in (document.name, document.digest)
        assert path.read_bytes() == NOTES
        assert oct(path.stat().st_mode)[-3:] == "600"
        assert (document.name, document.media_type, document.status) == ("passwd.md", "text/markdown", "waiting")

    def test_kind_is_told_by_content(self, ada, put):
        """U1: whatever the name says."""
        assert put(ada, b"%PDF-1.7 ", name="a.png.html").media_type == "application/pdf"
        assert put(ada, b"just words", name="words.png").media_type == "text/plain"

    def test_picture_is_written_anew(self, ada, put, folder):
        """U2: nothing trails behind it."""
        document = put(ada, picture("JPEG", behind=b"<script>alert(1)</script>"))
        content = path_of(document).read_bytes()
        assert b"script" not in content
        assert Image.open(io.BytesIO(content)).format == "WEBP"
        assert len(files_in(folder)) == 1
        assert document.size == len(content)

    @pytest.mark.parametrize(
        ("content", "expected"),
        [
            (b"", (400, "invalid_input")),
            (b"<svg xmlns='http://www.w3.org/2000/svg'/>", (415, "unsupported_type")),
            (b"<!doctype html><script>alert(1)</script>", (415, "unsupported_type")),
            (b"\x7fELF\0\0\0\0", (415, "unsupported_type")),
            (b"%!PS-Adobe-3.0 EPSF-3.0", (415, "unsupported_type")),
            (picture()[:60], (400, "invalid_input")),
        ],
        ids=["empty", "svg", "html", "program", "eps", "truncated"],
    )
    def test_anything_else_is_refused_and_leaves_nothing(self, ada, put, folder, content, expected):
        """U1, U2, U4"""
        assert refusal(lambda: put(ada, content, name="a.png")) == expected
        assert (files_in(folder), Document.objects.count()) == ([], 0)

    def test_refusal_says_what_is_taken(self, ada, put):
        with pytest.raises(Rejection, match="PDF, DOCX, Markdown"):
            put(ada, b"<svg/>", name="a.svg")

    @pytest.mark.parametrize(
        ("name", "content", "reason"),
        [
            ("a.md", b"<!doctype html><p>hello", "not what its name says (“.md”)"),
            ("a.docx", zip_of({"holiday.txt": b"hello"}), "not what its name says (“.docx”)"),
            ("a.zip", zip_of({"quiz.xml": b"<item/>"}), "contains no CNXML documents"),
        ],
    )
    def test_refusal_names_the_cause(self, ada, put, name, content, reason):
        with pytest.raises(Rejection, match=re.escape(reason)):
            put(ada, content, name=name)

    def test_limit_is_taken_and_one_more_is_not(self, ada, put, settings):
        """U1"""
        settings.UPLOADS = settings.UPLOADS | {"file_bytes": 1000}
        put(ada, b"a " * 500)
        assert refusal(lambda: put(ada, b"a " * 500 + b"b")) == (413, "too_large")


def test_full_disk_is_told_and_leaves_nothing(ada, put, folder, monkeypatch):
    """G4"""

    def full(*args, **options):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(file_store.DataFolder, "_save", full)
    assert refusal(lambda: put(ada)) == (503, "unavailable")
    assert (files_in(folder), Document.objects.count()) == ([], 0)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("../../x", "x"),
        ("C:\\Users\\ada\\notes.txt", "notes.txt"),
        ("a\0b.txt", "ab.txt"),
        ("evil\u202egnp.exe", "evilgnp.exe"),
        ("", "file"),
        ("...", "file"),
        ("<script>alert(1)</script>.txt", "script>.txt"),
        ("e\u0301.txt", "é.txt"),
    ],
)
def test_name_is_cleaned(given, kept):
    """U1, X1"""
    assert uploads.clean_name(given) == kept


def test_long_name_keeps_its_ending():
    """U1"""
    assert uploads.clean_name("x" * 300 + ".pdf") == "x" * 251 + ".pdf"


@hypothesis_settings(max_examples=50, deadline=None)
@given(st.text(max_size=400))
def test_any_name_becomes_one_that_can_be_stored(given):
    """U1"""
    name = uploads.clean_name(given)
    assert 0 < len(name) <= 255
    assert not {*"/\\\0\n\r\u202e\u2028"} & {*name}
    assert name not in (".", "..")
    name.encode()


class TestTheSameFile:
    def test_is_one_document(self, ada, put, folder):
        assert put(ada) == put(ada, name="again.md") == put(ada, in_library=False)
        assert len(files_in(folder)) == 1

    def test_of_somebody_else_is_theirs(self, ada, eve, put, folder):
        """A1: nobody learns that another has it."""
        assert put(ada) != put(eve)
        assert len(files_in(folder)) == 2

    def test_that_waits_to_be_sent_comes_to_the_library(self, ada, put):
        first = put(ada, in_library=False)
        second = put(ada)
        assert (first, second.in_library) == (second, True)

    def test_that_goes_with_another_conversation_is_a_document_of_its_own(self, ada, put):
        first = put(ada, in_library=False)
        Document.objects.update(session=Session.objects.create(owner=ada, key="s"))
        assert put(ada, in_library=False) != first

    def test_that_could_not_be_read_is_tried_anew(self, ada, put):
        document = put(ada)
        Document.objects.update(status="failed", problem="too_slow", attempt=1)
        put(ada)
        document.refresh_from_db()
        assert (document.status, document.problem, document.attempt) == ("waiting", "", 0)


class TestWhatOnePersonMayKeep:
    @pytest.fixture
    def limits(self, settings):
        def limit(**most):
            settings.UPLOADS = settings.UPLOADS | most

        return limit

    def test_ends_at_a_number_of_files(self, ada, put, limits, folder):
        limits(files_per_person=4)
        for number in range(4):
            put(ada, f"notes {number}".encode())
        assert refusal(lambda: put(ada, b"one more")) == (413, "too_large")
        assert put(ada, b"notes 3").pk
        assert len(files_in(folder)) == Document.objects.count() == 4

    def test_ends_at_a_number_of_bytes(self, ada, eve, put, limits):
        limits(bytes_per_person=100)
        put(ada, b"a" * 60)
        assert refusal(lambda: put(ada, b"b" * 60)) == (413, "too_large")
        assert put(eve, b"b" * 60).pk

    def test_waits_while_too_much_is_unread(self, ada, put, limits):
        limits(unread_per_person=1)
        put(ada)
        assert refusal(lambda: put(ada, b"another")) == (429, "rate_limited")
        Document.objects.update(status="ready")
        assert put(ada, b"another").pk


def test_what_was_never_sent_goes_after_a_day(ada, put, django_capture_on_commit_callbacks, folder):
    kept, sent, unsent = put(ada), put(ada, b"sent", in_library=False), put(ada, b"unsent", in_library=False)
    Document.objects.filter(pk=sent.pk).update(session=Session.objects.create(owner=ada, key="s"))
    assert delete_unsent() == 0
    Document.objects.update(created_at="2020-01-01T00:00:00Z")
    with django_capture_on_commit_callbacks(execute=True):
        assert delete_unsent() == 1
    assert {*Document.objects.all()} == {kept, sent}
    assert path_of(unsent) not in files_in(folder)


def test_files_that_no_row_names_go_in_time(ada, put, folder, monkeypatch):
    document = put(ada)
    stray = folder / document.stored_as[:2] / "stray"
    stray.write_bytes(b"x")
    document_files.remove_strays()
    assert stray.exists()
    monkeypatch.setattr(document_files, "STRAY_AFTER_S", -1)
    document_files.remove_strays()
    assert files_in(folder) == [path_of(document)]


class TestEveryAddressThatTakesFiles:
    """U1: a new one fails here until it goes through `uploads.take`."""

    def addresses(self, patterns=None, before=""):
        for each in patterns or get_resolver().url_patterns:
            if isinstance(each, URLResolver):
                namespace = f"{each.namespace}:" if each.namespace else ""
                yield from self.addresses(each.url_patterns, before + namespace)
            elif each.name:
                yield before + each.name

    def files_let_in(self, name):
        request = RequestFactory().post("/", {"file": SimpleUploadedFile("a.txt", b"words")})
        request.resolver_match = resolve(reverse("library"))
        request.resolver_match.view_name = name
        return len(request.FILES)

    def test_is_known(self):
        every = {*self.addresses()}
        assert every >= upload_gate.UPLOAD_VIEWS
        assert {name for name in every if self.files_let_in(name)} == upload_gate.UPLOAD_VIEWS

    def test_takes_none_before_it_is_known_where_it_goes(self):
        request = RequestFactory().post("/", {"file": SimpleUploadedFile("a.txt", b"words")})
        assert not request.FILES

    @pytest.mark.parametrize("name", sorted(upload_gate.STORING_VIEWS))
    def test_hands_them_to_the_one_function(self, client, ada, monkeypatch, name):
        asked = []

        def take(person, file, *, in_library):
            asked.append((person, file.name))
            raise Rejection("unsupported_type", "No.", status=415)

        monkeypatch.setattr(uploads, "accept", take)
        client.force_login(ada)
        file = SimpleUploadedFile("a.txt", b"words")
        client.post(reverse(name), {"file": file}, headers={"Accept": "application/json"})
        assert asked == [(ada, "a.txt")]


@pytest.mark.parametrize("head", ['name="file"; filename=""', 'name="file"', 'name="other"; filename="a.txt"'])
def test_without_a_name_or_a_file_nothing_is_taken(client, ada, head):
    """U1"""
    client.force_login(ada)
    body = f"--b\r\nContent-Disposition: form-data; {head}\r\n\r\nwords\r\n--b--\r\n"
    response = client.post("/v2/attachments", body, content_type="multipart/form-data; boundary=b")
    assert response.status_code == 422
    assert not Document.objects.exists()


def test_api_answers_as_the_contract_says(client, ada, folder):
    client.force_login(ada)
    response = client.post("/v2/attachments", {"file": SimpleUploadedFile("notes.md", NOTES)})
    document = Document.objects.get()
    told = {"id": str(document.pk), "name": "notes.md", "media_type": "text/markdown", "size": len(NOTES)}
    assert (response.status_code, response.json()) == (201, told)
    unknown = client.post("/v2/attachments", {"file": SimpleUploadedFile("a", b"b"), "user_id": "1"})
    assert (unknown.status_code, [*unknown.json()["error"]["fields"]]) == (422, ["user_id"])


def test_plain_form_takes_several_and_says_what_became_of_each(client, ada, put):
    client.force_login(ada)
    folder = Folder.objects.create(owner=ada, name="Maths")
    files = [SimpleUploadedFile("good.txt", b"words"), SimpleUploadedFile("bad.svg", b"<svg/>")]
    page = client.post("/library/", {"file": files, "folder": folder.pk}, follow=True).content.decode()
    assert "good.txt is in your library." in page
    assert "bad.svg was not added. This type of file is not supported." in page
    assert Document.objects.get().folder == folder
    for content, status in ((b"", 400), (b"<svg/>", 415)):
        assert client.post("/library/", {"file": SimpleUploadedFile("a.txt", content)}).status_code == status


@pytest.mark.django_db(transaction=True)
def test_the_same_file_from_two_sides_at_once_is_one_document(ada, put, folder):
    threads = [threading.Thread(target=lambda: (put(ada), connections.close_all())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Document.objects.count() == len(files_in(folder)) == 1


def test_the_same_file_again_replaces_one_that_the_store_has_lost(ada, put, folder):
    first = put(ada)
    content = document_files.content_of(first)
    document_files.remove(first.stored_as)
    again = put(ada)
    assert again.pk == first.pk
    assert document_files.content_of(Document.objects.get()) == content
    assert len(files_in(folder)) == 1


def test_pictures_of_one_person_leave_room_for_those_of_another(ada, eve, grace, put, monkeypatch):
    """U2: one of a person's is written anew at a time, whatever else they send."""
    monkeypatch.setattr(uploads, "PATIENCE_S", 0)
    with uploads._picture_slot(ada.pk):
        with pytest.raises(Rejection) as refused:
            put(ada, picture())
        assert refused.value.status == 503
        assert put(eve, picture()).is_picture
        with uploads._picture_slot(eve.pk), pytest.raises(Rejection):
            put(grace, picture())
    assert put(ada, picture()).is_picture
