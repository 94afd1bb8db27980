"""Quick add: one line becomes an entry, which is told and can be undone; what is unclear is asked back."""

import pytest

from tests.tutoring.planner.pages.planner_rows import add_event, at, told, undo
from tutoring.models import CalendarEvent, Meal, Note, Task, WebhookDelivery

pytestmark = pytest.mark.django_db


def add(client, line, **fields):
    return client.post("/planner/add/", {"line": line, "next": "/planner/week/", **fields}, follow=True)


class TestWhatALineBecomes:
    def test_an_appointment(self, client, learner):
        page = add(client, "dentist tomorrow at 14:00")
        event = CalendarEvent.objects.get()
        assert (event.title, event.starts_at, event.ends_at) == ("Dentist", at(26, 14), at(26, 15))
        assert told(page) == "Added to your calendar: Dentist, Thursday 26 November at 14:00. Undo"

    def test_a_recurring_event(self, client, learner):
        add(client, "football every Tuesday and Thursday at five")
        event = CalendarEvent.objects.get()
        assert (event.title, event.rule, event.starts_at) == ("Football", "FREQ=WEEKLY;BYDAY=TU,TH", at(26, 17))

    def test_a_length_of_time(self, client, learner):
        add(client, "choir on Saturday at 17:00 for two hours")
        assert CalendarEvent.objects.get().ends_at == at(28, 19)

    def test_a_test_on_a_day(self, client, learner):
        add(client, "fractions test on Friday")
        event = CalendarEvent.objects.get()
        assert (event.kind, event.is_all_day, event.starts_at, event.ends_at) == ("test", True, at(27), at(28))

    def test_a_task_with_a_day(self, client, learner):
        add(client, "math homework by Sunday")
        task = Task.objects.get()
        assert (task.title, task.kind, task.due_on, task.due_at) == ("Math homework", "homework", at(29).date(), None)

    def test_importance_is_no_part_of_a_title(self, client, learner):
        add(client, "math homework is due on Sunday, important")
        task = Task.objects.get()
        assert (task.title, task.priority, task.due_on) == ("Math homework", 3, at(29).date())

    def test_studying_for_a_test_is_a_task(self, client, learner):
        add(client, "study for the test by Friday")
        assert Task.objects.get().title == "Study for the test"

    def test_a_task_without_a_time(self, client, learner):
        add(client, "call grandma")
        assert (Task.objects.get().title, Task.objects.get().due_on) == ("Call grandma", None)

    def test_a_reminder(self, client, learner):
        add(client, "remind me to bring my ruler tomorrow at 8")
        task = Task.objects.get()
        assert (task.title, task.kind, task.remind_at) == ("Bring my ruler", "reminder", at(26, 8))

    def test_a_reminder_for_a_day_comes_in_the_morning(self, client, learner):
        add(client, "remind me to bring my ruler tomorrow")
        assert Task.objects.get().remind_at == at(26, 8)

    def test_a_meal(self, client, learner):
        add(client, "lunch: pasta, salad and an apple")
        meal = Meal.objects.get()
        assert (meal.kind, meal.foods, meal.eaten_at) == ("lunch", ["pasta", "salad", "apple"], at(25, 12))

    def test_a_dinner_with_somebody_is_an_event_in_the_evening(self, client, learner):
        add(client, "dinner with Ana today at 7:30")
        assert (CalendarEvent.objects.get().title, CalendarEvent.objects.get().starts_at) == (
            "Dinner with Ana",
            at(25, 19, 30),
        )

    def test_a_note(self, client, learner):
        add(client, "note: football is on Tuesday at five")
        assert Note.objects.get().text == "football is on Tuesday at five"

    @pytest.mark.parametrize(("kind", "model"), [("task", Task), ("meal", Meal), ("note", Note)])
    def test_what_the_page_is_for(self, client, learner, kind, model):
        add(client, "soup", kind=kind)
        assert model.objects.count() == 1


class TestWhatIsAskedBack:
    @pytest.mark.parametrize(
        ("line", "why"),
        [
            ("meeting on 30 February at ten", "There is no 30 February."),
            ("", "Write what you want to add"),
            ("   ", "Write what you want to add"),
            ("tomorrow at five", "Write what it is, too"),
        ],
    )
    def test_keeps_the_line_and_stores_nothing(self, client, learner, line, why):
        page = add(client, line)
        assert page.status_code == 422
        assert why in page.text
        assert not any(model.objects.exists() for model in (Task, CalendarEvent, Meal, Note))

    def test_an_event_without_a_time_is_asked_for_one(self, client, learner):
        page = add(client, "choir", kind="event")
        assert (page.status_code, "Write when it is, too" in page.text) == (422, True)
        assert 'value="choir"' in page.text

    def test_hostile_words_stay_words(self, client, learner):
        page = add(client, "<script>alert(1)</script> tomorrow at 14:00")
        assert "<script>alert" not in page.text
        assert CalendarEvent.objects.count() == 1


def test_a_conflict_is_told(client, learner):
    add_event(learner, "Choir", at(28, 17))
    page = add(client, "swim on Saturday at 17:30")
    assert "It is at the same time as Choir." in told(page)


def test_undo_takes_it_back_and_says_so(client, learner):
    page = add(client, "dentist tomorrow at 14:00")
    assert "Dentist" in page.text
    undone = undo(client, page)
    assert "Undone: Added to your calendar: Dentist" in undone.text
    assert not CalendarEvent.objects.kept().exists()


def test_the_workflow_server_hears_of_an_event_with_consent(client, learner, settings):
    settings.N8N_WEBHOOK_URL = "http://127.0.0.1:9/webhook"
    add(client, "dentist tomorrow at 14:00")
    assert WebhookDelivery.objects.get().kind == "event_created"
    learner.set_consent(False)
    learner.save()
    add(client, "choir tomorrow at 17:00")
    assert WebhookDelivery.objects.count() == 1
