"""Prompts on the admin pages: seen, set, compared, restored, by admins alone."""

import pytest
from django.urls import reverse

from agents.engine import registry
from agents.models import PromptVersion
from agents.prompts.versions import newest_version, restore_version, set_prompt, text_in_force

pytestmark = pytest.mark.django_db

LIST = reverse("admin:agents_promptversion_changelist")
PAGE = reverse("admin:agents_prompt", args=["tutor"])
RESTORE = reverse("admin:agents_prompt_restore", args=["tutor"])
FILE = registry.roles["tutor"].prompt.text


@pytest.fixture
def as_root(client, root):
    client.force_login(root)
    return client


def draft(text, *, version_read=0, note=""):
    return {"text": text, "note": note, "version_read": version_read}


def page(response):
    return response.content.decode()


def test_the_list_has_every_prompt_and_what_is_in_force(as_root, root):
    set_prompt("quiz", "Ask.", version_read=0, by=root, note="shorter")
    shown = page(as_root.get(LIST))
    assert all(reverse("admin:agents_prompt", args=[name]) in shown for name in ("tutor", "quiz", "feedback"))
    assert shown.count("the original file") == len(registry_prompts()) - 1
    assert "version 1" in shown
    assert "shorter" in shown


def registry_prompts():
    return {role.prompt.name for role in registry.roles.values() if role.prompt}


def test_the_page_holds_the_text_in_force(as_root):
    assert FILE.splitlines()[0][:40] in page(as_root.get(PAGE))
    set_prompt("tutor", "Teach <b>halves</b>.", version_read=0)
    shown = page(as_root.get(PAGE))
    assert "Teach &lt;b&gt;halves&lt;/b&gt;." in shown
    assert "<b>halves" not in shown


def test_a_text_is_saved_with_who_and_why(as_root, root):
    response = as_root.post(PAGE, draft("Teach.\r\nKindly.\r\n", note="shorter"), follow=True)
    version = newest_version("tutor")
    assert (version.text, version.by, version.note) == ("Teach.\nKindly.", root, "shorter")
    assert "Saved." in page(response)


def test_the_file_saved_as_browsers_send_it_changes_nothing(as_root):
    as_root.post(PAGE, draft(FILE.replace("\n", "\r\n")))
    assert not PromptVersion.objects.exists()


@pytest.mark.parametrize("text", ["", "   ", "a\x00b", "x" * 8_001, "y\n" * 4_001])
def test_a_wrong_text_comes_back_as_it_was_typed(as_root, text):
    response = as_root.post(PAGE, draft(text, note="my note"))
    assert response.status_code == 422
    assert "my note" in page(response)
    assert response.context["form"]["text"].value() == text
    assert not PromptVersion.objects.exists()


@pytest.mark.parametrize("version_read", ["", "x", "-1", str(2**70)])
def test_a_form_without_its_version_is_refused(as_root, version_read):
    assert as_root.post(PAGE, draft("Teach.", version_read=version_read)).status_code == 422
    assert not PromptVersion.objects.exists()


def test_the_second_of_two_editors_loses_nothing(as_root):
    set_prompt("tutor", "Theirs is here.", version_read=0)
    response = as_root.post(PAGE, draft("Mine is here.", note="my note"))
    assert response.status_code == 409
    assert text_in_force("tutor") == "Theirs is here."
    assert "<del>Theirs</del><ins>Mine</ins> is here." in page(response)
    form = response.context["form"]
    again = {name: form[name].value() for name in form.fields}
    assert (again["text"], again["note"]) == ("Mine is here.", "my note")
    assert as_root.post(PAGE, again).status_code == 302
    assert text_in_force("tutor") == "Mine is here."


def test_two_versions_are_compared(as_root):
    set_prompt("tutor", "Teach <halves>.", version_read=0)
    set_prompt("tutor", "Teach all <halves>.", version_read=1)
    shown = page(as_root.get(PAGE, {"before": 1, "after": 2}))
    assert "Teach <ins>all </ins>&lt;halves&gt;." in shown
    assert "<del>" in page(as_root.get(PAGE, {"before": 0, "after": 2})).partition('class="differences"')[2]


@pytest.mark.parametrize("query", [{"before": 1, "after": 7}, {"before": "x"}, {"before": 2**70, "after": 0}])
def test_versions_that_are_not_there_cannot_be_compared(as_root, query):
    set_prompt("tutor", "Teach.", version_read=0)
    response = as_root.get(PAGE, query)
    assert response.status_code == 200
    assert 'class="differences"' not in page(response)


def test_an_earlier_version_is_restored(as_root, root):
    set_prompt("tutor", "One.", version_read=0)
    set_prompt("tutor", "Two.", version_read=1)
    response = as_root.post(RESTORE, {"number": 1, "version_read": 2}, follow=True)
    assert text_in_force("tutor") == "One."
    assert newest_version("tutor").by == root
    assert "Restored version 1." in page(response)


def test_the_file_is_used_again(as_root):
    set_prompt("tutor", "One.", version_read=0)
    response = as_root.post(RESTORE, {"number": 0, "version_read": 1}, follow=True)
    assert text_in_force("tutor") == FILE.strip()
    assert "The text from the original file is in use." in page(response)


def test_nothing_is_restored_over_somebody_elses_change(as_root):
    set_prompt("tutor", "One.", version_read=0)
    set_prompt("tutor", "Two.", version_read=1)
    assert as_root.post(RESTORE, {"number": 0, "version_read": 1}).status_code == 409
    assert text_in_force("tutor") == "Two."


@pytest.mark.parametrize(("number", "status"), [(7, 404), ("x", 422), (-1, 422), (2**70, 422), ("", 422)])
def test_what_was_never_a_version_is_not_restored(as_root, number, status):
    assert as_root.post(RESTORE, {"number": number, "version_read": 0}).status_code == status


def test_a_version_that_was_the_file_cannot_be_restored_as_a_text(as_root):
    set_prompt("tutor", "One.", version_read=0)
    restore_version("tutor", 0, version_read=1)
    assert as_root.post(RESTORE, {"number": 2, "version_read": 2}).status_code == 404


@pytest.mark.parametrize("address", ["admin/agents/promptversion/nobody/", "admin/agents/promptversion/add/"])
def test_prompts_that_no_role_has_are_not_there(as_root, address):
    assert as_root.get(f"/{address}").status_code == 404
    assert as_root.post(f"/{address}restore/", {"number": 0, "version_read": 0}).status_code == 404


@pytest.mark.parametrize("name", ["eve", "grace"])
def test_nobody_but_admins_finds_the_pages(client, eve, grace, name):
    """A1"""
    client.force_login({"eve": eve, "grace": grace}[name])
    assert [client.get(address).status_code for address in (LIST, PAGE)] == [404, 404]
    assert client.post(PAGE, draft("Mine.")).status_code == 404
    assert client.post(RESTORE, {"number": 0, "version_read": 0}).status_code == 404
    assert not PromptVersion.objects.exists()
