"""Study plans keep to the slots, the hours and the deadline, spread evenly, and say what does not fit."""

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tutoring.planner.times.free_time import BusySpan, FreeSlot, free_slots
from tutoring.planner.times.study_plan import (
    Deadline,
    DueReview,
    PathConcept,
    StudyPlan,
    StudyRequest,
    plan_study,
    spread,
)

BERLIN = ZoneInfo("Europe/Berlin")
MONDAY = datetime(2026, 11, 30, tzinfo=BERLIN)


def week(days: int = 4, *, opens: int = 15, closes: int = 18) -> tuple[FreeSlot, ...]:
    dates = [MONDAY.date() + timedelta(days=each) for each in range(days)]
    return free_slots([], days=dates, opens=opens, closes=closes, zone=BERLIN, shortest=timedelta(minutes=25))


def told(plan: StudyPlan) -> list[str]:
    return [f"{each.start:%a %H:%M} {each.purpose} {each.concept}" for each in plan.sessions]


FRIDAY_TEST = Deadline(at=MONDAY + timedelta(days=4), concept="fractions")


def test_learns_evenly_and_reviews_on_the_last_day() -> None:
    plan = plan_study(
        StudyRequest(
            slots=week(),
            session_minutes=25,
            path=[PathConcept(concept="halves", sessions=1), PathConcept(concept="sums", sessions=2)],
            reviews=[DueReview(concept="times table", due_at=MONDAY + timedelta(days=1, hours=9))],
            deadline=FRIDAY_TEST,
        )
    )
    assert told(plan) == [
        "Mon 15:00 learn halves",
        "Tue 15:00 review times table",
        "Tue 15:35 learn sums",
        "Wed 15:00 learn sums",
        "Thu 15:00 test_review fractions",
    ]
    assert plan.unplanned == ()


def test_says_what_does_not_fit() -> None:
    plan = plan_study(
        StudyRequest(
            slots=week(2),
            session_minutes=60,
            most_a_day=1,
            path=[PathConcept(concept="halves", sessions=1), PathConcept(concept="sums", sessions=3)],
            deadline=FRIDAY_TEST,
        )
    )
    assert told(plan) == ["Mon 15:00 learn halves", "Tue 15:00 test_review fractions"]
    assert plan.unplanned == (("sums", 3),)


def test_only_day_before_a_test_is_for_both() -> None:
    path = [PathConcept(concept="halves", sessions=3)]
    plan = plan_study(StudyRequest(slots=week(1), session_minutes=25, path=path, deadline=FRIDAY_TEST))
    assert told(plan) == ["Mon 15:00 learn halves", "Mon 15:35 test_review fractions"]
    assert plan.unplanned == (("halves", 2),)


def test_day_of_the_test_is_left_free_if_there_is_another() -> None:
    test = Deadline(at=MONDAY + timedelta(days=1, hours=17))
    assert told(plan_study(StudyRequest(slots=week(2), session_minutes=25, deadline=test))) == [
        "Mon 15:00 test_review None"
    ]
    today = Deadline(at=MONDAY + timedelta(hours=16))
    assert told(plan_study(StudyRequest(slots=week(1), session_minutes=25, deadline=today))) == [
        "Mon 15:00 test_review None"
    ]


def test_days_off_stay_off_and_without_slots_nothing_is_planned() -> None:
    request = StudyRequest(
        slots=week(2),
        session_minutes=25,
        path=[PathConcept(concept="halves", sessions=1)],
        days_off=frozenset({MONDAY.date()}),
    )
    assert told(plan_study(request)) == ["Tue 15:00 learn halves"]
    empty = plan_study(StudyRequest(slots=(), session_minutes=25, path=request.path, deadline=FRIDAY_TEST))
    assert (empty.sessions, empty.unplanned) == ((), (("fractions", 1), ("halves", 1)))


def test_session_begins_at_a_round_time() -> None:
    slot = FreeSlot(start=MONDAY + timedelta(hours=15, minutes=21, seconds=9), end=MONDAY + timedelta(hours=16))
    plan = plan_study(StudyRequest(slots=[slot], session_minutes=25, path=[PathConcept(concept="halves", sessions=1)]))
    assert told(plan) == ["Mon 15:25 learn halves"]


