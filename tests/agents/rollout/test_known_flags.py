"""The known flags: their state on a new site, their names as settings, what is valid, and the guards of a step."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command

from agents.models import Flag, FlagChange
from agents.rollout import flags, guards
from agents.rollout.flags import (
    change_flag,
    get_or_make_flag,
    is_enabled,
    is_switched_on,
    make_known_flags,
    mode_of,
    reset_rollout,
    sides_of,
    stays_enabled,
)
from agents.rollout.known_flags import KNOWN_FLAGS, STORAGE, as_settings
from agents.rollout.rule import RolloutRule

pytestmark = [pytest.mark.db, pytest.mark.django_db]


def test_a_new_site_has_everything_on(ada: Any) -> None:
    assert all(is_enabled(name, ada) for name in KNOWN_FLAGS)
    assert mode_of(STORAGE) == "v2"


def test_every_flag_is_shown_by_its_names_as_settings() -> None:
    make_known_flags()
    change_flag("multi_agent", percent=Decimal(25), allowed=["ada"])
    change_flag("vision_agent", killed=True)
    change_flag(STORAGE, mode="dual")
    shown = dict(pair for flag in Flag.objects.all() for pair in as_settings(flag))
    assert shown == {
        "ENABLE_MULTI_AGENT": "True",
        "V2_TRAFFIC_PERCENTAGE": "25",
        "V2_USER_WHITELIST": "['ada']",
        "ENABLE_ANALYSIS_AGENT": "True",
        "ENABLE_RESEARCH_AGENT": "True",
        "ENABLE_VISION_AGENT": "False",
        "ENABLE_SYNTHESIS_AGENT": "True",
        "V2_FALLBACK_TO_V1": "True",
        "ENABLE_V2_STORAGE": "True",
        "V2_STORAGE_READ_MODE": "dual",
    }


def test_the_kill_switch_is_the_setting_without_which_nobody_is_in(ada: Any) -> None:
    flag = change_flag("multi_agent", killed=True, allowed=["ada"])
    assert as_settings(flag)[0] == ("ENABLE_MULTI_AGENT", "False")
    assert not is_enabled("multi_agent", ada)


@pytest.mark.parametrize(
    ("name", "change", "field"),
    [
        ("v2_fallback_to_v1", {"percent": Decimal(25)}, "percent"),
        (STORAGE, {"percent": Decimal(5)}, "percent"),
        (STORAGE, {"mode": "v3"}, "mode"),
        (STORAGE, {"mode": ""}, "mode"),
        ("multi_agent", {"mode": "v1"}, "mode"),
    ],
)
def test_a_setting_that_the_flag_does_not_have_is_refused(name: str, change: dict[str, Any], field: str) -> None:
    with pytest.raises(ValidationError) as caught:
        change_flag(name, **change)
    assert set(caught.value.message_dict) == {field}
    assert not FlagChange.objects.exists()


def test_a_flag_that_is_off_is_in_its_safest_mode() -> None:
    change_flag(STORAGE, mode="dual")
    assert mode_of(STORAGE) == "dual"
    change_flag(STORAGE, killed=True)
    assert (mode_of(STORAGE), is_switched_on(STORAGE)) == ("v1", False)
    change_flag(STORAGE, killed=False, percent=Decimal(0))
    assert mode_of(STORAGE) == "v1"


# --- Guards ---


@pytest.fixture
def divergence() -> Iterator[list[int]]:
    """The number of places in which two stores differ, as a registered guard counts them."""
    count = [0]

    def guard(before: RolloutRule, after: RolloutRule) -> str:
        return f"The two stores differ in {count[0]} places." if count[0] else ""

    guards.register_guard(STORAGE, guard)
    guards.register_guard(STORAGE, guard)
    yield count
    guards.unregister_guard(STORAGE, guard)


def test_a_step_is_taken_while_the_stores_are_the_same(divergence: list[int]) -> None:
    assert change_flag(STORAGE, mode="dual").mode == "dual"


def test_a_step_is_refused_while_the_stores_differ(divergence: list[int]) -> None:
    divergence[0] = 3
    for change in ({"mode": "dual"}, {"percent": Decimal(0)}, {"mode": "v1", "killed": True}):
        with pytest.raises(ValidationError, match="differ in 3 places") as caught:
            change_flag(STORAGE, **change)
        assert caught.value.code == flags.GUARDED
    assert get_or_make_flag(STORAGE).mode == "v2"
    assert not FlagChange.objects.exists()


def test_the_kill_switch_needs_no_guards_leave(divergence: list[int]) -> None:
    divergence[0] = 1
    assert change_flag(STORAGE, killed=True).killed
    with pytest.raises(ValidationError, match="differ in 1 places"):
        change_flag(STORAGE, killed=False)


def test_a_guard_is_for_its_own_flag(divergence: list[int]) -> None:
    divergence[0] = 1
    assert change_flag("multi_agent", percent=Decimal(5)).percent == 5


def test_the_command_says_why_a_step_is_refused(divergence: list[int]) -> None:
    divergence[0] = 2
    with pytest.raises(CommandError, match="differ in 2 places"):
        call_command("flag", STORAGE, "--percent", "0")


def test_the_safe_rollout_leaves_what_a_guard_refuses(divergence: list[int], ada: Any) -> None:
    divergence[0] = 2
    assert list(reset_rollout()) == [STORAGE]
    assert get_or_make_flag(STORAGE).percent == 100
    assert not is_enabled("multi_agent", ada)
    divergence[0] = 0
    assert reset_rollout() == {}
    assert mode_of(STORAGE) == "v1"
    assert is_switched_on("v2_fallback_to_v1")


# --- A conversation's side ---


def test_a_conversation_stays_on_its_side(ada: Any) -> None:
    inside = sides_of(ada)
    assert inside["multi_agent"] == "in"
    change_flag("multi_agent", percent=Decimal(0))
    outside = sides_of(ada)
    assert stays_enabled("multi_agent", ada, inside)
    change_flag("multi_agent", percent=Decimal(100))
    assert not stays_enabled("multi_agent", ada, outside)
    assert stays_enabled("multi_agent", ada, {})


def test_the_kill_switch_beats_the_side(ada: Any) -> None:
    inside = sides_of(ada)
    change_flag("multi_agent", killed=True)
    assert not stays_enabled("multi_agent", ada, inside)


def test_flags_of_the_whole_site_have_no_sides(ada: Any) -> None:
    assert set(sides_of(ada)) == {"multi_agent", "analysis_agent", "research_agent", "vision_agent", "synthesis_agent"}


def test_all_flags_are_read_by_one_query(ada: Any, django_assert_num_queries: Any) -> None:
    """A check costs a query every two seconds, whatever it asks for; what is cached costs none."""
    with django_assert_num_queries(1):
        for name in KNOWN_FLAGS:
            is_enabled(name, ada)
        sides_of(ada)
