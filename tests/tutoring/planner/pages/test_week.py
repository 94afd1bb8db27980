"""The week: seven columns in which everything stands where it belongs."""

import re
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest

from tests.tutoring.planner.pages.planner_rows import add_event, add_meal, add_task, at, told, undo
from tests.tutoring.review_helpers import load_tiny, master
from tutoring.models import CalendarEvent, PlannerSettings, Review, Task
from tutoring.planner.pages.contexts.day_entries import Entry
from tutoring.planner.pages.contexts.week import place_entries
from tutoring.planner.records.event_moves import CannotMoveAll, shift_rule
from tutoring.planner.records.events import events_between
from tutoring.planner.records.workspaces import workspace_for

pytestmark = pytest.mark.django_db


def week(client, day="2026-11-25"):
    return client.get("/planner/week/", {"day": day})


def column(page, number):
    """Return the text of a day, Monday being 1."""
    found = re.search(rf'<section class="day[^"]* day-{number}".*?</section>', page.text, re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", found[0]).split())


class TestWhereThingsStand:
    def test_a_week_shows_every_kind_of_entry(self, client, learner):
        add_event(learner, "Choir", at(26, 17), rule="FREQ=WEEKLY;BYDAY=TH")
        add_event(learner, "Fractions test", at(27), hours=24, kind="test", is_all_day=True)
        add_event(learner, "Sampling", at(23, 18), kind="study")
        add_task(learner, "Sheet 6", due_on=at(29).date())
        add_meal(learner, "soup", eaten_at=at(25, 12, 30))
        page = week(client)
        expected = ((1, "Sampling"), (3, "soup"), (4, "Choir"), (5, "Fractions test"), (7, "Sheet 6"))
        assert all(title in column(page, number) for number, title in expected)
        assert "23 to 29 November" in page.text

    def test_reviews_stand_on_their_days_and_overdue_ones_on_today(self, client, learner):
        load_tiny()
        card = master(learner, at=at(25, 9) - timedelta(days=40))
        Review.objects.filter(pk=card.pk).update(due_at=at(20))
        assert "1 review Halves" in column(week(client), 3)

    def test_an_entry_over_midnight_is_on_both_days(self, client, learner):
        add_event(learner, "Night train", at(25, 22), hours=9)
        page = week(client)
        assert "Night train" in column(page, 3)
        assert "Night train" in column(page, 4)
        assert page.text.count("/move/") == 1  # It is moved by its beginning.

    def test_whole_days_stay_whole_days_in_another_zone(self, client, learner):
        add_event(learner, "Holiday", at(26), hours=24, is_all_day=True)
        learner.zone = "America/Los_Angeles"
        learner.save()
        page = week(client)
        assert ["Holiday" in column(page, number) for number in (3, 4, 5)] == [False, True, False]

    def test_what_is_at_the_same_time_is_marked(self, client, learner):
        add_event(learner, "Choir", at(26, 17))
        add_event(learner, "Swim", at(26, 17, 30))
        add_event(learner, "Dinner", at(26, 18, 30))
        text = column(week(client), 4)
        assert "At the same time as Swim" in text
        assert "At the same time as Choir" in text
        assert text.count("At the same time") == 2

    def test_a_day_with_many_tasks_names_some_and_counts_the_others(self, client, learner):
        for number in range(30):
            add_task(learner, f"Task {number:02}", due_on=at(26).date())
        text = column(week(client), 4)
        assert (text.count("Task"), "18 more" in text) == (12, True)

    @pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31", "yesterday", "", "2026-02-30"])
    def test_no_day_in_the_address_breaks_the_page(self, client, learner, day):
        assert week(client, day).status_code == 200

    def test_the_hours_are_the_persons_and_what_the_entries_need(self, client, learner):
        PlannerSettings.objects.create(owner=learner, day_starts=9, day_ends=18)
        assert 'data-first-hour="9"' in week(client).text
        add_event(learner, "Run", at(25, 6, 30))
        assert 'data-first-hour="6"' in week(client).text

    def test_a_clock_change_keeps_entries_at_their_time(self, client, learner):
        learner.zone = "Europe/Vienna"
        learner.save()
        start = at(25, 17, month=10).replace(tzinfo=ZoneInfo("Europe/Vienna")) - timedelta(days=7)
        event = add_event(learner, "Choir", start, rule="FREQ=WEEKLY")
        CalendarEvent.objects.filter(pk=event.pk).update(zone="Europe/Vienna")
        for day in ("2026-10-18", "2026-10-25", "2026-11-01"):
            assert "17:00–18:00" in column(week(client, day), 7)


def entry(start, end, name):
    return Entry(kind="event", look="appointment", title=name, url="", id=name, start=start, end=end)


class TestLanes:
    def test_what_meets_stands_side_by_side(self):
        placed = place_entries(
            [entry(at(25, 9), at(25, 11), "a"), entry(at(25, 10), at(25, 12), "b"), entry(at(25, 14), at(25, 15), "c")],
            first=8,
            last=20,
        )
        assert [(each.entry.id, each.row, each.length, each.lane) for each in placed] == [
            ("a", 5, 8, 1),
            ("b", 9, 8, 2),
            ("c", 25, 4, 0),
        ]

    def test_a_lane_is_used_again(self):
        spans = [(9, 12, "a"), (9, 10, "b"), (10, 11, "c")]
        placed = place_entries([entry(at(25, b), at(25, e), name) for b, e, name in spans], first=8, last=20)
        assert [(each.entry.id, each.lane) for each in placed] == [("a", 1), ("b", 2), ("c", 2)]

    def test_what_is_short_can_be_read_and_what_is_late_stays_within(self):
        placed = place_entries([entry(at(25, 19, 55), at(25, 20), "a")], first=8, last=20)
        assert [(each.row, each.length) for each in placed] == [(48, 1)]


class TestMoves:
    def move(self, client, event, **fields):
        return client.post(f"/planner/events/{event.pk}/move/", {"next": "/planner/week/", **fields}, follow=True)

    def test_an_event_keeps_its_length(self, client, learner):
        event = add_event(learner, "Dentist", at(26, 14), hours=1.5)
        page = self.move(client, event, day="2026-11-28", clock="09:15")
        event.refresh_from_db()
        assert (event.starts_at, event.ends_at) == (at(28, 9, 15), at(28, 10, 45))
        assert told(page) == "Dentist is now on Saturday, 28 November, 09:15. Undo"

    def test_the_form_can_change_the_end(self, client, learner):
        event = add_event(learner, "Party", at(26, 20))
        self.move(client, event, day="2026-11-26", clock="21:00", until="01:00")
        event.refresh_from_db()
        assert (event.starts_at, event.ends_at) == (at(26, 21), at(27, 1))

    def test_a_whole_day_moves_by_days(self, client, learner):
        event = add_event(learner, "Trip", at(26), hours=48, is_all_day=True)
        self.move(client, event, day="2026-11-30", clock="10:00")
        event.refresh_from_db()
        assert (event.starts_at, event.ends_at) == (at(30), at(2, month=12))

    def test_undo_puts_it_back(self, client, learner):
        event = add_event(learner, "Dentist", at(26, 14))
        answer = self.move(client, event, day="2026-11-28")
        undo(client, answer)
        event.refresh_from_db()
        assert event.starts_at == at(26, 14)

    def test_of_a_recurring_one_it_is_asked_which(self, client, learner):
        event = add_event(learner, "Choir", at(26, 17), rule="FREQ=WEEKLY;BYDAY=TH")
        page = self.move(client, event, day="2026-12-04", clock="18:00", occurrence="2026-12-03T17:00:00+00:00")
        assert "only this one, or all of them?" in page.text
        event.refresh_from_db()
        assert event.starts_at == at(26, 17)

    def times(self, person):
        found = events_between(workspace_for(person), at(23), at(15, month=12))
        return [each.start for each in found]

    def test_only_one_is_moved(self, client, learner):
        event = add_event(learner, "Choir", at(26, 17), rule="FREQ=WEEKLY;BYDAY=TH")
        which = {"occurrence": "2026-12-03T17:00:00+00:00", "scope": "one"}
        self.move(client, event, day="2026-12-04", clock="18:00", **which)
        assert self.times(learner) == [at(26, 17), at(4, 18, month=12), at(10, 17, month=12)]

    def test_all_are_moved(self, client, learner):
        event = add_event(learner, "Choir", at(26, 17), rule="FREQ=WEEKLY;BYDAY=TH")
        which = {"occurrence": "2026-12-03T17:00:00+00:00", "scope": "all"}
        self.move(client, event, day="2026-12-04", clock="18:00", **which)
        event.refresh_from_db()
        assert event.rule == "FREQ=WEEKLY;BYDAY=FR"
        assert self.times(learner) == [at(27, 18), at(4, 18, month=12), at(11, 18, month=12)]

    def test_an_occurrence_that_does_not_exist_is_404(self, client, learner):
        event = add_event(learner, "Choir", at(26, 17), rule="FREQ=WEEKLY;BYDAY=TH")
        for start in ("2026-12-04T17:00:00+00:00", "yesterday", "9999-12-31T23:59:59+00:00"):
            assert self.move(client, event, day="2026-12-04", occurrence=start).status_code == 404

    @pytest.mark.parametrize(
        "fields", [{"day": "2026-02-30"}, {"day": ""}, {"day": "9999-12-31"}, {"day": "2026-11-26", "clock": "25:00"}]
    )
    def test_a_time_that_does_not_exist_changes_nothing(self, client, learner, fields):
        event = add_event(learner, "Dentist", at(26, 14))
        assert self.move(client, event, **fields).status_code == 422
        event.refresh_from_db()
        assert event.starts_at == at(26, 14)

    def test_a_task_gets_another_day_and_time(self, client, learner):
        task = add_task(learner, "Sheet 6", due_on=at(26).date())
        page = client.post(f"/planner/tasks/{task.pk}/move/", {"day": "2026-11-27", "clock": "16:00"}, follow=True)
        task = Task.objects.get()
        assert (task.due_on, task.due_at) == (at(27).date(), at(27, 16))
        assert told(page) == "Sheet 6 is now due Friday, 16:00. Undo"

    def test_one_of_many_is_deleted(self, client, learner):
        event = add_event(learner, "Choir", at(26, 17), rule="FREQ=WEEKLY;BYDAY=TH")
        which = {"occurrence": "2026-12-03T17:00:00+00:00", "scope": "one"}
        client.post(f"/planner/events/{event.pk}/delete/", which)
        assert self.times(learner) == [at(26, 17), at(10, 17, month=12)]

    def test_all_are_deleted(self, client, learner):
        event = add_event(learner, "Choir", at(26, 17), rule="FREQ=WEEKLY;BYDAY=TH")
        client.post(f"/planner/events/{event.pk}/delete/", {"scope": "all"})
        assert self.times(learner) == []


class TestRules:
    @pytest.mark.parametrize(
        ("rule", "days", "moved"),
        [
            ("FREQ=WEEKLY;BYDAY=TU,TH", 1, "FREQ=WEEKLY;BYDAY=WE,FR"),
            ("FREQ=WEEKLY;BYDAY=SU", 1, "FREQ=WEEKLY;BYDAY=MO"),
            ("FREQ=WEEKLY;BYDAY=MO;UNTIL=20261225", -8, "FREQ=WEEKLY;BYDAY=SU;UNTIL=20261225"),
            ("FREQ=DAILY", 3, "FREQ=DAILY"),
            ("FREQ=MONTHLY;BYMONTHDAY=5", 0, "FREQ=MONTHLY;BYMONTHDAY=5"),
        ],
    )
    def test_weekdays_go_along(self, rule, days, moved):
        assert shift_rule(rule, days) == moved

    @pytest.mark.parametrize("rule", ["FREQ=MONTHLY;BYMONTHDAY=5", "FREQ=MONTHLY;BYDAY=1MO", "FREQ=DAILY;BYDAY=MO"])
    def test_fixed_days_are_refused_with_what_to_do(self, rule):
        with pytest.raises(CannotMoveAll, match="Move only this one"):
            shift_rule(rule, 1)


class TestEventPage:
    def test_says_when_it_is_and_saves_what_it_is(self, client, learner):
        event = add_event(learner, "Choir", at(26, 17))
        assert "Thursday, 26 November 2026, 17:00–18:00" in client.get(f"/planner/events/{event.pk}/").text
        fields = {"title": "Big choir", "kind": "appointment", "place": "town hall", "remind_before": "30", "rule": ""}
        client.post(f"/planner/events/{event.pk}/", fields)
        event.refresh_from_db()
        assert (event.title, event.place, event.remind_before) == ("Big choir", "town hall", 30)

    def test_makes_it_recur_and_once_again(self, client, learner):
        event = add_event(learner, "Choir", at(26, 17))
        fields = {"title": "Choir", "kind": "appointment", "rule": "FREQ=WEEKLY"}
        client.post(f"/planner/events/{event.pk}/", fields)
        event.refresh_from_db()
        assert (event.rule, event.last_ends_at) == ("FREQ=WEEKLY", None)
        client.post(f"/planner/events/{event.pk}/", fields | {"rule": ""})
        event.refresh_from_db()
        assert (event.rule, event.last_ends_at) == ("", at(26, 18))

    def test_refuses_a_rule_that_it_cannot_follow(self, client, learner):
        event = add_event(learner, "Choir", at(26, 17))
        fields = {"title": "Choir", "kind": "appointment", "rule": "FREQ=SECONDLY"}
        assert client.post(f"/planner/events/{event.pk}/", fields).status_code == 422
