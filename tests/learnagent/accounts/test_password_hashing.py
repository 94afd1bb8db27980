"""Password hashing takes few threads at a time, and lets few wait."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from threading import Event

import pytest
from django.contrib.auth.hashers import PBKDF2PasswordHasher, check_password, make_password
from django.db import connection

from learnagent import settings as project
from learnagent.accounts.authentication import password_hashing
from learnagent.accounts.authentication.password_hashing import MAX_PER_ADDRESS, RETRY_AFTER_S, HashingGate, TooBusy
from learnagent.accounts.authentication.password_resets import reset_address, use_reset
from learnagent.accounts.authentication.sign_in import SIGN_INS, SIGN_UPS
from learnagent.accounts.models import Person
from tests.people import PASSWORD, make_ben

PATIENCE_S = 20
SIGN_IN = "/accounts/sign-in/"


def full_gate():
    gate = HashingGate(at_once=1, waiting=0)
    gate._room.acquire()
    return gate


def test_no_more_than_so_many_hash_at_once():
    gate, inside, most = HashingGate(at_once=2, waiting=20), [], []

    def hash_something(number):
        with gate.slot():
            inside.append(number)
            most.append(len(inside))
            inside.remove(number)

    with ThreadPoolExecutor(10) as threads:
        list(threads.map(hash_something, range(20)))
    assert len(most) == 20
    assert max(most) <= 2


def test_who_finds_the_line_full_is_sent_away_and_others_are_served():
    gate, inside, done = HashingGate(at_once=1, waiting=1), Event(), Event()

    def hash_slowly():
        with gate.slot():
            inside.set()
            done.wait(PATIENCE_S)

    with ThreadPoolExecutor(1) as threads:
        working = threads.submit(hash_slowly)
        inside.wait(PATIENCE_S)
        waiting = gate._room.acquire(blocking=False)
        with pytest.raises(TooBusy), gate.slot():
            pass
        gate._room.release()
        done.set()
        working.result(PATIENCE_S)
    with gate.slot():
        assert waiting


def test_one_address_has_a_share_of_the_room_only():
    gate = HashingGate(at_once=1, waiting=100)
    with ExitStack() as waiting:
        for _ in range(MAX_PER_ADDRESS):
            waiting.enter_context(gate.share_of("203.0.113.9"))
        with pytest.raises(TooBusy), gate.share_of("203.0.113.9"):
            pass
        with gate.share_of("198.51.100.7"), gate.slot():
            pass
    with gate.share_of("203.0.113.9"):
        assert gate._from == {"203.0.113.9": 1}
    assert gate._from == {}


def test_nobody_waits_for_ever(monkeypatch):
    monkeypatch.setattr(password_hashing, "MAX_WAIT_S", 0.0)
    gate = HashingGate(at_once=1, waiting=2)
    with gate.slot(), pytest.raises(TooBusy), gate.slot():
        pass
    with gate.slot():
        assert gate._room._value == 2


def test_whatever_hashes_goes_through_the_gate(settings, monkeypatch):
    settings.PASSWORD_HASHERS = project.PASSWORD_HASHERS
    monkeypatch.setattr(password_hashing.GatedPBKDF2PasswordHasher, "iterations", 1)
    hashed = make_password("x")
    monkeypatch.setattr(password_hashing, "gate", full_gate())
    for action in (lambda: make_password("x"), lambda: check_password("x", hashed), lambda: Person().set_password("x")):
        with pytest.raises(TooBusy):
            action()


def test_hashes_of_before_still_count(settings, monkeypatch):
    monkeypatch.setattr(password_hashing.GatedPBKDF2PasswordHasher, "iterations", 1)
    settings.PASSWORD_HASHERS = project.PASSWORD_HASHERS
    assert check_password("x", PBKDF2PasswordHasher().encode("x", "salt" * 8, 1))


class TestPages:
    """Each page that hashes says so where there is no room, loses nothing, and counts no try."""

    pytestmark = pytest.mark.django_db

    @pytest.fixture(autouse=True)
    def _busy(self, settings, monkeypatch):
        self.ben = make_ben(password=PASSWORD)
        settings.PASSWORD_HASHERS = [*project.PASSWORD_HASHERS, *settings.PASSWORD_HASHERS]
        monkeypatch.setattr(password_hashing, "gate", full_gate())

    def refused(self, response):
        assert (response.status_code, response["Retry-After"]) == (503, str(RETRY_AFTER_S))
        assert "Try again in a few seconds" in response.content.decode()

    def test_signing_in(self, client):
        for _ in range(SIGN_INS.limit + 1):
            self.refused(client.post(SIGN_IN, {"username": "nobody", "password": PASSWORD}))

    def test_signing_up(self, client):
        form = {"username": "mira", "age_band": "adult", "password": "four slow rivers", "again": "four slow rivers"}
        for _ in range(SIGN_UPS.limit + 1):
            self.refused(client.post("/accounts/sign-up/", form))
        assert not Person.objects.filter(username="mira").exists()

    def test_another_password(self, client):
        client.force_login(self.ben)
        form = {"old": PASSWORD, "password": "four slow rivers", "again": "four slow rivers"}
        self.refused(client.post("/accounts/password/", form))

    def test_a_password_by_mail(self, client):
        form = {"password": "four slow rivers", "again": "four slow rivers"}
        self.refused(client.post(reset_address(self.ben).partition(project.PUBLIC_URL)[2], form))


@pytest.mark.django_db(transaction=True)
def test_nobody_hashes_while_others_wait_for_the_database(client, monkeypatch):
    """A transaction of SQLite's keeps every other writer out."""
    within = []
    monkeypatch.setattr(
        "tests.learnagent.accounts.counting_hasher.CountingHasher.encode",
        lambda self, password, salt: within.append(connection.in_atomic_block) or f"md5${salt}${password}",
    )
    form = {"username": "mira", "age_band": "adult", "password": "four slow rivers", "again": "four slow rivers"}
    assert client.post("/accounts/sign-up/", form).status_code == 302
    mira = Person.objects.get()
    use_reset(reset_address(mira).rstrip("/").rpartition("/")[2], "other slow rivers")
    assert within == [False, False]
