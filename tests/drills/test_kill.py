"""A real server, killed in the middle of a turn; the other steps are for `make drill`."""

from drills.kills import message_killed
from drills.prepared import prepared


def test_turn_killed_while_it_streams_is_there_once(tmp_path, empty_database):
    """F7, NL: sent again on one socket, read on on another."""
    base = prepared(tmp_path, with_question=False, empty=empty_database)
    assert message_killed(base, step="mid_stream", variant="sent again").faults == ()
