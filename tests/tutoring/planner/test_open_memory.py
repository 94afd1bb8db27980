"""Notes on an OpenMemory server: a copy for those who agreed, kept apart by person and workspace."""

import pytest
from django.utils import timezone

from tests.tutoring.planner.memory_server import memory_server
from tests.tutoring.planner.pages.planner_rows import add_note
from tutoring.models import Note
from tutoring.planner import open_memory
from tutoring.planner.open_memory import MemoryServerFailed, copy_notes, found_outside, list_memories, user_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def memory(settings):
    with memory_server() as memory:
        settings.OPENMEMORY_URL, settings.OPENMEMORY_API_KEY = memory.url, "key"
        yield memory


def contents(memory):
    return sorted(each["content"] for each in memory.memories.values())


def test_a_note_is_copied_once_with_the_key(memory, ben):
    add_note(ben, "Grandma likes tulips.")
    copy_notes()
    copy_notes()
    assert contents(memory) == ["Grandma likes tulips."]
    assert set(memory.keys) == {"Bearer key"}
    assert list_memories(user_of(ben, "personal")) == [Note.objects.get().outside_id]


def test_nothing_leaves_without_consent(memory, ada):
    add_note(ada, "Grandma likes tulips.")
    copy_notes()
    assert (memory.memories, memory.keys) == ({}, [])
    assert found_outside(ada, "personal", "tulips") == []


def test_nothing_is_asked_without_a_server(settings, ben):
    settings.OPENMEMORY_URL = ""
    add_note(ben, "Grandma likes tulips.")
    copy_notes()
    assert Note.objects.get().outside_id == ""


def test_a_changed_note_replaces_its_copy(memory, ben):
    note = add_note(ben, "Grandma likes tulips.")
    copy_notes()
    note.text = "Grandma likes roses."
    note.save(update_fields=["text", "updated_at"])
    copy_notes()
    assert contents(memory) == ["Grandma likes roses."]


def test_a_deleted_note_goes_when_its_deletion_is_not_undone(memory, ben):
    note = add_note(ben, "Grandma likes tulips.")
    copy_notes()
    Note.objects.filter(pk=note.pk).update(removed_at=timezone.now())
    copy_notes()
    assert len(memory.memories) == 1
    Note.objects.filter(pk=note.pk).update(removed_at=timezone.now() - 2 * open_memory.FORGOTTEN_AFTER)
    copy_notes()
    assert memory.memories == {}


def test_withdrawing_consent_removes_the_copies(memory, ben):
    add_note(ben, "Grandma likes tulips.")
    copy_notes()
    ben.set_consent(False)
    ben.save()
    copy_notes()
    assert memory.memories == {}


def test_the_page_shows_what_the_server_finds(memory, client, ben, eve):
    add_note(ben, "Oma mag Tulpen.")
    add_note(eve, "Eve mag Tulpen.")
    copy_notes()
    client.force_login(ben)
    page = client.get("/planner/notes/", {"q": "tulpen"})
    assert [each.text for each in page.context["notes"]] == ["Oma mag Tulpen."]


def test_an_id_of_somebody_elses_note_shows_nothing(memory, client, ben, eve):
    hers = add_note(eve, "Secret tulips")
    Note.objects.filter(pk=hers.pk).update(outside_id="mem-9")
    memory.memories["mem-9"] = {"content": "Secret zebra", "user_id": user_of(ben, "personal")}
    client.force_login(ben)
    assert list(client.get("/planner/notes/", {"q": "zebra"}).context["notes"]) == []


@pytest.mark.parametrize(
    ("status", "garbage"), [(500, None), (302, None), (200, b"<html>"), (200, b"[]"), (200, b"x" * 1_100_000)]
)
def test_a_server_that_fails_costs_nothing(memory, client, ben, status, garbage):
    note = add_note(ben, "Grandma likes tulips.")
    memory.status, memory.garbage = status, garbage
    copy_notes()
    note.refresh_from_db()
    assert note.outside_id == ""
    client.force_login(ben)
    assert client.get("/planner/notes/", {"q": "tulips"}).status_code == 200
    with pytest.raises(MemoryServerFailed):
        list_memories("x")


def test_a_note_that_is_gone_there_can_be_deleted(memory, ben):
    add_note(ben, "Grandma likes tulips.")
    copy_notes()
    memory.memories.clear()
    Note.objects.update(removed_at=timezone.now() - 2 * open_memory.FORGOTTEN_AFTER)
    copy_notes()
    assert Note.objects.get().outside_id == ""
