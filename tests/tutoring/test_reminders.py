"""Reminders of reviews: off until they are wanted, by mail and as a calendar, and stopped by one press."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from tests.tutoring.review_helpers import load_tiny, master, quiz
from tutoring.models import Review, StudySettings
from tutoring.reminders import review_mail
from tutoring.reminders.review_calendar import LONGEST_LINE, review_calendar
from tutoring.reminders.review_mail import mail_reminder, order_reminders
from tutoring.reminders.signed_links import calendar_address, stop_address

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 11, 26, 12, 0, tzinfo=UTC)
PAGE = "/reminders/"


@pytest.fixture
def learner(client, ada):
    """Ada, with an address and a review that became due this morning."""
    ada.email = "ada@home.example"
    ada.save()
    load_tiny()
    card = master(ada, at=NOON - timedelta(days=40))
    Review.objects.filter(pk=card.pk).update(due_at=NOON - timedelta(hours=4))
    client.force_login(ada)
    return ada


@pytest.fixture
def ordered(monkeypatch):
    """The learners to whom a mail was ordered."""
    learners = []
    monkeypatch.setattr(type(review_mail.mail_reminder), "enqueue", lambda _task, *given: learners.append(given[0]))
    return learners


def wants(person, **fields):
    return StudySettings.objects.create(learner=person, mails=True, **fields)


class TestMail:
    def test_is_off_until_it_is_wanted(self, learner, ordered):
        order_reminders(at=NOON)
        StudySettings.objects.create(learner=learner)
        order_reminders(at=NOON)
        assert ordered == []

    def test_names_what_is_due_and_how_to_stop(self, learner, settings):
        settings.PUBLIC_URL = "https://learn.example"
        wanted = wants(learner)
        mail_reminder.func(learner.pk)
        [letter] = mail.outbox
        assert (letter.to, letter.subject) == (["ada@home.example"], "1 topic to review")
        assert "- Halves" in letter.body
        assert "https://learn.example/progress/review/" in letter.body
        assert stop_address(wanted) in letter.body

    def test_is_ordered_once_for_what_became_due(self, learner, ordered):
        wants(learner)
        for hours in (0, 1, 30, 60):
            order_reminders(at=NOON + timedelta(hours=hours))
        assert ordered == [learner.pk]

    def test_comes_again_on_another_day_with_something_new(self, learner, ordered):
        wants(learner, mailed_at=NOON - timedelta(days=1))
        order_reminders(at=NOON)
        Review.objects.update(due_at=NOON + timedelta(minutes=5))
        order_reminders(at=NOON + timedelta(minutes=10))
        assert ordered == [learner.pk]
        order_reminders(at=NOON + timedelta(days=1))
        assert ordered == [learner.pk] * 2

    @pytest.mark.parametrize(
        ("zone", "hour", "comes"), [("UTC", 12, True), ("UTC", 22, False), ("UTC", 3, False), ("Asia/Tokyo", 12, False)]
    )
    def test_keeps_the_quiet_hours_by_the_learners_clock(self, learner, ordered, zone, hour, comes):
        learner.zone = zone
        learner.save()
        wants(learner, quiet_from=20, quiet_until=7)
        order_reminders(at=NOON.replace(hour=hour) + timedelta(days=1))
        assert bool(ordered) == comes

    @pytest.mark.parametrize(("begins", "ends", "quiet"), [(20, 7, (20, 23, 0, 6)), (9, 17, (9, 16)), (8, 8, ())])
    def test_quiet_hours_may_pass_midnight(self, begins, ends, quiet):
        wanted = StudySettings(quiet_from=begins, quiet_until=ends)
        hours = [hour for hour in range(24) if wanted.is_quiet(NOON.replace(hour=hour))]
        assert set(quiet) <= set(hours)
        assert len(hours) == (ends - begins) % 24

    def test_nobody_without_an_address_or_an_account_is_written_to(self, learner, ben, ordered):
        wants(ben)
        wants(learner)
        learner.is_active = False
        learner.save()
        order_reminders(at=NOON)
        mail_reminder.func(learner.pk)
        assert (ordered, mail.outbox) == ([], [])

    def test_who_reviewed_meanwhile_gets_none(self, learner):
        wants(learner)
        Review.objects.update(due_at=timezone.now() + timedelta(days=3))
        mail_reminder.func(learner.pk)
        assert mail.outbox == []

    def test_mail_that_is_not_accepted_is_tried_again_and_the_address_not_logged(self, learner, monkeypatch, caplog):
        def refuse(*_given, **_named):
            raise OSError("ada@home.example refused")

        wants(learner)
        tried = []
        monkeypatch.setattr(review_mail, "send_to_person", refuse)
        monkeypatch.setattr(
            type(mail_reminder),
            "using",
            lambda _task, **_when: type("Later", (), {"enqueue": staticmethod(lambda *given: tried.append(given))}),
        )
        mail_reminder.func(learner.pk)
        mail_reminder.func(learner.pk, review_mail.TRIES)
        assert tried == [(learner.pk, 2)]
        assert "ada@" not in caplog.text


class TestStopping:
    def test_needs_no_signing_in_and_one_press(self, learner, db):
        path = "/" + stop_address(wants(learner)).partition("//")[2].partition("/")[2]
        stranger = Client(enforce_csrf_checks=True)
        page = stranger.get(path)
        assert "Stop the emails about reviews?" in page.text
        assert StudySettings.objects.get().mails
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.text)[1]
        assert "Emails are turned off" in stranger.post(path, {"csrfmiddlewaretoken": token}).text
        assert not StudySettings.objects.get().mails
        assert "Emails are turned off" in stranger.get(path).text

    @pytest.mark.parametrize("token", ["1", "1.x", "nothing", "1.2.3", "."])
    def test_made_up_link_is_404(self, client, learner, token):
        wants(learner)
        assert client.post(f"/reminders/stop/{token}/").status_code == 404
        assert client.get(f"/reminders/{token}.ics").status_code == 404
        assert StudySettings.objects.get().mails


class TestCalendar:
    def test_has_a_day_for_each_review_and_the_overdue_ones_today(self, learner):
        Review.objects.update(due_at=NOON - timedelta(days=9))
        text = review_calendar(learner, at=NOON)
        assert text.startswith("BEGIN:VCALENDAR\r\n")
        assert text.endswith("END:VCALENDAR\r\n")
        assert "DTSTART;VALUE=DATE:20261126\r\nDTEND;VALUE=DATE:20261127\r\nSUMMARY:Review: Halves\r\n" in text
        Review.objects.update(due_at=NOON + timedelta(days=300))
        assert "VEVENT" not in review_calendar(learner, at=NOON)

    def test_long_and_odd_titles_are_folded_and_escaped(self, learner):
        card = Review.objects.get()
        card.concept.title = "Halves, quarters; \\ and " + "ünïts " * 20
        card.concept.save()
        Review.objects.update(due_at=NOON)
        text = review_calendar(learner, at=NOON)
        assert all(len(line.encode()) <= LONGEST_LINE for line in text.split("\r\n"))
        assert "Halves\\, quarters\\; \\\\ and" in text.replace("\r\n ", "")

    def test_is_read_by_its_address_alone_until_that_is_renewed(self, client, learner):
        client.post(PAGE, {"quiet_from": "19", "quiet_until": "7", "calendar": "on"})
        wanted = StudySettings.objects.get()
        path = "/" + calendar_address(wanted).partition("//")[2].partition("/")[2]
        page = Client().get(path)
        assert page["Content-Type"] == "text/calendar; charset=utf-8"
        assert "SUMMARY:Review: Halves" in page.text
        assert wanted.calendar_key in path
        client.post(PAGE, {"renew": "1"})
        assert Client().get(path).status_code == 404
        client.post(PAGE, {"quiet_from": "19", "quiet_until": "7"})
        assert StudySettings.objects.get().calendar_key == ""

    def test_ends_with_the_account(self, learner):
        wanted = wants(learner)
        wanted.renew_calendar()
        wanted.save()
        path = "/" + calendar_address(wanted).partition("//")[2].partition("/")[2]
        learner.is_active = False
        learner.save()
        assert Client().get(path).status_code == 404


class TestSettings:
    def test_are_off_and_are_saved(self, client, learner):
        page = client.get(PAGE).text
        assert not re.search(r'name="(mails|calendar)"[^>]* checked', page)
        response = client.post(
            PAGE, {"days_a_week": "4", "mails": "on", "quiet_from": "21", "quiet_until": "8"}, follow=True
        )
        assert "Saved." in response.text
        kept = StudySettings.objects.get()
        assert (kept.days_a_week, kept.mails, kept.quiet_from, kept.quiet_until) == (4, True, 21, 8)

    @pytest.mark.parametrize(
        "bad", [{"days_a_week": "8"}, {"days_a_week": "often"}, {"quiet_from": "25"}, {"quiet_until": ""}]
    )
    def test_what_will_not_do_is_said_and_changes_nothing(self, client, learner, bad):
        response = client.post(PAGE, {"days_a_week": "4", "quiet_from": "21", "quiet_until": "8", **bad})
        assert response.status_code == 422
        assert "errorlist" in response.text
        assert not StudySettings.objects.exists()

    def test_mail_needs_an_address(self, client, ben):
        client.force_login(ben)
        response = client.post(PAGE, {"mails": "on", "quiet_from": "21", "quiet_until": "8"})
        assert response.status_code == 422
        assert 'href="/accounts/email/"' in response.text

    def test_are_led_to_from_the_profile(self, client, learner):
        assert f'href="{PAGE}"' in client.get("/accounts/profile/").text

    def test_a_review_answered_moves_the_calendar(self, client, learner):
        before = Review.objects.get().due_at
        quiz(learner, at=NOON)
        assert Review.objects.get().due_at > before
