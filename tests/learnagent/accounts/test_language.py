"""The language of the pages: a person's own, else the browser's."""

from typing import Any

import pytest
from django.test import Client

pytestmark = pytest.mark.db
SIGN_IN = "http://testserver/accounts/sign-in/"


def page(client: Client, address: str = "/accounts/profile/") -> str:
    return client.get(address).content.decode()


def test_pages_are_in_the_language_of_whoever_is_signed_in(client: Client, ada: Any) -> None:
    client.force_login(ada)
    assert client.post("/accounts/language/", {"language": "es"})["Location"] == "/"
    ada.refresh_from_db()
    assert ada.language == "es"
    assert '<html lang="es"' in page(client)
    assert "Cerrar sesión" in page(client)


def test_language_of_somebody_signed_out_is_kept_in_the_browser(db: None, client: Client) -> None:
    response = client.post("/accounts/language/", {"language": "es"}, headers={"Referer": SIGN_IN})
    assert response["Location"] == SIGN_IN
    assert "Iniciar sesión" in page(client, "/accounts/sign-in/")


def test_browser_names_the_language_where_nobody_has_chosen(db: None, client: Client) -> None:
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "es-MX,es;q=0.9"
    assert '<html lang="es"' in page(client, "/accounts/sign-in/")


@pytest.mark.parametrize("unknown", ["", "xx", "en'><script>"])
def test_unknown_language_changes_nothing(client: Client, ada: Any, unknown: str) -> None:
    client.force_login(ada)
    client.post("/accounts/language/", {"language": unknown})
    ada.refresh_from_db()
    assert ada.language == "en"


def test_the_way_back_stays_on_this_site(db: None, client: Client) -> None:
    response = client.post("/accounts/language/", {"language": "es"}, headers={"Referer": "https://elsewhere.example/"})
    assert response["Location"] == "/"
