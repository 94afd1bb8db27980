"""Rules of assignments that need no database: due days, states, groups of answers."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from tutoring.assignments.due_days import NoSuchTime, due_words, local_moment, usual_due_day
from tutoring.assignments.item_report import GivenAnswer, report_of
from tutoring.assignments.progress import WorkFacts, progress_from
from tutoring.models import Assignment

VIENNA = ZoneInfo("Europe/Vienna")
NOW = datetime(2026, 11, 24, 12, tzinfo=UTC)  # A Tuesday.
DUE = datetime(2026, 11, 27, 22, 59, tzinfo=UTC)
EARLIER, LATER = NOW - timedelta(hours=1), DUE + timedelta(hours=1)


def state(kind, *, total=2, goal=None, now=NOW, **facts):
    assignment = Assignment(kind=kind, goal_number=goal, due_at=DUE, starts_at=NOW - timedelta(days=3))
    return progress_from(assignment, WorkFacts(**facts), total=total, now=now)


@pytest.mark.parametrize(
    ("today", "due"), [("2026-11-24", "2026-11-27"), ("2026-11-27", "2026-12-04"), ("2026-11-28", "2026-12-04")]
)
def test_usual_due_day_is_the_next_friday(today, due):
    assert usual_due_day(date.fromisoformat(today)).isoformat() == due


def test_time_that_the_clocks_skip_does_not_exist_and_of_two_the_first_counts():
    with pytest.raises(NoSuchTime):
        local_moment(date(2027, 3, 28), time(2, 30), VIENNA)
    assert local_moment(date(2026, 10, 25), time(2, 30), VIENNA).astimezone(UTC).hour == 0


def test_due_day_is_in_words_by_the_readers_clock():
    with timezone.override(VIENNA):
        assert due_words(DUE, now=NOW) == "by Friday"
        assert due_words(NOW + timedelta(hours=3), now=NOW) == "by today, 16:00"
        assert due_words(NOW + timedelta(days=1), now=NOW) == "by tomorrow, 13:00"
        assert due_words(NOW + timedelta(days=30), now=NOW) == "by 24 December, 13:00"
        assert due_words(DUE, now=DUE + timedelta(hours=3)) == "was due yesterday"
        assert due_words(NOW - timedelta(hours=3), now=NOW) == "was due today at 10:00"
        assert due_words(DUE - timedelta(days=7), now=NOW) == "was due on Friday"


def test_topics_are_done_when_all_are_mastered_late_or_not():
    assert state("concept", mastered=[None, None]).state == "not_started"
    assert state("concept", mastered=[EARLIER, None], has_worked=True).state == "working"
    done = state("concept", mastered=[EARLIER, NOW])
    assert (done.state, done.done_at, done.is_late) == ("done", NOW, False)
    assert state("concept", mastered=[NOW, LATER], now=LATER).is_late


def test_goal_of_answers_is_done_with_the_last_answer_it_needs():
    times = [NOW + timedelta(minutes=each) for each in range(3)]
    assert state("concept", goal=4, answers=times, has_worked=True).done == 3
    assert state("concept", goal=2, answers=times).done_at == times[1]


def test_quiz_below_its_goal_is_over_but_not_done():
    ended = {"handed_in_at": NOW, "answered": 2, "right": 1}
    assert state("quiz", **ended).state == "done"
    missed = state("quiz", goal=51, **ended)
    assert (missed.state, missed.is_over, missed.percent) == ("missed_goal", True, 50)
    assert state("quiz", goal=50, **ended).is_done
    assert state("quiz", answered=1, right=1).right is None


def test_nothing_done_in_time_is_late():
    assert state("reading", now=LATER).is_late
    assert not state("reading", started_at=EARLIER).is_late
    assert state("reading", read_at=EARLIER, now=LATER).is_late is False


def given(text, person, *, is_right=False, idea="", gave_up=False):
    return GivenAnswer(text=text, is_right=is_right, person=person, misconception=idea, gave_up=gave_up)


def test_same_wrong_answers_are_one_group_with_the_idea_behind_it():
    answers = [given("2/4", 1, is_right=True), given("2", 2), given(" 2", 3, idea="counts"), given("", 4, gave_up=True)]
    report = report_of(answers)
    assert [(each.text, each.count, each.misconception) for each in report.wrong] == [("2", 2, "counts"), ("", 1, "")]
    assert (report.answered, report.percent) == (4, 25)


def test_rare_wrong_answers_are_counted_together():
    report = report_of([given(str(each), each) for each in range(6)])
    assert (len(report.wrong), report.others, report.answered) == (4, 2, 6)
