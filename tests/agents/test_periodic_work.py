"""Work that comes round again."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from agents.models import PeriodicWork
from agents.periodic_work import LEASE, PeriodicJob, latest_night, run_due_jobs

pytestmark = [pytest.mark.db, pytest.mark.django_db]
NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture
def done():
    return []


@pytest.fixture
def works(done):
    return [PeriodicJob(name="sweep", latest=latest_night, do=lambda: done.append("sweep"))]


@pytest.fixture(autouse=True)
def _utc():
    with timezone.override(UTC):
        yield


def test_night_is_the_last_one():
    assert latest_night(NOON) == NOON.replace(hour=3)
    assert latest_night(NOON.replace(hour=2)) == NOON.replace(hour=3) - DAY
    assert latest_night(NOON.replace(hour=3)) == NOON.replace(hour=3)


def test_due_work_is_done_once_a_night(works, done):
    assert [run_due_jobs(works, now=NOON + hours) for hours in (timedelta(0), timedelta(hours=9), 0.7 * DAY, DAY)] == [
        ["sweep"], [], ["sweep"], [],
    ]  # fmt: skip
    assert done == ["sweep"] * 2


def test_what_was_slept_through_is_caught_up_on_once(works, done):
    run_due_jobs(works, now=NOON)
    run_due_jobs(works, now=NOON + 9 * DAY)
    run_due_jobs(works, now=NOON + 9 * DAY + timedelta(minutes=1))
    assert done == ["sweep"] * 2


def test_clock_set_back_puts_nothing_off_for_days(works, done):
    """G11: once more does no harm; not for as long as the clock was ahead would."""
    run_due_jobs(works, now=NOON)
    for hours in range(3):
        run_due_jobs(works, now=NOON - 3 * DAY + timedelta(hours=hours))
    assert done == ["sweep"] * 2


def test_lease_of_a_clock_that_ran_ahead_holds_nothing_back(works, done):
    """G11"""
    PeriodicWork.objects.create(name="sweep", held_until=NOON + 3 * DAY)
    run_due_jobs(works, now=NOON)
    assert done == ["sweep"]


def test_whoever_looks_while_another_is_at_it_leaves_it_alone(works, done):
    inner = []
    works[0] = PeriodicJob(
        name="sweep",
        latest=latest_night,
        do=lambda: inner.append(run_due_jobs(works, now=NOON + timedelta(seconds=30))),
    )
    assert run_due_jobs(works, now=NOON) == ["sweep"]
    assert inner == [[]]


def test_work_whose_process_died_is_done_when_its_lease_is_over(works, done):
    PeriodicWork.objects.create(name="sweep", held_until=NOON + LEASE)
    assert run_due_jobs(works, now=NOON) == []
    assert run_due_jobs(works, now=NOON + LEASE) == ["sweep"]


def test_work_that_fails_is_left_alone_for_a_while_and_stops_no_other(works, done, log):
    def fail():
        raise ValueError("no")

    works.insert(0, PeriodicJob(name="broken", latest=latest_night, do=fail))
    assert run_due_jobs(works, now=NOON) == ["sweep"]
    assert log.named("job_failed")[0]["job"] == "broken"
    works[0] = PeriodicJob(name="broken", latest=latest_night, do=lambda: done.append("mended"))
    assert run_due_jobs(works, now=NOON + LEASE / 2) == []
    assert run_due_jobs(works, now=NOON + LEASE) == ["broken"]
    assert done == ["sweep", "mended"]
    assert [event["job"] for event in log.named("job_recovered")] == ["broken"]
