"""The planner's settings, today's page, and the card on the learner's home."""

import pytest
from django.test import Client

from tests.tutoring.planner.pages.planner_rows import add_event, add_meal, add_task, at
from tutoring.models import PlannerSettings
from tutoring.planner.signed_links import stop_address

pytestmark = pytest.mark.django_db

FIELDS = {"day_starts": "9", "day_ends": "21", "session_minutes": "45"}


class TestSettings:
    def test_nothing_is_sent_unless_it_is_turned_on(self, client, learner):
        client.post("/planner/settings/", FIELDS)
        kept = PlannerSettings.objects.get()
        assert (kept.day_starts, kept.day_ends, kept.session_minutes) == (9, 21, 45)
        assert (kept.mails, kept.first_messages) == (False, False)

    def test_mails_need_an_address(self, client, learner):
        page = client.post("/planner/settings/", FIELDS | {"mails": "on"})
        assert (page.status_code, "Add an email address" in page.text) == (422, True)
        learner.email = "ben@home.example"
        learner.save()
        client.post("/planner/settings/", FIELDS | {"mails": "on", "first_messages": "on"})
        assert PlannerSettings.objects.get(mails=True, first_messages=True)

    @pytest.mark.parametrize("fields", [{"day_ends": "9"}, {"day_starts": "99"}, {"session_minutes": "0"}])
    def test_a_day_that_cannot_be_is_refused(self, client, learner, fields):
        assert client.post("/planner/settings/", FIELDS | fields).status_code == 422
        assert not PlannerSettings.objects.exists()

    @pytest.mark.parametrize("what", ["mails", "first_messages"])
    def test_a_stop_link_needs_no_signing_in_and_one_press(self, learner, what):
        wanted = PlannerSettings.objects.create(owner=learner, mails=True, first_messages=True)
        path = "/" + stop_address(wanted, what).partition("//")[2].partition("/")[2]
        assert Client().get(path).status_code == 200
        wanted.refresh_from_db()
        assert getattr(wanted, what)
        assert "Turned off" in Client().post(path).text
        wanted.refresh_from_db()
        assert not getattr(wanted, what)
        assert wanted.mails != wanted.first_messages  # Only the one that the link is for.

    @pytest.mark.parametrize("token", ["mails.1", "mails.1.x", "feed_key.1.x", "x"])
    def test_a_made_up_stop_link_is_404(self, db, client, token):
        assert client.get(f"/planner/stop/{token}/").status_code == 404


class TestToday:
    def test_shows_today_tomorrow_and_what_is_overdue(self, client, learner):
        add_event(learner, "Choir", at(25, 17))
        add_task(learner, "Sheet 6", due_on=at(25).date())
        add_task(learner, "Poster", due_on=at(20).date())
        add_event(learner, "Dentist", at(26, 14))
        add_event(learner, "Later", at(28, 14))
        page = client.get("/planner/").text
        assert page.index("Choir") < page.index("Sheet 6") < page.index("Poster") < page.index("Dentist")
        assert "Later" not in page

    def test_is_the_persons_own_day(self, client, learner):
        learner.zone = "Pacific/Auckland"
        learner.save()
        assert "Thursday, 26 November" in client.get("/planner/").text


class TestHomeCard:
    def test_shows_what_is_still_to_come(self, client, learner):
        client.get("/talk/")
        add_event(learner, "Breakfast club", at(25, 8))
        add_event(learner, "Choir", at(25, 17))
        add_task(learner, "Sheet 6", due_on=at(25).date())
        add_task(learner, "Ticked off", due_on=at(25).date(), done_at=at(25, 8))
        add_meal(learner, "soup", eaten_at=at(25, 12, 30))
        card = client.get("/").context["planner"]
        assert [each.title for each in card["entries"]] == ["Choir", "Sheet 6"]

    def test_takes_no_workspace_from_nobody(self, client, learner):
        assert client.get("/").context["planner"]["entries"] == []
        assert not learner.workspaces.exists()
