"""A real server, killed in the middle of a turn; the other steps are for `make drill`."""

from typing import get_args

import pytest

from conversations.turns.fault_injection import KillPoint
from drills import answer_kills, message_kills
from drills.data_folder import prepare_folder
from drills.message_kills import message_killed


@pytest.mark.parametrize(("step", "variant"), [("mid_stream", "sent again"), ("after_reading", "recovers alone")])
def test_turn_killed_while_it_is_served_is_there_once(tmp_path, empty_database, step, variant):
    """F7, NL: sent again on one socket, read on on another; or nobody comes back for it."""
    base = prepare_folder(tmp_path, with_question=False, empty=empty_database)
    assert message_killed(base, step=step, variant=variant).faults == ()


@pytest.mark.parametrize("drill", [message_kills, answer_kills])
def test_drills_kill_at_every_step_of_a_turn_that_they_can_reach(drill):
    # An answer posted to a card has no acknowledgement, and only a model's tool has an effect.
    others = {"after_ack", "tool_effect"}
    assert set(get_args(KillPoint)) - others <= set(drill.STEPS)
