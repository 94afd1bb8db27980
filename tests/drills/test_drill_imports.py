"""Every drill can be loaded with what the tests install, and no more."""

from drills.__main__ import DRILLS


def test_every_drill_is_there_to_be_named():
    assert {"kills", "hands", "team"} <= set(DRILLS)
