"""Changes of planner rows: recorded, undone, made once; and workspaces that are nobody else's."""

from datetime import UTC, date, datetime, timedelta

import pytest

from tests import people
from tutoring.models import CalendarEvent, Classroom, Membership, PlannerChange, Task, Workspace
from tutoring.planner.records import events, meals, notes, search, tasks
from tutoring.planner.records.changes import (
    TooManyRows,
    change_of_use,
    change_rows,
    latest_change,
    undo_change,
    undo_turns,
)
from tutoring.planner.records.limits import PAGE_SIZE
from tutoring.planner.records.workspaces import workspace_for, workspaces_of

pytestmark = pytest.mark.django_db

START = datetime(2026, 12, 1, 16, 0, tzinfo=UTC)


@pytest.fixture
def ada():
    return people.make_ada()


@pytest.fixture
def space(ada):
    return workspace_for(ada)


def made(ada, space, title, **fields):
    with change_rows(ada, space) as recorder:
        row = tasks.create_task(recorder, title=title, **fields)
        recorder.words = f"{title} is on your list."
    return row, recorder.change_id


def test_undo_takes_back_what_was_made_and_brings_back_what_was_removed(ada, space):
    row, change = made(ada, space, "Essay")
    assert undo_change(ada, space, change).words == "Essay is on your list."
    assert not Task.objects.inside(space).exists()
    row, _change = made(ada, space, "Poster", parts=["Title", "Colors"])
    with change_rows(ada, space) as recorder:
        tasks.remove_task(recorder, row)
    assert not Task.objects.inside(space).exists()
    undo_change(ada, space, recorder.change_id)
    assert {each.title for each in Task.objects.inside(space)} == {"Poster", "Title", "Colors"}


def test_undo_restores_days_and_keeps_what_was_changed_since(ada, space):
    row, _change = made(ada, space, "Essay", due_on=date(2026, 12, 1), priority=1)
    with change_rows(ada, space) as recorder:
        recorder.update(tasks.locked_tasks(space, [row.pk])[0], due_on=date(2026, 12, 4), priority=3)
    Task.objects.filter(pk=row.pk).update(priority=2)
    undo_change(ada, space, recorder.change_id)
    row.refresh_from_db()
    assert (row.due_on, row.priority) == (date(2026, 12, 1), 2)


def test_undoing_twice_undoes_once(ada, space):
    _row, change = made(ada, space, "Essay")
    made(ada, space, "Poster")
    undo_change(ada, space, change)
    undo_change(ada, space, change)
    assert [each.title for each in Task.objects.inside(space)] == ["Poster"]
    assert latest_change(ada, space).words == "Poster is on your list."


def test_stranger_undoes_nothing(ada, space):
    eve = people.make_eve()
    _row, change = made(ada, space, "Essay")
    assert undo_change(eve, space, change) is None
    assert undo_change(eve, workspace_for(eve), change) is None
    assert undo_change(ada, space, "no-uuid") is None
    assert Task.objects.inside(space).count() == 1


def test_change_without_rows_is_not_stored(ada, space):
    row, _change = made(ada, space, "Essay")
    with change_rows(ada, space) as recorder:
        recorder.update(row, title="Essay")
    assert (recorder.change_id, PlannerChange.objects.count()) == ("", 1)


def test_failed_action_changes_nothing(ada, space):
    def fail() -> None:
        with change_rows(ada, space) as recorder:
            tasks.create_task(recorder, title="Essay")
            raise ValueError

    with pytest.raises(ValueError):  # noqa: PT011
        fail()
    assert not Task.objects.exists()


def test_use_of_a_tool_is_found_again(ada, space):
    with change_rows(ada, space, use_key="turn:task:create_task:1") as recorder:
        tasks.create_task(recorder, title="Essay")
        recorder.words = "Essay is on your list."
    assert change_of_use(ada, "turn:task:create_task:1").words == "Essay is on your list."
    assert change_of_use(people.make_eve(), "turn:task:create_task:1") is None
    assert change_of_use(ada, "") is None


def test_edited_message_takes_back_its_changes(ada, space):
    with change_rows(ada, space, use_key="3f2b:task:create_task:1") as recorder:
        tasks.create_task(recorder, title="Essay")
    made(ada, space, "Poster")
    undo_turns(ada.pk, ["3f2b"])
    assert [each.title for each in Task.objects.inside(space)] == ["Poster"]


def test_full_workspace_says_so(ada, space, monkeypatch):
    monkeypatch.setattr("tutoring.planner.records.changes.MOST_ROWS", 1)
    made(ada, space, "Essay")
    with pytest.raises(TooManyRows):
        made(ada, space, "Poster")


def test_ten_thousand_tasks_come_in_pages_the_first_due_first(ada, space):
    first = date(2026, 12, 1)
    Task.objects.bulk_create(
        Task(owner=ada, workspace=space, title=f"Task {number}", due_on=first + timedelta(days=number % 900))
        for number in range(10_000)
    )
    page = tasks.list_tasks(space)
    assert (page.total, len(page.rows), page.rows[0].due_on) == (10_000, PAGE_SIZE, first)
    last = tasks.list_tasks(space, page=200)
    assert (len(last.rows), last.rows[-1].due_on) == (PAGE_SIZE, first + timedelta(days=899))
    assert search.rows_with_words(tasks.open_tasks(space), "task 9999")[0].title == "Task 9999"


# --- Workspaces ---


