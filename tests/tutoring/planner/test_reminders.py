"""Reminders of the planner: each once, also after a restart; mailed to those who want it, outside of quiet hours."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core import mail

from tests.tutoring.planner.pages.planner_rows import add_event, add_task
from tutoring.models import CalendarEvent, PlannerSettings, Reminder, StudySettings, Task, WebhookDelivery, Workspace
from tutoring.planner import reminders
from tutoring.planner.reminders import close_reminders, mail_reminders, open_reminders, remind, reminder_words

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 11, 25, 12, 0, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


@pytest.fixture
def learner(ben):
    """Ben, with an address; his clock is UTC."""
    ben.email, ben.zone = "ben@home.example", "UTC"
    ben.save()
    return ben


@pytest.fixture
def ordered(monkeypatch):
    """The mails that were ordered, as the person's id and how many reminders."""
    given = []
    monkeypatch.setattr(
        type(reminders.mail_reminders), "enqueue", lambda _task, person, pks: given.append((person, len(pks)))
    )
    return given


def shown(person, at=NOON):
    return [str(each) for each in open_reminders(person, at=at)]


class TestTasks:
    def test_are_reminded_of_at_their_time_and_not_before(self, learner):
        add_task(learner, "Ruler", remind_at=NOON)
        remind(at=NOON - MINUTE)
        assert shown(learner) == []
        remind(at=NOON)
        assert shown(learner) == ["Ruler"]

    def test_each_is_given_once_also_after_a_restart_between_its_steps(self, learner):
        task = add_task(learner, "Ruler", remind_at=NOON)
        remind(at=NOON)
        Task.objects.filter(pk=task.pk).update(reminded_at=None)  # As if the process had died before this.
        remind(at=NOON + MINUTE)
        assert Reminder.objects.count() == 1

    @pytest.mark.parametrize("fields", [{"done_at": NOON}, {"removed_at": NOON}])
    def test_what_is_done_or_deleted_is_not(self, learner, fields):
        add_task(learner, "Ruler", remind_at=NOON, **fields)
        remind(at=NOON)
        assert not Reminder.objects.exists()

    def test_what_is_done_meanwhile_or_put_off_is_no_longer_shown(self, learner):
        first, second = (add_task(learner, title, remind_at=NOON) for title in ("Ruler", "Sheet"))
        remind(at=NOON)
        Task.objects.filter(pk=first.pk).update(done_at=NOON)
        Task.objects.filter(pk=second.pk).update(remind_at=NOON + timedelta(hours=1), reminded_at=None)
        assert shown(learner) == []
        remind(at=NOON + timedelta(hours=1))
        assert shown(learner, NOON + timedelta(hours=1)) == ["Sheet"]

    def test_the_workflow_server_hears_of_each_once(self, learner, settings):
        settings.N8N_WEBHOOK_URL = "http://127.0.0.1:9/webhook"
        add_task(learner, "Ruler", remind_at=NOON)
        remind(at=NOON)
        remind(at=NOON)
        assert [each.body["title"] for each in WebhookDelivery.objects.all()] == ["Ruler"]


class TestEvents:
    def test_are_announced_as_long_before_as_wanted(self, learner):
        add_event(learner, "Choir", NOON + timedelta(minutes=30), remind_before=30, place="town hall")
        remind(at=NOON - MINUTE)
        assert shown(learner) == []
        remind(at=NOON)
        remind(at=NOON + MINUTE)
        [reminder] = open_reminders(learner, at=NOON)
        assert reminder_words(reminder).endswith("12:30, town hall")

    def test_each_occurrence_has_its_own(self, learner):
        add_event(learner, "Choir", NOON, rule="FREQ=DAILY", remind_before=10)
        for day in range(3):
            for minute in (-11, -10, 0, 30):
                remind(at=NOON + timedelta(days=day, minutes=minute))
        assert [each.at for each in Reminder.objects.order_by("at")] == [NOON + timedelta(days=day) for day in range(3)]

    def test_what_is_long_over_after_downtime_is_not_announced(self, learner):
        add_event(learner, "Choir", NOON, remind_before=10)
        remind(at=NOON + timedelta(hours=3))
        assert not Reminder.objects.exists()

    def test_what_was_deleted_is_no_longer_shown(self, learner):
        add_event(learner, "Choir", NOON, remind_before=10)
        remind(at=NOON)
        CalendarEvent.objects.update(removed_at=NOON)
        assert shown(learner) == []


