"""The calendar feed, and calendar files that are imported."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.tutoring.planner.pages.planner_rows import add_event, at, undo
from tutoring.models import CalendarEvent, PlannerSettings
from tutoring.planner.records.events import events_between
from tutoring.planner.records.workspaces import workspace_for

pytestmark = pytest.mark.django_db

CHOIR = """BEGIN:VEVENT
UID:choir@school
DTSTAMP:20261101T000000Z
DTSTART:20261126T170000Z
DTEND:20261126T180000Z
SUMMARY:Choir
LOCATION:Town hall
RRULE:FREQ=WEEKLY;BYDAY=TH
EXDATE:20261203T170000Z
END:VEVENT
"""
MOVED = """BEGIN:VEVENT
UID:choir@school
DTSTAMP:20261101T000000Z
RECURRENCE-ID:20261210T170000Z
DTSTART:20261211T180000Z
DTEND:20261211T190000Z
SUMMARY:Choir
END:VEVENT
"""


def calendar_file(*events):
    text = "".join(["BEGIN:VCALENDAR\n", "VERSION:2.0\n", "PRODID:-//school//EN\n", *events, "END:VCALENDAR\n"])
    return SimpleUploadedFile("school.ics", text.replace("\n", "\r\n").encode(), content_type="text/calendar")


def preview(client, *events):
    return client.post("/planner/import/", {"file": calendar_file(*events)}, follow=True)


def confirm(client, page):
    token = re.search(r'name="token" value="(\w+)"', page.text)[1]
    return client.post("/planner/import/confirm/", {"token": token}, follow=True)


class TestImport:
    def test_shows_what_is_in_the_file_before_anything_is_stored(self, client, learner):
        page = preview(client, CHOIR)
        assert "1 event" in page.text
        assert "Choir" in page.text
        assert not CalendarEvent.objects.exists()

    def test_stores_it_with_what_was_moved_and_left_out(self, client, learner):
        page = confirm(client, preview(client, CHOIR, MOVED))
        assert "1 event was imported." in page.text
        found = events_between(workspace_for(learner), at(23), at(18, month=12))
        assert [each.start for each in found] == [at(26, 17), at(11, 18, month=12), at(17, 17, month=12)]
        choir = CalendarEvent.objects.get(series=None)
        assert (choir.kind, choir.place, choir.uid) == ("imported", "Town hall", "choir@school")

    def test_a_second_import_replaces_instead_of_doubling(self, client, learner):
        confirm(client, preview(client, CHOIR, MOVED))
        page = preview(client, CHOIR.replace("Town hall", "School"), MOVED)
        assert "replaces the one you have" in page.text
        assert "1 event was updated." in confirm(client, page).text
        assert CalendarEvent.objects.kept().count() == 2
        assert CalendarEvent.objects.kept().get(series=None).place == "School"

    def test_undo_takes_the_whole_import_back(self, client, learner):
        answer = confirm(client, preview(client, CHOIR, MOVED))
        undo(client, answer)
        assert not CalendarEvent.objects.kept().exists()

    def test_another_persons_upload_is_not_there(self, client, learner, eve):
        page = preview(client, CHOIR)
        client.force_login(eve)
        assert "Choose it again" in confirm(client, page).text
        assert not CalendarEvent.objects.exists()

    @pytest.mark.parametrize("data", [b"", b"\xff\xd8\xff", b"<html>", b"BEGIN:VCALENDAR"])
    def test_what_is_no_calendar_is_refused_with_a_reason(self, client, learner, data):
        page = client.post("/planner/import/", {"file": SimpleUploadedFile("x.ics", data)}, follow=True)
        assert 'class="note bad"' in page.text or "Nothing to import" in page.text

    def test_hostile_entries_are_left_out_or_shown_as_words(self, client, learner):
        hostile = CHOIR.replace("Choir", "<script>alert(1)</script>").replace("WEEKLY;BYDAY=TH", "SECONDLY")
        page = preview(client, hostile, CHOIR.replace("choir@", "x" * 400 + "@"))
        assert "<script>alert" not in page.text
        assert confirm(client, page).status_code == 200


class TestFeed:
    @pytest.fixture
    def address(self, client, learner):
        client.post("/planner/settings/calendar/", {"what": "renew"})
        page = client.get("/planner/settings/")
        return "/planner/calendar/" + re.search(r"/planner/calendar/([^\"]+\.ics)", page.text)[1]

    def test_needs_no_signing_in_and_shows_the_persons_events(self, learner, eve, address):
        add_event(learner, "Choir", at(26, 17), rule="FREQ=WEEKLY;BYDAY=TH")
        add_event(learner, "Gone", at(26, 17), removed_at=at(25))
        add_event(eve, "Secret", at(26, 17))
        answer = Client().get(address)
        assert answer["Content-Type"] == "text/calendar; charset=utf-8"
        text = answer.content.decode()
        assert "SUMMARY:Choir" in text
        assert "RRULE:FREQ=WEEKLY;BYDAY=TH" in text
        assert not {"Secret", "Gone"} & set(re.findall(r"SUMMARY:(\w+)", text))

    def test_is_not_sent_again_unless_something_changed(self, learner, address, monkeypatch):
        event = add_event(learner, "Choir", at(26, 17))
        first = Client().get(address)
        known = {"HTTP_IF_NONE_MATCH": first["ETag"]}
        assert Client().get(address, **known).status_code == 304
        monkeypatch.setattr("django.utils.timezone.now", lambda: at(25, 13))
        event.title = "Big choir"
        event.save()
        assert "Big choir" in Client().get(address, **known).content.decode()

    def test_a_new_address_ends_the_old_one_and_it_can_be_turned_off(self, client, learner, address):
        client.post("/planner/settings/calendar/", {"what": "renew"})
        assert Client().get(address).status_code == 404
        client.post("/planner/settings/calendar/", {"what": "end"})
        assert PlannerSettings.objects.get().feed_key == ""
        assert "Get an address" in client.get("/planner/settings/").text

    @pytest.mark.parametrize("token", ["x", "1..x", "1.abc.def", "%00"])
    def test_a_made_up_address_is_404(self, db, client, token):
        assert client.get(f"/planner/calendar/{token}.ics").status_code == 404

    def test_what_it_says_can_be_imported_again(self, client, learner, address):
        add_event(learner, "Choir", at(26, 17), rule="FREQ=WEEKLY;BYDAY=TH")
        data = SimpleUploadedFile("own.ics", Client().get(address).content)
        CalendarEvent.objects.all().delete()
        confirm(client, client.post("/planner/import/", {"file": data}, follow=True))
        assert CalendarEvent.objects.get().rule == "FREQ=WEEKLY;BYDAY=TH"