def test_personal_workspace_and_those_of_classes_are_made_when_asked_for(ada):
    classroom = Classroom.objects.create(code="4b", name="Class 4b")
    Membership.objects.create(classroom=classroom, person=ada)
    assert [each.key for each in workspaces_of(ada)] == ["personal", "class-4b"]
    assert workspace_for(ada, "CLASS-4B").classroom == classroom
    assert workspace_for(ada, "class-4b") == workspace_for(ada, "class-4b")


@pytest.mark.parametrize("key", ["class-4b", "unknown", "class-", "../personal"])
def test_workspace_of_others_or_nobody_does_not_exist(ada, key):
    Classroom.objects.create(code="4b", name="Class 4b")
    with pytest.raises(Workspace.DoesNotExist):
        workspace_for(ada, key)


def test_rows_of_another_workspace_are_not_seen(ada, space):
    other = Workspace.objects.create(owner=ada, key="club", title="Club")
    row, _change = made(ada, other, "Chess set")
    assert tasks.list_tasks(space).total == 0
    assert tasks.locked_tasks(space, [row.pk]) == []
    assert search.find_rows(tasks.tasks_named(space), "chess set") == []


# --- Search ---


def test_rows_are_found_by_words_by_meaning_and_merged(ada, space):
    for title in ("Dentist appointment", "Buy milk", "Math worksheet"):
        made(ada, space, title)
    rows = tasks.tasks_named(space)
    assert [each.row.title for each in search.find_rows(rows, "dentist", mode="words")] == ["Dentist appointment"]
    near = search.find_rows(rows, "appointment with the dentist", mode="meaning")
    assert near[0].row.title == "Dentist appointment"
    merged = search.find_rows(rows, "appointment with the dentist")
    assert [each.row.title for each in merged].count("Dentist appointment") == 1
    assert merged[0].by == "both"


def test_best_of_several_names_is_meant(ada, space):
    for title in ("Math homework", "Math worksheet", "History homework"):
        made(ada, space, title)
    rows = tasks.tasks_named(space)
    assert [each.title for each in search.rows_with_words(rows, "math homework")] == ["Math homework"]
    assert len(search.rows_with_words(rows, "homework")) == 2
    assert [each.title for each in search.rows_with_words(rows, "history")] == ["History homework"]
    assert search.rows_with_words(rows, "piano") == []


def test_note_is_recalled_by_meaning(ada, space):
    text = "My locker code is 4512"
    embedding = notes.embedding_of(text)
    with change_rows(ada, space) as recorder:
        notes.create_note(recorder, text, embedding=embedding)
    (found,) = notes.recall_notes(space, "combination of my locker")
    assert found.row.text == text


# --- Events and meals ---


def football(ada, space):
    with change_rows(ada, space) as recorder:
        return events.create_event(
            recorder,
            title="Football",
            start=START,
            end=START + timedelta(hours=1),
            zone="UTC",
            rule="FREQ=WEEKLY;BYDAY=TU,TH",
        )


def test_one_occurrence_is_cancelled_or_moved_and_undone(ada, space):
    row = football(ada, space)
    week = START - timedelta(days=1), START + timedelta(days=6)
    thursday = START + timedelta(days=2)
    with change_rows(ada, space) as recorder:
        events.cancel_event(recorder, events.locked_event(space, row.pk), occurrence=thursday)
    assert [each.start for each in events.events_between(space, *week)] == [START]
    undo_change(ada, space, recorder.change_id)
    assert len(events.events_between(space, *week)) == 2
    with change_rows(ada, space) as recorder:
        later = thursday + timedelta(hours=2)
        events.move_event(
            recorder,
            events.locked_event(space, row.pk),
            start=later,
            end=later + timedelta(hours=1),
            occurrence=thursday,
        )
    assert [each.start for each in events.events_between(space, *week)] == [START, later]
    undo_change(ada, space, recorder.change_id)
    assert [each.start for each in events.events_between(space, *week)] == [START, thursday]


def test_conflicts_with_a_recurring_event_are_found(ada, space):
    football(ada, space)
    with change_rows(ada, space) as recorder:
        start = START + timedelta(days=9, minutes=30)
        piano = events.create_event(recorder, title="Piano", start=start, end=start + timedelta(hours=1), zone="UTC")
    assert [each.event.title for each in events.conflicts_of(space, piano, now=START)] == ["Football"]
    (pair,) = events.all_conflicts(space, START, START + timedelta(days=14))
    assert {each.event.title for each in pair} == {"Football", "Piano"}


def test_cancelled_series_takes_its_moved_occurrences_along(ada, space):
    row = football(ada, space)
    with change_rows(ada, space) as recorder:
        events.move_event(
            recorder, events.locked_event(space, row.pk), start=START, end=START + timedelta(hours=2), occurrence=START
        )
    with change_rows(ada, space) as recorder:
        events.cancel_event(recorder, events.locked_event(space, row.pk))
    assert not CalendarEvent.objects.inside(space).exists()


def test_meals_are_counted_and_suggested_by_what_was_liked(ada, space):
    for days, foods, rating in (
        (9, ["pasta"], 5),
        (8, ["soup"], 1),
        (7, ["rice"], None),
        (6, ["pasta"], None),
        (0, ["pizza"], 5),
    ):
        with change_rows(ada, space) as recorder:
            at = START - timedelta(days=days, hours=1)
            meals.create_meal(recorder, foods=foods, kind="lunch", eaten_at=at, rating=rating)
    found = meals.meal_patterns(space, now=START, target="pasta")
    assert (found.meals, found.foods[0], found.of_target) == (5, ("pasta", 2), 2)
    assert meals.suggested_meals(space, now=START) == [("pasta",), ("rice",), ("pizza",)]
