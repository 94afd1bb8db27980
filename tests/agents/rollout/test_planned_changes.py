"""Planned changes: made on time and once, on record, cancelled, and never forced upon what somebody has changed since."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from agents.models import FlagChange, PlannedChange
from agents.personal import erase
from agents.rollout import guards
from agents.rollout.flags import FlagConflict, UnknownFlag, change_flag, get_or_make_flag
from agents.rollout.planned_changes import MOST_WAITING, cancel_planned_change, make_due_changes, plan_change
from agents.rollout.rule import RolloutRule
from learnagent.operations.recurring_work import RECURRING_WORK

pytestmark = [pytest.mark.db, pytest.mark.django_db]
Status = PlannedChange.Status
HOUR = timedelta(hours=1)


def plan(percent: int, *, hours: int = 1, by: Any = None, name: str = "multi_agent") -> PlannedChange:
    return plan_change(name, due_at=timezone.now() + hours * HOUR, percent=Decimal(percent), by=by)


def let_hours_pass(hours: int) -> None:
    for planned in PlannedChange.objects.all():
        planned.due_at -= hours * HOUR
        planned.save()


def percent() -> Decimal:
    return get_or_make_flag("multi_agent").percent


def test_a_change_is_made_when_its_time_has_come_and_once(root: Any) -> None:
    planned = plan(25, by=root)
    make_due_changes()
    assert percent() == 100
    let_hours_pass(1)
    make_due_changes()
    make_due_changes()
    change = FlagChange.objects.get()
    assert (change.by, change.before["percent"], change.after["percent"]) == (root, "100.00", "25.00")
    planned.refresh_from_db()
    assert planned.status == Status.DONE
    assert planned.ended_at is not None


def test_the_worker_makes_them() -> None:
    assert make_due_changes in RECURRING_WORK


def test_steps_that_follow_each_other_are_no_conflict() -> None:
    for hours, share in enumerate((5, 25, 50), 1):
        plan(share, hours=hours)
    for share in (5, 25, 50):
        let_hours_pass(1)
        make_due_changes()
        assert percent() == share
    assert set(PlannedChange.objects.values_list("status", flat=True)) == {Status.DONE}


def test_steps_that_are_all_due_are_made_in_their_order() -> None:
    plan(50, hours=2)
    plan(25, hours=1)
    let_hours_pass(3)
    make_due_changes()
    assert percent() == 50
    assert FlagChange.objects.count() == 2


def test_what_somebody_changed_since_is_reported_and_not_forced(root: Any) -> None:
    planned = plan(50)
    change_flag("multi_agent", by=root, killed=True)
    let_hours_pass(1)
    make_due_changes()
    planned.refresh_from_db()
    assert planned.status == Status.CONFLICT
    flag = get_or_make_flag("multi_agent")
    assert (flag.percent, flag.killed, flag.version) == (100, True, 2)


def test_a_guards_refusal_is_reported() -> None:
    def guard(before: RolloutRule, after: RolloutRule) -> str:
        return "The two stores differ in 4 places."

    guards.register_guard("multi_agent", guard)
    try:
        planned = plan(50)
        let_hours_pass(1)
        make_due_changes()
    finally:
        guards.unregister_guard("multi_agent", guard)
    planned.refresh_from_db()
    assert (planned.status, "4 places" in planned.why_not) == (Status.REFUSED, True)
    assert percent() == 100


def test_one_that_does_not_fit_keeps_no_other_from_being_made() -> None:
    plan(50, hours=1)
    change_flag("multi_agent", percent=Decimal(75))
    plan_change("affect", due_at=timezone.now() + 2 * HOUR, percent=Decimal(0), by=None)
    let_hours_pass(3)
    make_due_changes()
    assert get_or_make_flag("affect").percent == 0


def test_a_cancelled_change_is_not_made_and_stays_on_record(root: Any) -> None:
    planned = plan(50)
    flag = get_or_make_flag("multi_agent")
    assert cancel_planned_change(planned.pk, flag=flag, by=root)
    assert not cancel_planned_change(planned.pk, flag=flag, by=root)
    let_hours_pass(1)
    make_due_changes()
    planned.refresh_from_db()
    assert (planned.status, planned.cancelled_by) == (Status.CANCELLED, root)
    assert percent() == 100


def test_a_change_is_cancelled_at_its_own_flag_only() -> None:
    planned = plan(50)
    assert not cancel_planned_change(planned.pk, flag=get_or_make_flag("affect"), by=None)


@pytest.mark.parametrize("share", ["-1", "101", "0.001", "NaN"])
def test_a_wrong_percentage_is_refused_when_it_is_planned(share: str) -> None:
    """R7."""
    with pytest.raises(ValidationError) as caught:
        plan_change("multi_agent", due_at=timezone.now() + HOUR, percent=Decimal(share), by=None)
    assert set(caught.value.message_dict) == {"percent"}


def test_the_past_an_unknown_flag_and_an_old_version_are_refused() -> None:
    with pytest.raises(ValidationError, match="future"):
        plan(5, hours=-1)
    with pytest.raises(UnknownFlag):
        plan(5, name="nothing")
    change_flag("multi_agent", percent=Decimal(5))
    with pytest.raises(FlagConflict):
        plan_change("multi_agent", due_at=timezone.now() + HOUR, percent=Decimal(5), by=None, version=1)
    assert not PlannedChange.objects.exists()


def test_so_many_plans_are_a_mistake() -> None:
    for _ in range(MOST_WAITING):
        plan(5)
    with pytest.raises(ValidationError, match="Too many"):
        plan(5)


def test_an_erased_person_on_the_list_does_not_stand_in_the_way(ada: Any) -> None:
    change_flag("multi_agent", allowed=["ada"])
    plan(50)
    erase(ada)
    let_hours_pass(1)
    make_due_changes()
    assert percent() == 50
