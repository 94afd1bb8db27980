"""A round of recurring work is done by one process, however many begin it."""

from datetime import timedelta

import pytest
from django.utils import timezone

from agents.models import PeriodicWork
from learnagent.operations import recurring_work
from learnagent.operations.recurring_work import LATE_AFTER, PAUSE, ROUND, is_late, run_recurring_work

pytestmark = [pytest.mark.db, pytest.mark.django_db]
SECOND = timedelta(seconds=1)


@pytest.fixture
def rounds(monkeypatch):
    done = []

    def fail():
        raise RuntimeError

    def count():
        done.append("done")

    monkeypatch.setattr(recurring_work, "RECURRING_WORK", (fail, count))
    return done


def begun(at):
    """Let the latest round have begun at that time."""
    PeriodicWork.objects.update_or_create(name=ROUND, defaults={"done_for": at})


def test_two_that_begin_a_round_do_it_once(rounds):
    run_recurring_work()
    run_recurring_work()
    assert rounds == ["done"]


@pytest.mark.parametrize("ago", [PAUSE + SECOND, -PAUSE - SECOND], ids=["long ago", "by a fast clock"])
def test_next_round_is_done(rounds, ago):
    begun(timezone.now() - ago)
    run_recurring_work()
    assert rounds == ["done"]


def test_rounds_are_late_before_the_first_and_long_after_the_latest(rounds):
    assert is_late()
    run_recurring_work()
    assert not is_late()
    begun(timezone.now() - LATE_AFTER - SECOND)
    assert is_late()
