"""Who needs help now."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

from hypothesis import given, settings
from hypothesis import strategies as st

from tutoring.classes.help_rules import (
    INACTIVE_AFTER,
    STUCK_TRIES,
    AnswerMark,
    MissStreak,
    misses_in_a_row,
    reasons_to_help,
    total_urgency,
)

NOW = datetime(2026, 11, 20, tzinfo=UTC)
LONG_AGO = NOW - timedelta(weeks=6)


def marks_of(*answers, concept="halves"):
    """Return answers: a letter names the question; a capital one is right, and `?` after it is "I don't know"."""
    return [
        AnswerMark(
            attempt=number,
            question=UUID(int=ord(each[0].lower())),
            concept=concept,
            correct=each.isupper(),
            gave_up=each.endswith("?"),
            at=LONG_AGO + timedelta(minutes=number),
        )
        for number, each in enumerate(answers)
    ]


def streaks(**counts):
    """Return wrong answers in a row, each to another question."""
    letters = "abcdefghijkl"
    return {
        concept: MissStreak(marks=tuple(marks_of(*letters[:count], concept=concept)))
        for concept, count in counts.items()
    }


def stuck_on(*answers):
    return misses_in_a_row(marks_of(*answers))["halves"].stuck_question


def reasons(**facts):
    known = {"misses": {}, "misconceptions": {}, "last_answer": NOW, "joined": LONG_AGO, "now": NOW} | facts
    return [(each.kind, each.about, each.number) for each in reasons_to_help(**known)]


def test_who_answers_well_and_lately_needs_none():
    assert reasons(misses=streaks(halves=5)) == []


def test_six_misses_in_a_row_call_for_help_the_longest_row_first():
    assert reasons(misses=streaks(halves=6, adding=8)) == [("misses", "adding", 8), ("misses", "halves", 6)]


def test_tries_at_one_question_call_for_help_before_the_row_they_are_part_of():
    misses = misses_in_a_row(marks_of("a", "b", "b", "b", "b", "c"))
    assert reasons(misses=misses) == [("stuck", "halves", 4), ("misses", "halves", 6)]
    assert reasons(misses=misses_in_a_row(marks_of(*"b" * STUCK_TRIES))) == [("stuck", "halves", STUCK_TRIES)]
    assert reasons(misses=misses_in_a_row(marks_of(*"b" * (STUCK_TRIES - 1)))) == []


def test_question_tried_most_is_the_one_of_several_the_latest():
    most = stuck_on("a", "a", "a", "b", "b", "b", "b", "c")
    assert (most.question, most.tries, most.attempt) == (UUID(int=ord("b")), 4, 6)
    assert most.since == LONG_AGO + timedelta(minutes=3)
    assert stuck_on("a", "a", "a", "b", "b", "b").question == UUID(int=ord("b"))


def test_right_answer_ends_it_and_i_dont_know_is_no_try():
    assert misses_in_a_row(marks_of("a", "a", "a", "A")) == {}
    assert stuck_on("a", "a", "a", "B", "c") is None
    given_up = stuck_on("a", "a", "a?")
    assert (given_up.tries, given_up.gave_up) == (2, True)


def test_active_misconception_calls_for_help():
    assert reasons(misconceptions={"tops": (NOW, NOW), "cuts": (NOW, NOW)}) == [
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
        AnswerMark(
            attempt=number,
            question=UUID(int=number),
            concept=concept,
            correct=correct,
            at=LONG_AGO + timedelta(minutes=number),
        )
        for number, (concept, correct) in enumerate(marks)
    ]
    for concept, streak in misses_in_a_row(answers).items():
        own = [each for each in answers if each.concept == concept]
        assert not any(each.correct for each in own[-streak.count :])
        assert streak.count == len(own) or own[-streak.count - 1].correct
        assert streak.since == own[-streak.count].at
