import pytest

from conversations.turns.summary import apology


@pytest.mark.parametrize(
    ("status", "reply", "cards", "is_told"),
    [
        ("failed", "", [], True),
        ("failed", "", [{"kind": "question"}], True),
        ("degraded", "", [], True),
        ("degraded", "", [{"kind": "question"}], False),
        ("degraded", "Here it is.", [], False),
        ("done", "", [], False),
    ],
)
def test_who_sees_nothing_because_an_agent_failed_is_told_so(status, reply, cards, is_told):
    """After a handoff, the first agent has finished and said nothing: the turn is degraded, not failed."""
    assert bool(apology(status, reply=reply, cards=cards)) is is_told
