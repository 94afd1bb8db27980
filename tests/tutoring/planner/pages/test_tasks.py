"""Tasks: in groups, as checklists, filtered, and quick with ten thousand of them."""

import re
from datetime import timedelta

import pytest

from tests.tutoring.planner.pages.planner_rows import add_task, at, told, undo
from tutoring.models import Task
from tutoring.planner.records.workspaces import workspace_for

pytestmark = pytest.mark.django_db

TODAY = at(25).date()


def listed(page):
    """Return the groups of a page with the titles in them."""
    groups = re.findall(r'<h2 id="group-(\w+)".*?(?=<h2|<footer|$)', page.text, re.DOTALL)
    parts = re.split(r'<h2 id="group-\w+"', page.text)[1:]
    titles = [re.findall(r'class="task-body"><a [^>]*><bdi>(.*?)</bdi>', part) for part in parts]
    return dict(zip(groups, titles, strict=True))


class TestTheList:
    def test_is_grouped_by_when_tasks_are_due(self, client, learner):
        add_task(learner, "late", due_on=TODAY - timedelta(days=3))
        add_task(learner, "missed at ten", due_on=TODAY, due_at=at(25, 10))
        add_task(learner, "today", due_on=TODAY)
        add_task(learner, "sunday", due_on=TODAY + timedelta(days=4))
        add_task(learner, "monday", due_on=TODAY + timedelta(days=5))
        add_task(learner, "some day")
        add_task(learner, "finished", done_at=at(24))
        assert listed(client.get("/planner/tasks/")) == {
            "overdue": ["late", "missed at ten"],
            "today": ["today"],
            "week": ["sunday"],
            "later": ["monday"],
            "none": ["some day"],
            "done": ["finished"],
        }

    def test_counts_what_is_in_a_group_beyond_the_page(self, client, learner):
        workspace = workspace_for(learner)
        rows = [Task(owner=learner, workspace=workspace, title=f"t{n}", due_on=TODAY) for n in range(70)]
        Task.objects.bulk_create(rows)
        page = client.get("/planner/tasks/")
        assert re.search(r'id="group-today">Today <span class="tiny number">70</span>', page.text)
        assert "Page 1 of 2" in page.text

    def test_ten_thousand_take_as_many_queries_as_a_hundred(self, client, learner, django_assert_max_num_queries):
        workspace = workspace_for(learner)
        rows = [
            Task(owner=learner, workspace=workspace, title=f"Task {n}", due_on=TODAY + timedelta(days=n % 60 - 10))
            for n in range(10_000)
        ]
        Task.objects.bulk_create(rows)
        for query in ("", "?page=200", "?q=Task+99", "?sort=title", "?page=999999", "?page=-1"):
            with django_assert_max_num_queries(20):
                assert client.get(f"/planner/tasks/{query}").status_code == 200
        with django_assert_max_num_queries(30):
            assert client.get("/planner/week/").status_code == 200

    def test_is_sorted_and_filtered(self, client, learner):
        add_task(learner, "b", priority=1, due_on=TODAY)
        add_task(learner, "a", priority=3, kind="homework", notes="chapter four")
        assert listed(client.get("/planner/tasks/?sort=priority"))["all"] == ["a", "b"]
        assert listed(client.get("/planner/tasks/?sort=title"))["all"] == ["a", "b"]
        assert listed(client.get("/planner/tasks/?kind=homework")) == {"none": ["a"]}
        assert listed(client.get("/planner/tasks/?q=Chapter")) == {"none": ["a"]}
        assert "No task fits" in client.get("/planner/tasks/?q=zebra").text
        assert client.get("/planner/tasks/?sort=evil&kind=evil&show=evil").status_code == 200

    def test_subtasks_are_a_checklist_of_their_task(self, client, learner):
        task = add_task(learner, "Poster")
        add_task(learner, "Print", parent=task)
        add_task(learner, "Glue", parent=task, done_at=at(24))
        page = client.get("/planner/tasks/")
        assert listed(page) == {"none": ["Poster"]}
        assert "1 of 2 parts done" in page.text


