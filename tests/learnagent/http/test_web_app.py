"""The site as an app on a device: manifest, icon, and the page for when the server cannot be reached."""

import re
from typing import Any
from urllib.parse import urljoin

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

pytestmark = pytest.mark.db


def is_static(address: str) -> bool:
    return finders.find(address.removeprefix("/static/")) is not None


def test_manifest_names_icons_that_are_there(client: Client) -> None:
    response = client.get("/manifest.webmanifest")
    assert response["Content-Type"] == "application/manifest+json"
    manifest = response.json()
    assert {icon["purpose"] for icon in manifest["icons"]} == {"any", "maskable"}
    assert all(is_static(icon["src"]) for icon in manifest["icons"])


def test_page_links_manifest_and_icons(db: None, client: Client) -> None:
    page = client.get("/accounts/sign-in/").content.decode()
    assert 'rel="manifest" href="/manifest.webmanifest"' in page
    touch = re.search(r'rel="apple-touch-icon" href="([^"]+)"', page)
    assert touch
    assert is_static(touch[1])


def test_browser_that_asks_for_the_old_icon_gets_one(client: Client) -> None:
    response = client.get("/favicon.ico")
    assert response.status_code == 302
    assert is_static(response["Location"])


class TestAway:
    def test_worker_keeps_nothing_but_the_offline_page_and_its_parts(self, client: Client) -> None:
        response = client.get("/service-worker.js")
        assert response["Content-Type"].startswith("text/javascript")
        listed = re.search(r"const KEPT = \[(.*?)\];", response.content.decode())
        assert listed
        offline, *files = re.findall(r'"([^"]+)"', listed[1].replace(r"\u002D", "-"))
        assert client.get(offline).status_code == 200
        assert files
        assert all(is_static(file) for file in files)

    def test_offline_page_is_made_only_of_what_is_kept(self, client: Client) -> None:
        worker = client.get("/service-worker.js").content.decode().replace(r"\u002D", "-")
        page = client.get("/offline/").content.decode()
        parts = [urljoin("/offline/", part) for part in re.findall(r'(?:src|href)="([^"#]+)"', page)]
        assert parts
        assert all(f'"{part}"' in worker for part in parts)

    def test_offline_page_is_the_same_for_everybody(self, db: None, client: Client, ada: Any) -> None:
        nobodys = client.get("/offline/").content
        client.force_login(ada)
        assert client.get("/offline/").content == nobodys

    def test_worker_is_asked_for_anew_each_time(self, client: Client) -> None:
        assert "no-store" in client.get("/service-worker.js")["Cache-Control"]