def test_review_that_falls_due_later_is_no_part_of_the_plan() -> None:
    later = DueReview(concept="sums", due_at=MONDAY + timedelta(days=9))
    plan = plan_study(StudyRequest(slots=week(), session_minutes=25, reviews=[later], deadline=FRIDAY_TEST))
    assert told(plan) == ["Thu 15:00 test_review fractions"]


@pytest.mark.parametrize("change", [{"session_minutes": 0}, {"most_a_day": 0}])
def test_wrong_numbers_are_refused(change: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="positive"):
        plan_study(StudyRequest(**({"slots": week(), "session_minutes": 25} | change)))  # type: ignore[arg-type]


CONCEPTS = st.sampled_from(["a", "b", "c", "d", "e"])


@st.composite
def requests(draw: st.DrawFn) -> StudyRequest:
    start = datetime(2027, 3, 25, tzinfo=UTC)
    days = [start.date() + timedelta(days=each) for each in range(draw(st.integers(0, 8)))]
    busy = [
        BusySpan(start=at, end=at + timedelta(minutes=draw(st.integers(1, 400))))
        for at in draw(
            st.lists(st.datetimes(datetime(2027, 3, 25), datetime(2027, 4, 2), timezones=st.just(UTC)), max_size=8)
        )
    ]
    slots = free_slots(busy, days=days, opens=8, closes=20, zone=BERLIN, shortest=timedelta(minutes=10))
    path = draw(st.lists(st.builds(PathConcept, concept=CONCEPTS, sessions=st.integers(0, 6)), max_size=4))
    due = st.datetimes(datetime(2027, 3, 20), datetime(2027, 4, 5), timezones=st.just(UTC))
    return StudyRequest(
        slots=slots,
        session_minutes=draw(st.integers(10, 120)),
        path=path,
        reviews=draw(st.lists(st.builds(DueReview, concept=CONCEPTS, due_at=due), max_size=5)),
        deadline=draw(st.none() | st.builds(Deadline, at=due, concept=st.none() | CONCEPTS)),
        most_a_day=draw(st.integers(1, 4)),
        days_off=frozenset(draw(st.lists(st.sampled_from(days), max_size=2)) if days else ()),
    )


@settings(deadline=None, max_examples=200)
@given(requests())
def test_plan_keeps_to_its_bounds(request: StudyRequest) -> None:
    plan = plan_study(request)
    assert plan == plan_study(request)
    sessions = [(each.start.astimezone(UTC), each.end.astimezone(UTC)) for each in plan.sessions]
    slots = [(each.start.astimezone(UTC), each.end.astimezone(UTC)) for each in request.slots]
    for (start, end), session in zip(sessions, plan.sessions, strict=True):
        assert end - start == timedelta(minutes=request.session_minutes)
        assert any(first <= start and end <= last for first, last in slots)
        assert request.deadline is None or end <= request.deadline.at
        assert session.start.date() not in request.days_off
        assert session.why
    assert all(one[1] <= other[0] for one, other in pairwise(sessions))
    by_day = [each.start.date() for each in plan.sessions]
    assert all(by_day.count(day) <= request.most_a_day for day in by_day)
    learned = [each.concept for each in plan.sessions if each.purpose == "learn"]
    wanted = [each.concept for each in request.path for _number in range(each.sessions)]
    assert learned == wanted[: len(learned)]
    missing = dict(plan.unplanned)
    assert len(wanted) - len(learned) <= sum(missing.values())


@given(st.integers(0, 60), st.lists(st.integers(0, 5), max_size=14))
def test_spread_is_even(number: int, rooms: list[int]) -> None:
    counts = spread(number, rooms)
    assert sum(counts) == min(number, sum(rooms))
    assert all(count <= room for count, room in zip(counts, rooms, strict=True))
    open_counts = [count for count, room in zip(counts, rooms, strict=True) if count < room]
    # Who has room left has no more than one less than anybody else.
    assert not open_counts or max(counts) - min(open_counts) <= 1


def test_two_sessions_in_a_week_lie_apart() -> None:
    assert spread(2, [2] * 6) == [0, 1, 0, 0, 1, 0]
    assert date(2026, 11, 30).weekday() == MONDAY.weekday()
