"""The site's name, color and contact, and announcements: who sees them, for how long, and that colors can be read."""

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.test import Client
from django.utils import timezone

from learnagent.accounts.models import Accent, Announcement, SiteLook
from learnagent.site.look import announcements_for, close_announcement, forget_look
from tutoring.classes.membership import join_class, make_class

pytestmark = [pytest.mark.db, pytest.mark.django_db]
CSS = (Path(__file__).parents[3] / "static/css/base.css").read_text()
LOOK, ADD = "/admin/accounts/sitelook/", "/admin/accounts/announcement/add/"


def announce(text: str = "No lessons on Friday", **fields: Any) -> Announcement:
    row = Announcement.objects.create(text=text, **fields)
    forget_look()
    return row


def seen(person: Any) -> list[str]:
    return [each.text for each in announcements_for(person)]


def colors(accent: str) -> dict[str, tuple[str, str]]:
    """Return the colors of a block of CSS: name → light, dark."""
    block = CSS.split(":root {")[1] if accent == "teal" else CSS.split(f'[data-accent="{accent}"] {{')[1]
    found = re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)", block.split("}")[0])
    return {name: (light, dark) for name, light, dark in found}


def luminance(color: str) -> float:
    channels = (int(color[place : place + 2], 16) / 255 for place in (1, 3, 5))
    red, green, blue = (each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("accent", Accent.values)
@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_every_color_can_be_read(accent: str, scheme: int) -> None:
    page, chosen = colors("teal"), colors(accent)
    for ground in (page["paper"], page["surface"], chosen["accent-wash"]):
        assert contrast(chosen["accent"][scheme], ground[scheme]) >= 4.5
        assert contrast(chosen["accent-strong"][scheme], ground[scheme]) >= 4.5
    assert contrast(chosen["accent-ink"][scheme], chosen["accent"][scheme]) >= 4.5
    assert contrast(page["ink"][scheme], chosen["accent-wash"][scheme]) >= 4.5


def test_admin_names_the_site_and_every_page_has_the_name(client: Client, root: Any) -> None:
    ContentType.objects.clear_cache()  # Its ids are of the database as a test before left it.
    client.force_login(root)
    form = client.get(LOOK).url
    client.post(form, {"name": "Hill <School>", "accent": "blue", "contact": "office@school.example"})
    page = client.get("/accounts/profile/").text
    assert "<title>Profile · Hill &lt;School&gt;</title>" in page
    assert 'data-accent="blue"' in page
    assert page.count("<bdi>Hill &lt;School&gt;</bdi>") == 2
    assert "office@school.example" in Client().get("/accounts/sign-in/").text
    assert client.get("/manifest.webmanifest").json()["name"] == "Hill <School>"
    assert "Changed color from teal to blue." in LogEntry.objects.get().get_change_message()


def test_site_without_a_row_has_the_default_name(client: Client) -> None:
    forget_look()
    page = client.get("/accounts/sign-in/").text
    assert "<title>Sign in · learnagent</title>" in page
    assert "data-accent" not in page
    assert not SiteLook.objects.exists()


def test_announcement_is_for_its_audience(ben: Any, eve: Any, grace: Any) -> None:
    make_class(grace, "4b", code="4b")
    join_class(ben, "4b")
    announce("everybody")
    announce("teachers", audience="teacher")
    announce("class", audience="class", class_code="4b")
    assert sorted(seen(ben)) == ["class", "everybody"]
    assert sorted(seen(grace)) == ["class", "everybody", "teachers"]
    assert seen(eve) == ["everybody"]


def test_announcement_has_a_beginning_and_an_end(ben: Any) -> None:
    now, hour = timezone.now(), timedelta(hours=1)
    announce("over", starts_at=now - 2 * hour, ends_at=now - hour)
    announce("to come", starts_at=now + hour)
    announce("now", starts_at=now - hour, ends_at=now + hour)
    assert seen(ben) == ["now"]


def test_person_closes_it_for_good_and_others_still_see_it(client: Client, ben: Any, eve: Any) -> None:
    row = announce("<b>No lessons</b>")
    client.force_login(ben)
    assert "&lt;b&gt;No lessons&lt;/b&gt;" in client.get("/accounts/profile/").text
    profile = "http://testserver/accounts/profile/"
    closing = f"/announcements/{row.pk}/close/"
    assert client.post(closing, headers={"Referer": profile}).url == profile
    assert (seen(ben), seen(eve)) == ([], ["<b>No lessons</b>"])
    assert client.post(closing).status_code == 404


def test_only_what_is_shown_to_somebody_can_be_closed(ben: Any) -> None:
    assert not close_announcement(ben, announce(audience="teacher").pk)


def test_nobody_who_is_signed_out_sees_it(client: Client) -> None:
    announce()
    assert "No lessons" not in client.get("/accounts/sign-in/").text


def test_admin_writes_it_and_a_class_is_needed_only_for_one(client: Client, root: Any, grace: Any) -> None:
    ContentType.objects.clear_cache()
    make_class(grace, "4b", code="4b")
    client.force_login(root)
    now = timezone.now()
    text = {"text": "Trip", "audience": "class", "starts_at_0": f"{now:%Y-%m-%d}", "starts_at_1": f"{now:%H:%M:%S}"}
    assert "Choose a class if" in client.post(ADD, text).text
    assert client.post(ADD, text | {"class_code": "4b"}).status_code == 302
    assert seen(grace) == ["Trip"]
    assert Announcement.objects.get().by == root