class TestWhatIsDone:
    def test_a_tick_is_told_and_can_be_undone(self, client, learner):
        task = add_task(learner, "Poster")
        part = add_task(learner, "Print", parent=task)
        page = client.post(f"/planner/tasks/{task.pk}/done/", {"next": "/planner/tasks/"}, follow=True)
        assert told(page) == "Done: Poster. Undo"
        assert not Task.objects.filter(done_at=None).exists()
        undo(client, page)
        assert set(Task.objects.filter(done_at=None)) == {task, part}

    def test_a_second_tick_opens_it_again(self, client, learner):
        task = add_task(learner, "Poster", done_at=at(24))
        client.post(f"/planner/tasks/{task.pk}/done/")
        task.refresh_from_db()
        assert task.done_at is None

    def test_a_part_is_added(self, client, learner):
        task = add_task(learner, "Poster")
        client.post(f"/planner/tasks/{task.pk}/parts/", {"title": "  Print   it "})
        client.post(f"/planner/tasks/{task.pk}/parts/", {"title": "  "})
        assert [each.title for each in task.subtasks.all()] == ["Print it"]

    def test_a_part_has_no_parts(self, client, learner):
        part = add_task(learner, "Print", parent=add_task(learner, "Poster"))
        client.post(f"/planner/tasks/{part.pk}/parts/", {"title": "Paper"})
        assert not part.subtasks.exists()

    def test_deleting_takes_the_parts_along_and_undo_brings_them_back(self, client, learner):
        task = add_task(learner, "Poster")
        add_task(learner, "Print", parent=task)
        answer = client.post(f"/planner/tasks/{task.pk}/delete/")
        assert not Task.objects.kept().exists()
        undo(client, answer)
        assert Task.objects.kept().count() == 2


class TestTheForm:
    FIELDS = {"title": "Sheet 6", "kind": "homework", "priority": "3"}

    def test_saves_every_field(self, client, learner):
        task = add_task(learner, "Sheet 5")
        fields = self.FIELDS | {"due_on": "2026-11-29", "due_time": "16:00", "remind_on": "2026-11-28"}
        client.post(f"/planner/tasks/{task.pk}/", fields | {"remind_time": "09:00", "notes": "pages 3 to 5"})
        task.refresh_from_db()
        assert (task.title, task.kind, task.priority, task.notes) == ("Sheet 6", "homework", 3, "pages 3 to 5")
        assert (task.due_on, task.due_at, task.remind_at) == (at(29).date(), at(29, 16), at(28, 9))

    def test_shows_what_it_saved_by_the_persons_clock(self, client, learner):
        learner.zone = "Europe/Vienna"
        learner.save()
        task = add_task(learner, "Sheet 6", due_on=TODAY, due_at=at(25, 15))
        assert 'value="16:00"' in client.get(f"/planner/tasks/{task.pk}/").text

    @pytest.mark.parametrize(
        ("fields", "why"),
        [
            ({"title": ""}, "This field is required."),
            ({"title": "x" * 301}, "at most 300 characters"),
            ({"due_on": "2026-02-30"}, "Enter a valid date."),
            ({"due_on": "9999-01-01"}, "less than or equal to"),
            ({"due_time": "16:00"}, "Choose the day, too."),
            ({"remind_on": "2026-11-28"}, "Choose the time, too."),
            ({"priority": "9"}, "Select a valid choice."),
        ],
    )
    def test_says_what_is_wrong_and_changes_nothing(self, client, learner, fields, why):
        task = add_task(learner, "Sheet 5")
        page = client.post(f"/planner/tasks/{task.pk}/", self.FIELDS | fields)
        assert (page.status_code, why in page.text) == (422, True)
        task.refresh_from_db()
        assert task.title == "Sheet 5"

    def test_a_reminder_at_another_time_is_given_again(self, client, learner):
        task = add_task(learner, "Sheet 6", remind_at=at(24, 9), reminded_at=at(24, 9))
        fields = self.FIELDS | {"remind_on": "2026-11-28", "remind_time": "09:00"}
        client.post(f"/planner/tasks/{task.pk}/", fields)
        task.refresh_from_db()
        assert task.reminded_at is None
