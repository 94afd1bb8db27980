"""The admin announces the end of the v1 API on a page, sees the headers, and the record of changes."""

from datetime import date

import pytest

from conversations.models import V1Deprecation

pytestmark = [pytest.mark.db, pytest.mark.django_db]
PAGE = "/admin/conversations/v1deprecation/"


@pytest.fixture
def admin(client, root):
    client.force_login(root)
    return client


def words_of(response):
    return " ".join(response.content.decode().split())


def send(admin, since="", sunset="", **more):
    latest = V1Deprecation.objects.first()
    return admin.post(PAGE, {"since": since, "sunset": sunset, "seen": latest.pk if latest else "", **more})


def test_an_empty_page_says_that_v1_is_not_deprecated(admin):
    page = words_of(admin.get(PAGE))
    assert "None. The v1 API is not deprecated." in page
    assert "Nobody has changed these dates yet." in page
    assert not V1Deprecation.objects.exists()


def test_an_announcement_is_stored_shown_and_on_record(admin, root):
    assert send(admin, since="2026-11-01").status_code == 302
    row = V1Deprecation.objects.get()
    assert (row.since, row.sunset, row.by) == (date(2026, 11, 1), None, root)
    page = words_of(admin.get(PAGE))
    assert "Deprecation: @1793491200 Sunset: Sat, 01 May 2027 00:00:00 GMT Link: &lt;http" in page
    assert 'value="2026-11-01"' in page
    assert "1 May 2027" in page
    assert send(admin, since="2026-11-01", sunset="2028-02-29").status_code == 302
    assert send(admin).status_code == 302
    assert [each.sunset for each in V1Deprecation.objects.all()] == [None, date(2028, 2, 29), None]
    assert words_of(admin.get(PAGE)).count('<td data-label="Who">root</td>') == 3


def test_a_save_without_a_change_leaves_no_record(admin):
    send(admin)
    assert not V1Deprecation.objects.exists()
    send(admin, since="2026-11-01")
    send(admin, since="2026-11-01")
    assert V1Deprecation.objects.count() == 1


def test_a_preview_shows_the_headers_and_saves_nothing(admin):
    response = send(admin, since="2026-11-01", sunset="2027-12-24", preview="yes")
    assert response.status_code == 200
    assert "Preview, not saved yet" in words_of(response)
    assert "Sunset: Fri, 24 Dec 2027 00:00:00 GMT" in words_of(response)
    assert 'value="2027-12-24"' in words_of(response)
    assert not V1Deprecation.objects.exists()


@pytest.mark.parametrize("more", [{}, {"preview": "yes"}])
@pytest.mark.parametrize(
    ("since", "sunset", "words"),
    [
        ("soon", "", "Enter a valid date."),
        ("2026-02-30", "", "Enter a valid date."),
        ("9999-12-31", "", "Enter a date before the year 2200."),
        ("0001-01-01", "", "Enter a date from the year 2000 on."),
        ("2026-11-01\x00", "", "Enter a valid date."),
        ("2026-11-01", "9999-12-31", "Enter a date before the year 2200."),
        ("2026-11-01", "2026-10-31", "The v1 API cannot be turned off before it is deprecated."),
        ("", "2026-11-01", "Enter the day since which the v1 API is deprecated."),
    ],
)
def test_a_wrong_date_is_refused_beside_its_field_and_kept(admin, since, sunset, words, more):
    response = send(admin, since=since, sunset=sunset, **more)
    assert response.status_code == 422
    assert words in words_of(response)
    assert not V1Deprecation.objects.exists()


def test_the_second_of_two_admins_is_told_of_the_first(admin):
    send(admin, since="2026-11-01")
    response = send(admin, since="2030-01-01", seen="")
    assert response.status_code == 409
    assert "Someone else changed these dates" in words_of(response)
    assert 'value="2030-01-01"' in words_of(response)
    assert V1Deprecation.objects.get().since == date(2026, 11, 1)


@pytest.mark.parametrize("seen", ["x", "-1", str(10**30)])
def test_an_unreadable_version_changes_nothing(admin, seen):
    assert send(admin, since="2026-11-01", seen=seen).status_code == 422
    assert not V1Deprecation.objects.exists()


def test_the_page_is_for_admins(client, grace):
    """A1."""
    client.force_login(grace)
    assert client.get(PAGE).status_code == 404
    assert client.post(PAGE, {"since": "2026-11-01"}).status_code == 404
    assert not V1Deprecation.objects.exists()
