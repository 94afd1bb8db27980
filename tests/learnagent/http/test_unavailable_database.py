"""A database that is locked, full or gone is 503 with a time to wait, in the form that whoever asked can use."""

from contextlib import contextmanager
from datetime import timedelta
from itertools import count

import pytest
from django.db import InterfaceError, InternalError, OperationalError, connection
from django.test import Client
from django.utils import timezone

from conversations.models import Folder
from learnagent.accounts.authentication.api_tokens import make_token
from learnagent.accounts.models import ApiToken
from tests import people
from tests.sqlite_locks import foreign_write_lock

pytestmark = pytest.mark.django_db(transaction=True)
on_sqlite = pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL locks no whole database")


@pytest.fixture
def visitor():
    return Client(raise_request_exception=False)


@pytest.fixture
def signed_in(visitor, ada):
    visitor.force_login(ada)
    return visitor


@on_sqlite
def test_form_is_kept_to_be_sent_again(signed_in):
    """G3"""
    with foreign_write_lock():
        answer = signed_in.post("/library/folders/", {"name": 'Halves "and" <quarters>'})
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert "That was not saved" in answer.text
    assert 'name="name" value="Halves &quot;and&quot; &lt;quarters&gt;"' in answer.text
    assert 'action="/library/folders/"' in answer.text


@on_sqlite
def test_password_stands_in_no_page(visitor, settings):
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    people.make_eve(password=people.PASSWORD)
    with foreign_write_lock():
        answer = visitor.post("/accounts/sign-in/", {"username": "eve", "password": people.PASSWORD})
    assert (answer.status_code, people.PASSWORD in answer.text, "go back" in answer.text) == (503, False, True)


@on_sqlite
def test_htmx_is_told_by_the_status_alone(signed_in):
    with foreign_write_lock():
        answer = signed_in.post("/accounts/look/", {"theme": "dark"}, headers={"HX-Request": "true"})
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert answer["Content-Type"].startswith("text/plain")


@on_sqlite
@pytest.mark.parametrize("by", ["json", "accept"])
def test_program_is_told_in_json(signed_in, by):
    asked = {"content_type": "application/json"} if by == "json" else {"headers": {"Accept": "application/json"}}
    with foreign_write_lock():
        answer = signed_in.post("/accounts/look/", {"theme": "dark"}, **asked)
    assert (answer.status_code, answer["Retry-After"], answer["Cache-Control"]) == (503, "5", "no-store")
    assert answer.json()["error"]["code"] == "unavailable"


@on_sqlite
def test_call_that_stores_is_told_in_json(signed_in, ada):
    token = make_token(ada)
    with foreign_write_lock():
        answer = signed_in.post(
            "/v2/conversation",
            {"text": "hello"},
            content_type="application/json",
            headers={"Authorization": f"Bearer {token}"},
        )
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert answer.json()["error"]["code"] == "unavailable"


@on_sqlite
def test_token_that_was_idle_is_read_with_all_the_same(visitor, ada):
    """G3: when it was used last is told later."""
    token = make_token(ada)
    ApiToken.objects.update(last_used_at=timezone.now() - timedelta(days=1))
    with foreign_write_lock():
        answer = visitor.get("/v2/sessions", headers={"Authorization": f"Bearer {token}"})
    assert (answer.status_code, answer.json()) == (200, [])


def fill(person):
    for number in count():
        Folder.objects.create(owner=person, name=f"{number} ".ljust(200))


@on_sqlite
def test_full_disk_is_told(signed_in, eve):
    """G4"""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")
        cursor.execute("PRAGMA page_count")
        [pages] = cursor.fetchone()
        cursor.execute("PRAGMA max_page_count")
        [before] = cursor.fetchone()
        cursor.execute(f"PRAGMA max_page_count = {pages}")
        try:
            with pytest.raises(OperationalError, match="full"):
                fill(eve)
            statuses = [signed_in.post("/library/folders/", {"name": "x" * 200}).status_code for _ in range(20)]
            assert signed_in.get("/library/").status_code == 200
        finally:
            cursor.execute(f"PRAGMA max_page_count = {before}")
    assert (statuses[-1], {*statuses} - {302, 503}) == (503, set())


@contextmanager
def read_only():
    """Let the connection read only, as one to a copy of the database that has not taken over."""
    switch = "PRAGMA query_only" if connection.vendor == "sqlite" else "SET default_transaction_read_only"
    with connection.cursor() as cursor:
        cursor.execute(f"{switch} = on")
        try:
            yield
        finally:
            cursor.execute(f"{switch} = off")


@pytest.mark.db
def test_database_that_is_only_read_is_told(signed_in):
    with read_only():
        answer = signed_in.post("/library/folders/", {"name": "x"})
    assert (answer.status_code, answer["Retry-After"], "That was not saved" in answer.text) == (503, "5", True)


@pytest.mark.db
@pytest.mark.parametrize("address", ["/c/", "/accounts/sign-in/", "/v2/sessions", "/nowhere/"])
def test_place_whose_database_is_gone_says_so_everywhere(signed_in, address):
    """G10: also where what stands before the views asks it, or the page for what is not there."""

    def gone(execute, sql, params, many, context):
        raise OperationalError("secret path")

    with connection.execute_wrapper(gone):
        answer = signed_in.get(address)
    assert (answer.status_code, answer["Retry-After"], "secret" in answer.text) == (503, "5", False)


@pytest.mark.db
@pytest.mark.parametrize("error", [OperationalError, InterfaceError, InternalError])
def test_program_and_monitor_are_told_in_json_whoever_is_signed_in_there(signed_in, error):
    """G10"""

    def gone(execute, sql, params, many, context):
        raise error("secret path")

    with connection.execute_wrapper(gone):
        call, monitor = signed_in.get("/v2/sessions"), signed_in.get("/health")
    assert (call.status_code, call.json()["error"]["code"]) == (503, "unavailable")
    assert (monitor.status_code, monitor.json()["checks"]["database"]) == (503, "gone")


def test_mistake_of_ours_is_still_500(signed_in):
    def wrong(execute, sql, params, many, context):
        raise RuntimeError("ours")

    with connection.execute_wrapper(wrong):
        answer = signed_in.get("/c/")
    assert (answer.status_code, "Something went wrong" in answer.text) == (500, True)
