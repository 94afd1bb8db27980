"""A real server, killed in the middle of a turn; the other steps are for `make drill`."""

from typing import get_args

import pytest

from conversations.turns.fault_injection import KillPoint
from drills import answer_kills, message_kills
from drills.data_folder import prepare_folder
from drills.message_kills import message_killed


@pytest.fixture(scope="module")
def base(tmp_path_factory, empty_database):
    """A data folder of which each of the two drills has a copy."""
    return prepare_folder(tmp_path_factory.mktemp("killed"), with_question=False, empty=empty_database)


@pytest.mark.parametrize(("step", "variant"), [("mid_stream", "sent again"), ("after_reading", "recovers alone")])
def test_turn_killed_while_it_is_served_is_there_once(base, step, variant):
    """F7, NL: sent again on one socket, read on on another; or nobody comes back for it."""
    assert message_killed(base, step=step, variant=variant).faults == ()


@pytest.mark.parametrize("drill", [message_kills, answer_kills])
def test_drills_kill_at_every_step_of_a_turn_that_they_can_reach(drill):
    # An answer posted to a card has no acknowledgement, and only a model's tool has an effect.
    others = {"after_ack", "tool_effect"}
    assert set(get_args(KillPoint)) - others <= set(drill.STEPS)
