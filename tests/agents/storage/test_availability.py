"""A database that cannot be used: what does without it, and what outlives it."""

import logging

import pytest
from django.contrib.auth import get_user_model
from django.db import OperationalError, connection

from agents.storage.availability import FailureStreak, best_effort
from tests import people
from tests.sqlite_locks import foreign_write_lock


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL locks no whole database")
def test_what_reading_does_not_need_is_dropped_where_another_writes():
    with foreign_write_lock(), best_effort("a note"):
        people.make_eve()
    assert not get_user_model().objects.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL has no such setting")
def test_what_is_needed_waits_as_long_as_before():
    with best_effort("a note"):
        people.make_eve()
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout")
        assert cursor.fetchone() == (connection.settings_dict["OPTIONS"]["timeout"] * 1000,)


@pytest.mark.db
@pytest.mark.django_db
def test_what_reading_does_not_need_is_written_where_it_can_be():
    with best_effort("a note"):
        people.make_eve()
    assert get_user_model().objects.count() == 1


@pytest.mark.db
@pytest.mark.django_db
def test_transaction_goes_on_after_what_was_dropped(ada):
    with best_effort("a note"):
        people.make_eve()
        raise OperationalError("the disk is full")
    people.make_ben()
    assert {*get_user_model().objects.values_list("username", flat=True)} == {"ada", "ben"}


def test_mistake_of_ours_is_not_dropped(db):
    with pytest.raises(ValueError, match="ours"), best_effort("a note"):
        raise ValueError("ours")


def test_failures_in_a_row_are_told_once_and_so_is_their_end(caplog):
    caplog.set_level(logging.WARNING)
    streak = FailureStreak("the watch")
    for fails in (True, True, True, False, False, True):
        with streak.survive():
            if fails:
                raise OperationalError("database is locked")
    assert [record.message for record in caplog.records] == [
        "the watch: failed, will be retried: database is locked",
        "the watch: works again after 3 failures",
        "the watch: failed, will be retried: database is locked",
    ]
