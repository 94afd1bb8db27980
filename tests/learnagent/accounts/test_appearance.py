"""Light, dark and the size of the text, from any page."""

from typing import Any

import pytest
from django.test import Client

pytestmark = pytest.mark.db
SIGN_UP = "http://testserver/accounts/sign-up/"
DARK = {"theme": "dark", "text_size": "large"}


def test_look_of_whoever_is_signed_in_is_kept_in_the_profile(client: Client, ada: Any) -> None:
    client.force_login(ada)
    response = client.post("/accounts/look/", DARK, headers={"HX-Request": "true"})
    assert response.status_code == 204
    ada.refresh_from_db()
    assert (ada.theme, ada.text_size) == ("dark", "large")
    page = client.get("/").content.decode()
    assert 'data-theme="dark" data-text="large"' in page
    assert 'content="#fbf8f2"' not in page


def test_look_of_somebody_signed_out_is_kept_in_the_browser(db: None, client: Client) -> None:
    response = client.post("/accounts/look/", DARK, headers={"Referer": SIGN_UP})
    assert response["Location"] == SIGN_UP
    assert 'data-theme="dark" data-text="large"' in client.get("/accounts/sign-in/").content.decode()


@pytest.mark.parametrize("cookie", ["", "dark", "purple.huge", '"><script>.x', "." * 500])
def test_made_up_cookie_changes_nothing_that_it_must_not(db: None, client: Client, cookie: str) -> None:
    client.cookies["look"] = cookie
    page = client.get("/accounts/sign-in/").content.decode()
    assert 'data-text="normal"' in page
    assert "purple" not in page


def test_what_is_not_a_choice_is_left_as_it_was(client: Client, ada: Any) -> None:
    client.force_login(ada)
    client.post("/accounts/look/", {"theme": "dark", "text_size": "gigantic"})
    ada.refresh_from_db()
    assert (ada.theme, ada.text_size) == ("dark", "normal")


def test_the_way_back_stays_on_this_site(db: None, client: Client) -> None:
    response = client.post("/accounts/look/", DARK, headers={"Referer": "https://elsewhere.example/"})
    assert response["Location"] == "/"


def test_reading_the_address_changes_nothing(db: None, client: Client) -> None:
    assert client.get("/accounts/look/").status_code == 405
