"""Who needs help now."""

from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from tutoring.classes.help_rules import (
    INACTIVE_AFTER,
    AnswerMark,
    MissStreak,
    misses_in_a_row,
    reasons_to_help,
    total_urgency,
)

NOW = datetime(2026, 11, 20, tzinfo=UTC)
LONG_AGO = NOW - timedelta(weeks=6)


def streaks(**counts):
    return {concept: MissStreak(count=count, since=LONG_AGO) for concept, count in counts.items()}


def reasons(**facts):
    known = {"misses": {}, "misconceptions": {}, "last_answer": NOW, "joined": LONG_AGO, "now": NOW} | facts
    return [(each.kind, each.about, each.number) for each in reasons_to_help(**known)]


def test_who_answers_well_and_lately_needs_none():
    assert reasons(misses=streaks(halves=5)) == []


def test_six_misses_in_a_row_call_for_help_the_longest_row_first():
    assert reasons(misses=streaks(halves=6, adding=8)) == [("misses", "adding", 8), ("misses", "halves", 6)]


def test_active_misconception_calls_for_help():
    assert reasons(misconceptions={"tops": NOW, "cuts": NOW}) == [
        ("misconception", "cuts", 0),
        ("misconception", "tops", 0),
    ]


def test_silence_calls_for_help_after_a_week():
    assert reasons(last_answer=NOW - INACTIVE_AFTER + timedelta(seconds=1)) == []
    assert reasons(last_answer=NOW - INACTIVE_AFTER) == [("quiet", "", 7)]


def test_newcomer_has_a_week_to_begin():
    assert reasons(last_answer=None, joined=NOW - timedelta(days=6)) == []
    assert reasons(last_answer=None, joined=NOW - timedelta(days=9)) == [("not_begun", "", 9)]


def test_misses_are_more_urgent_than_silence():
    assert total_urgency(reasons_to_help(
        misses=streaks(a=6), misconceptions={}, last_answer=NOW, joined=LONG_AGO, now=NOW
    )) > total_urgency(reasons_to_help(misses={}, misconceptions={}, last_answer=LONG_AGO, joined=LONG_AGO, now=NOW))  # fmt: skip


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("ab"), st.booleans()), max_size=30))
def test_misses_in_a_row_are_those_after_the_last_right_answer(marks):
    answers = [
        AnswerMark(concept=concept, correct=correct, at=LONG_AGO + timedelta(minutes=number))
        for number, (concept, correct) in enumerate(marks)
    ]
    for concept, streak in misses_in_a_row(answers).items():
        own = [each for each in answers if each.concept == concept]
        assert not any(each.correct for each in own[-streak.count :])
        assert streak.count == len(own) or own[-streak.count - 1].correct
        assert streak.since == own[-streak.count].at
