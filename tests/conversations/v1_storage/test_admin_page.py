"""The admin sees how far the move from v1 is, and gives conversations without an owner to people."""

import pytest
from django.contrib.admin.models import LogEntry
from django.urls import reverse

from conversations.models import Capture, Message, Turn, V1Import
from tests.conversations.v1_storage.v1_helpers import imported, row, texts_of, v1_file, verified

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("host")]
PAGE = "/admin/conversations/v1import/"


@pytest.fixture
def admin(client, root):
    client.force_login(root)
    return client


def words_of(response):
    return " ".join(response.content.decode().split())


def test_empty_page_says_how_to_import(admin):
    page = words_of(admin.get(PAGE))
    assert "Nothing has been imported yet." in page
    assert "manage.py import_v1 FILE --owner NAME" in page
    assert "v1’s storage is empty." in page


def test_page_shows_imports_with_counts_and_verification(admin, ada, tmp_path):
    path = v1_file(tmp_path, row(1), row(2, None, None), row(3, session="t"))
    imported(path, s=ada)
    assert "not verified" in words_of(admin.get(PAGE))
    verified(path)
    page = words_of(admin.get(PAGE))
    assert "3 of 3 rows" in page
    assert '<span class="good">equal</span>' in page
    Message.objects.update(text="changed")
    verified(path)
    assert "1 row differs" in words_of(admin.get(PAGE))
    one = words_of(admin.get(reverse("admin:conversations_v1import_one", args=[V1Import.objects.get().pk])))
    assert "neither user_text nor agent_text: 1 (1 rejected)" in one
    assert "user_text differs in v2&#x27;s storage" in one
    assert "Is a half more?" not in one + page


def test_unfinished_import_says_how_to_go_on(admin, ada):
    V1Import.objects.create(digest="0" * 64, name="v1.sqlite3", total=100, handled=40)
    assert "Running. Reload the page" in words_of(admin.get(PAGE))
    V1Import.objects.update(updated_at="2025-01-01T00:00:00Z")
    assert "To continue, run the command again." in words_of(admin.get(PAGE))


def test_orphans_are_assigned(admin, ada, tmp_path):
    imported(v1_file(tmp_path, row(1), row(2)))
    assert "Nobody can read this conversation until you assign it to a person." in words_of(admin.get(PAGE))
    wrong = admin.post(PAGE + "assign/", {"session_id": "s", "owner": "nobody"})
    assert wrong.status_code == 422
    assert "There is no person with the username “nobody”." in words_of(wrong)
    done = admin.post(PAGE + "assign/", {"session_id": "s", "owner": "ada"}, follow=True)
    assert "2 message pairs of “s” now belong to ada." in words_of(done)
    assert len(texts_of(ada)) == 2
    assert "s: 2 exchanges assigned" in LogEntry.objects.get().change_message
    again = admin.post(PAGE + "assign/", {"session_id": "s", "owner": "ada"}, follow=True)
    assert "Someone else has assigned this conversation in the meantime." in words_of(again)


@pytest.mark.parametrize("fields", [{}, {"session_id": "s"}, {"owner": "ada"}, {"session_id": "s", "owner": "a\x00"}])
def test_unreadable_forms_are_refused(admin, ada, fields):
    assert admin.post(PAGE + "assign/", fields).status_code == 422


def test_divergence_is_shown_and_repaired(admin, ada, tmp_path):
    imported(v1_file(tmp_path, row(1)), ada)
    assert "Both stores contain the same messages." in words_of(admin.get(PAGE))
    Capture.objects.update(turn=None)
    Turn.objects.all().delete()
    page = words_of(admin.get(PAGE))
    assert '<dt>Divergence</dt><dd class="bad">1</dd>' in page
    done = admin.post(PAGE + "reconcile/", follow=True)
    assert "Copied: 1. Failed: 0." in words_of(done)
    assert '<dt>Divergence</dt><dd class="good">0</dd>' in words_of(done)


def test_metrics_tell_the_divergence(admin, ada, tmp_path):
    """R4: the counter is visible"""
    imported(v1_file(tmp_path, row(1)), ada)
    Capture.objects.update(turn=None)
    assert b"learnagent_storage_divergence 1.0" in admin.get("/metrics").content


def test_names_of_files_and_sessions_are_shown_as_text(admin, tmp_path):
    """X1"""
    imported(v1_file(tmp_path, row(1, session="<b>s"), name="<i>v1.sqlite3"))
    page = admin.get(PAGE).content
    assert b"<b>s" not in page
    assert b"<i>v1" not in page
