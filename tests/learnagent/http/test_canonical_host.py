"""A page is shown under the public address only."""

from django.conf import settings
from django.test import Client


def test_page_under_another_name_is_sent_to_the_public_address(db):
    answer = Client().get("/learn/?page=2", headers={"accept": "text/html", "host": "localhost:9"})
    assert (answer.status_code, answer["Location"]) == (302, f"{settings.PUBLIC_URL}/learn/?page=2")


def test_program_is_answered_under_any_name(db):
    assert Client().get("/health", headers={"host": "localhost:9"}).status_code == 200


def test_page_under_the_public_address_stays(db):
    host = settings.PUBLIC_URL.split("//")[1]
    answer = Client().get("/accounts/sign-in/", headers={"accept": "text/html", "host": host})
    assert answer.status_code == 200
