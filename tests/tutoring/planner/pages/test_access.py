"""What is not the person's own, or is in another workspace, looks missing."""

import pytest

from tests.tutoring.planner.pages.planner_rows import add_event, add_meal, add_note, add_task, at
from tutoring.models import PlannerChange, PlannerSettings, Task, Workspace

pytestmark = pytest.mark.django_db

PAGES = ("", "week/", "tasks/", "meals/", "notes/", "settings/")


@pytest.fixture
def rows(learner):
    """A task, an event, a meal and a note of Ben's, with their addresses below /planner/."""
    task, event = add_task(learner, "Sheet 6"), add_event(learner, "Choir", at(26, 17))
    meal, note = add_meal(learner, "pasta", eaten_at=at(25, 12)), add_note(learner, "the blue card")
    return {
        f"tasks/{task.pk}/": ("", "done/", "delete/", "parts/", "move/"),
        f"events/{event.pk}/": ("", "move/", "delete/"),
        f"meals/{meal.pk}/": ("", "rate/", "delete/"),
        f"notes/{note.pk}/": ("", "delete/"),
    }


@pytest.mark.parametrize("page", PAGES)
def test_pages_are_for_people_who_are_signed_in(client, db, page):
    assert client.get(f"/planner/{page}").status_code == 302


@pytest.mark.parametrize("page", PAGES)
def test_an_empty_page_says_what_to_do(client, learner, page):
    assert client.get(f"/planner/{page}").status_code == 200


def test_a_stranger_gets_404_for_everything(client, rows, eve):
    client.force_login(eve)
    for row, actions in rows.items():
        assert client.get(f"/planner/{row}").status_code == 404
        for action in actions:
            assert client.post(f"/planner/{row}{action}").status_code == 404, row + action
    assert not PlannerChange.objects.filter(owner=eve).exists()


def test_rows_of_another_workspace_are_404(client, learner, rows):
    Workspace.objects.create(owner=learner, key="band", title="Band")
    for row in rows:
        assert client.get(f"/planner/{row}").status_code == 200
        assert client.get(f"/planner/{row}?workspace=band").status_code == 404


def test_a_foreign_or_unknown_workspace_is_404(client, learner, eve):
    Workspace.objects.create(owner=eve, key="hers", title="Hers")
    for key in ("hers", "nowhere", "class-9z", "' OR 1=1"):
        assert client.get("/planner/", {"workspace": key}).status_code == 404
        assert client.post("/planner/workspaces/switch/", {"to": key}).status_code == 404
        assert client.post("/planner/add/", {"workspace": key, "line": "Sheet 6"}).status_code == 404
    assert not Task.objects.exists()


def test_switching_shows_the_other_workspace_from_then_on(client, learner):
    add_task(learner, "Of mine", due_on=at(25).date())
    band = Workspace.objects.create(owner=learner, key="band", title="Band")
    client.post("/planner/workspaces/switch/", {"to": "band"})
    assert PlannerSettings.objects.get().workspace == band
    assert "Of mine" not in client.get("/planner/tasks/").text
    client.post("/planner/add/", {"line": "Tune the bass", "workspace": "band"})
    assert "Tune the bass" in client.get("/planner/tasks/").text
    assert "Tune the bass" not in client.get("/planner/tasks/?workspace=personal").text


def test_a_new_workspace_gets_a_key_of_its_own(client, learner):
    for title in ("Band", "Band", "class-4b", "Personal", "楽団"):
        client.post("/planner/workspaces/", {"title": title})
    keys = set(Workspace.objects.exclude(key="personal").values_list("key", flat=True))
    assert keys == {"band", "band-2", "my-class-4b", "personal-2", "workspace"}


def test_a_change_of_another_person_is_neither_told_nor_undone(client, learner, eve):
    add_event(learner, "Choir", at(26, 17))
    change = PlannerChange.objects.get()
    client.force_login(eve)
    assert "Choir" not in client.get(f"/planner/?change={change.pk}").text
    for wrong in (change.pk, "not-a-change"):
        assert client.post(f"/planner/undo/{wrong}/").status_code == 404
    change.refresh_from_db()
    assert change.undone_at is None


@pytest.mark.parametrize("to", ["https://evil.example/", "//evil.example", "javascript:alert(1)", "/accounts/erase/"])
def test_forms_lead_back_to_the_planner_only(client, learner, to):
    answer = client.post("/planner/add/", {"line": "Sheet 6", "next": to})
    assert answer.url.startswith("/planner/?change=")