class TestThePage:
    def test_shows_them_until_they_are_closed(self, client, learner, monkeypatch):
        monkeypatch.setattr("django.utils.timezone.now", lambda: NOON)
        client.force_login(learner)
        assert client.get("/planner/reminders/").status_code == 204
        add_task(learner, "<b>Ruler</b>", remind_at=NOON)
        remind(at=NOON)
        page = client.get("/planner/reminders/")
        assert "&lt;b&gt;Ruler&lt;/b&gt;" in page.text
        client.post("/planner/reminders/close/", {"reminder": [str(Reminder.objects.get().pk), "x", "9" * 30]})
        assert client.get("/planner/reminders/").status_code == 204

    def test_a_stranger_closes_nothing(self, learner, eve):
        add_task(learner, "Ruler", remind_at=NOON)
        remind(at=NOON)
        close_reminders(eve, [Reminder.objects.get().pk])
        assert shown(eve) == []
        assert shown(learner) == ["Ruler"]

    def test_leads_to_the_workspace_of_the_entry(self, client, learner, monkeypatch):
        monkeypatch.setattr("django.utils.timezone.now", lambda: NOON)
        Workspace.objects.create(owner=learner, key="band", title="Band")
        task = add_task(learner, "Tune", space="band", remind_at=NOON)
        remind(at=NOON)
        client.force_login(learner)
        assert f"/planner/tasks/{task.pk}/?workspace=band" in client.get("/planner/").text

    def test_somebody_who_signed_out_is_told_so(self, client, db):
        assert client.get("/planner/reminders/", headers={"HX-Request": "true"}).status_code == 401


class TestMail:
    def wants(self, person, **quiet):
        PlannerSettings.objects.create(owner=person, mails=True)
        StudySettings.objects.create(learner=person, **({"quiet_from": 20, "quiet_until": 7} | quiet))

    def test_is_off_until_it_is_wanted(self, learner, ordered):
        add_task(learner, "Ruler", remind_at=NOON)
        remind(at=NOON)
        assert ordered == []

    def test_is_one_for_all_that_are_due_and_ordered_once(self, learner, ordered):
        self.wants(learner)
        add_task(learner, "Ruler", remind_at=NOON)
        add_task(learner, "Sheet", remind_at=NOON)
        remind(at=NOON)
        remind(at=NOON + MINUTE)
        assert ordered == [(learner.pk, 2)]

    def test_waits_for_the_end_of_the_quiet_hours(self, learner, ordered):
        self.wants(learner)
        add_task(learner, "Ruler", remind_at=NOON.replace(hour=22))
        remind(at=NOON.replace(hour=22))
        assert ordered == []
        assert shown(learner, NOON.replace(hour=22)) == ["Ruler"]  # On the page it is shown.
        remind(at=NOON.replace(hour=7) + timedelta(days=1))
        assert ordered == [(learner.pk, 1)]

    def test_quiet_hours_are_by_the_persons_clock(self, learner, ordered):
        learner.zone = "Asia/Tokyo"
        learner.save()
        self.wants(learner)
        add_task(learner, "Ruler", remind_at=NOON)
        remind(at=NOON)  # Nine in the evening there.
        assert ordered == []

    def test_what_was_seen_on_the_page_is_not_mailed(self, learner, ordered):
        self.wants(learner)
        add_task(learner, "Ruler", remind_at=NOON.replace(hour=22))
        remind(at=NOON.replace(hour=22))
        close_reminders(learner, [Reminder.objects.get().pk])
        remind(at=NOON.replace(hour=7) + timedelta(days=1))
        assert ordered == []

    def test_says_what_is_due_and_how_to_stop(self, learner, ordered, settings):
        settings.PUBLIC_URL = "https://learn.example"
        self.wants(learner)
        add_task(learner, "Ruler\r\nBcc: all@evil.example", remind_at=NOON)
        remind(at=NOON)
        mail_reminders.func(learner.pk, [Reminder.objects.get().pk])
        [letter] = mail.outbox
        assert (letter.to, letter.subject) == (["ben@home.example"], "Ruler Bcc: all@evil.example")
        assert letter.bcc == []
        assert "https://learn.example/planner/stop/" in letter.body

    def test_who_changed_their_mind_or_did_it_gets_none(self, learner, ordered):
        self.wants(learner)
        task = add_task(learner, "Ruler", remind_at=NOON)
        remind(at=NOON)
        pks = [Reminder.objects.get().pk]
        Task.objects.filter(pk=task.pk).update(done_at=NOON)
        mail_reminders.func(learner.pk, pks)
        Task.objects.filter(pk=task.pk).update(done_at=None)
        PlannerSettings.objects.update(mails=False)
        mail_reminders.func(learner.pk, pks)
        assert mail.outbox == []

    def test_an_account_without_an_address_is_not_written_to(self, learner, ordered):
        self.wants(learner)
        learner.email = ""
        learner.save()
        add_task(learner, "Ruler", remind_at=NOON)
        remind(at=NOON)
        assert ordered == []
