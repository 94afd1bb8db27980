"""Both sides of a flag compared: the database's sums are those of the rows, day by day, and only of the time compared."""

import random
import uuid
from collections import defaultdict
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone

from agents.models import FlagChange
from agents.rollout import comparison
from agents.rollout.comparison import COMPARED_FOR, ComparedMetric, Window, compare, window_of
from agents.rollout.flags import change_flag, get_or_make_flag
from conversations.models import Feedback, Session, Turn
from tests import people

pytestmark = [pytest.mark.db, pytest.mark.django_db]
DAY = timedelta(days=1)


@pytest.fixture
def now() -> datetime:
    return timezone.now().replace(microsecond=0)


def session_of(person: Any, side: str, key: str = "s") -> Session:
    return Session.objects.create(owner=person, key=key, flags={"multi_agent": side} if side else {})


def turn_of(session: Session, *, at: datetime, status: str = "done", **metadata: Any) -> Turn:
    return Turn.objects.create(
        owner=session.owner,
        session=session,
        number=session.turns.count() + 1,
        client_id=uuid.uuid4().hex,
        body_hash="",
        status=status,
        created_at=at,
        finished_at=at + timedelta(seconds=1),
        answer={"metadata": {"total_time_ms": 1000.0, "cost_usd": 0.01, "fallback": False} | metadata},
    )


def window(now: datetime) -> Window:
    return Window(flag="multi_agent", since=now - COMPARED_FOR, until=now)


def compared(now: datetime, name: str) -> ComparedMetric:
    return next(each for each in compare(window(now)) if each.metric.name == name)


def test_sums_of_people_are_those_of_their_turns(now: datetime) -> None:
    chance = random.Random(3)
    values: dict[str, dict[str, list[float]]] = {"in": defaultdict(list), "out": defaultdict(list)}
    for number in range(12):
        side = "in" if number % 3 else "out"
        session = session_of(people.make_person(f"p{number}"), side)
        for _ in range(chance.randint(1, 5)):
            ms = chance.uniform(100, 5000)
            turn_of(session, at=now - chance.random() * 13 * DAY, total_time_ms=ms)
            values[side][session.owner.username].append(ms)
    found = compared(now, "seconds").sums
    for side, by_person in values.items():
        totals = [(sum(each), len(each)) for each in by_person.values()]
        sums = found["in" if side == "in" else "out"]
        assert sums.people == len(totals)
        assert sums.value == pytest.approx(sum(value for value, _of in totals))
        assert sums.of == sum(of for _value, of in totals)
        assert sums.value_squares == pytest.approx(sum(value**2 for value, _of in totals))
        assert sums.of_squares == sum(of**2 for _value, of in totals)
        assert sums.products == pytest.approx(sum(value * of for value, of in totals))


def test_each_figure_of_a_turn_is_compared(now: datetime, ada: Any, ben: Any) -> None:
    inside, outside = session_of(ada, "in"), session_of(ben, "out")
    turn_of(inside, at=now - DAY, total_time_ms=3000, cost_usd=0.02, fallback=True)
    failed = turn_of(inside, at=now - DAY, status="failed", total_time_ms=1000, cost_usd=None)
    turn_of(outside, at=now - DAY, total_time_ms=1500, cost_usd=0.03)
    Feedback.objects.create(turn=failed, person=ada, verdict="down", words="no words of this are counted")
    shown = {each.metric.name: (each.shown("in"), each.shown("out")) for each in compare(window(now))}
    assert shown["failures"] == (500, 0)
    assert shown["seconds"] == (pytest.approx(2), pytest.approx(1.5))
    assert shown["cost"] == (pytest.approx(2), pytest.approx(3))
    assert shown["fallbacks"] == (50, 0)
    assert shown["feedback"] == (0, None)


def test_what_is_not_finished_or_of_no_side_or_another_time_does_not_count(now: datetime, ada: Any) -> None:
    turn_of(session_of(ada, ""), at=now - DAY)
    session = session_of(ada, "in", "other")
    turn_of(session, at=now - COMPARED_FOR - DAY)
    turn_of(session, at=now + DAY)
    Turn.objects.filter(pk=turn_of(session, at=now - DAY).pk).update(finished_at=None)
    assert compared(now, "failures").sums["in"].people == 0


def test_figures_are_told_by_day(now: datetime, ada: Any) -> None:
    session = session_of(ada, "in")
    for days, ms in ((1, 1000), (1, 3000), (5, 4000)):
        turn_of(session, at=now - days * DAY, total_time_ms=ms)
    days = compared(now, "seconds").series["in"].days
    assert days == {
        (now - DAY).date(): pytest.approx(2),
        (now - 5 * DAY).date(): pytest.approx(4),
    }


@pytest.mark.parametrize(
    ("inside", "outside", "verdict"), [(3000, 1000, "worse"), (1000, 3000, "better"), (1000, 1000, "same")]
)
def test_a_difference_is_judged_by_what_is_better(now: datetime, inside: int, outside: int, verdict: str) -> None:
    for number in range(60):
        side = "in" if number % 2 else "out"
        session = session_of(people.make_person(f"p{number}"), side)
        turn_of(session, at=now - DAY, total_time_ms=(inside if side == "in" else outside) + number)
    assert compared(now, "seconds").verdict == verdict


def test_too_few_people_are_no_verdict(now: datetime, ada: Any, ben: Any) -> None:
    turn_of(session_of(ada, "in"), at=now - DAY, total_time_ms=1)
    turn_of(session_of(ben, "out"), at=now - DAY, total_time_ms=10**6)
    assert compared(now, "seconds").verdict == "unknown"


def test_queries_do_not_grow_with_the_people(now: datetime, django_assert_num_queries: Any) -> None:
    for number in range(40):
        turn_of(session_of(people.make_person(f"p{number}"), "in" if number % 2 else "out"), at=now - DAY)
    kinds_of_rows = {metric.observations for metric in comparison._metrics.values()}
    with django_assert_num_queries(2 * len(kinds_of_rows)):
        compare(window(now))


# --- The time compared ---


def stopped(at: datetime, *, killed: bool = True) -> None:
    change_flag("multi_agent", killed=killed)
    FlagChange.objects.filter(pk=FlagChange.objects.order_by("-pk")[0].pk).update(at=at)


def test_two_weeks_are_compared(now: datetime) -> None:
    found = window_of(get_or_make_flag("multi_agent"), now=now)
    assert (found.since, found.until) == (now - COMPARED_FOR, now)


def test_a_change_of_the_percentage_does_not_begin_anew(now: datetime) -> None:
    change_flag("multi_agent", percent=Decimal(25))
    assert window_of(get_or_make_flag("multi_agent"), now=now).since == now - COMPARED_FOR


def test_while_the_flag_is_stopped_its_last_time_is_shown(now: datetime) -> None:
    stopped(now - 3 * DAY)
    found = window_of(get_or_make_flag("multi_agent"), now=now)
    assert (found.since, found.until) == (now - COMPARED_FOR, now - 3 * DAY)


def test_after_a_stop_the_comparison_begins_anew(now: datetime) -> None:
    stopped(now - 3 * DAY)
    stopped(now - 2 * DAY, killed=False)
    found = window_of(get_or_make_flag("multi_agent"), now=now)
    assert (found.since, found.until) == (now - 2 * DAY, now)


def test_a_flag_stopped_long_ago_has_nothing_to_compare(now: datetime) -> None:
    stopped(now - 30 * DAY)
    found = window_of(get_or_make_flag("multi_agent"), now=now)
    assert found.since == found.until
    assert not any(each.sums["in"].people for each in compare(found))
