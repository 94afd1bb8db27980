"""A database that cannot be used: what does without it, and what outlives it."""

import pytest
from django.contrib.auth import get_user_model
from django.db import IntegrityError, InterfaceError, OperationalError, connection

from agents.storage.availability import FailureStreak, best_effort, database, log_database_error
from conversations.processes import heartbeats
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


def test_failures_in_a_row_are_told_once_and_so_is_their_end(log):
    streak = FailureStreak("the watch")
    for fails in (True, True, True, False, False, True):
        with streak.survive():
            if fails:
                raise ValueError("no")
    failed, recovered, again = log.named("work_failed", "work_recovered")
    assert (failed["work"], "ValueError: no" in failed["exception"]) == ("the watch", True)
    assert (recovered["event"], recovered["failures"]) == ("work_recovered", 3)
    assert again["event"] == "work_failed"


@pytest.mark.django_db
def test_outage_of_the_database_is_told_once_whoever_notices_it(log):
    """G3: the heartbeat notices its end."""
    errors_before = database.total
    for work in ("the watch", "the watch", "another"):
        with FailureStreak(work).survive():
            raise OperationalError("database is locked")
    log_database_error("note_not_stored", InterfaceError("connection already closed"))
    heartbeats.record_heartbeat("web")
    heartbeats.record_heartbeat("web")
    lost, back = log.events
    assert (lost["event"], lost["service"]) == ("service_lost", "database")
    assert lost["error"] == "OperationalError: database is locked"
    assert (back["event"], back["service"], back["failures"]) == ("service_back", "database", 4)
    assert database.total - errors_before == 4


def test_other_errors_of_the_database_are_told_each(log):
    log_database_error("note_not_stored", IntegrityError("one of ours"), note=7)
    [event] = log.events
    assert (event["event"], event["note"], database.failures) == ("note_not_stored", 7, 0)
