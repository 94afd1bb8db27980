"""The drill of both sides says what is worse with a flag than without it, and nothing else."""

from drills.scripted_learners.both_sides import compared, worsenings
from tests.drills.test_learner_counters import exchange, played

BOUNCED = exchange("sup")
ANSWERED = exchange("sup", reply="Hello! Say “quiz me” or “one half”.")


def test_more_faults_and_a_longer_way_are_worse():
    inside = [played(9, exchanges=[BOUNCED, BOUNCED]), played(9)]
    outside = [played(5, exchanges=[BOUNCED]), played(5)]
    assert list(worsenings(inside, outside)) == ["bounced 2 (without: 1)", "answers to mastery 9.0 (without: 5.0)"]


def test_the_same_and_better_are_no_worse():
    one, other = [played(5, exchanges=[ANSWERED])], [played(9, exchanges=[BOUNCED])]
    assert list(worsenings(one, one)) == []
    assert list(worsenings(one, other)) == []


def test_both_sides_stand_side_by_side():
    table = compared([played(5)], [played(9, exchanges=[BOUNCED])], flag="multi_agent").splitlines()
    assert table[0] == "Flag multi_agent:"
    assert [line.split() for line in table if "bounced" in line or "answers" in line] == [
        ["bounced", "0", "1"],
        ["answers", "to", "mastery", "5", "9"],
    ]
