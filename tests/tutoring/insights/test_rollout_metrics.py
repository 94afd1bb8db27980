"""Learning on both sides of a flag: answers until a topic is mastered, and what is still known a week later."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from agents.rollout.comparison import COMPARED_FOR, ComparedMetric, Window, compare
from conversations.models import Session
from tests import people
from tests.tutoring.review_helpers import load_tiny, master, quiz
from tutoring.models import Attempt, Mastery

pytestmark = [pytest.mark.db, pytest.mark.django_db]
DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def _course() -> None:
    load_tiny()


@pytest.fixture
def now() -> datetime:
    return timezone.now()


@pytest.fixture
def ida() -> Any:
    """A learner whose conversation is with the flag."""
    person = people.make_person("ida")
    Session.objects.create(owner=person, key="lesson", flags={"multi_agent": "in"})
    return person


@pytest.fixture
def otto() -> Any:
    """One whose conversation is without it."""
    person = people.make_person("otto")
    Session.objects.create(owner=person, key="lesson", flags={"multi_agent": "out"})
    return person


def compared(name: str, now: datetime) -> ComparedMetric:
    window = Window(flag="multi_agent", since=now - COMPARED_FOR, until=now)
    return next(each for each in compare(window) if each.metric.name == name)


def test_answers_to_mastery_are_those_given_until_then(ida: Any, otto: Any, now: datetime) -> None:
    master(ida, at=now - 2 * DAY)
    needed = Attempt.objects.filter(learner=ida).count()
    quiz(ida, at=now - DAY)
    for _ in range(3):
        quiz(otto, right=False, at=now - 3 * DAY)
    master(otto, at=now - 2 * DAY)
    found = compared("answers_to_mastery", now)
    assert found.shown("in") == needed
    assert found.shown("out") == Attempt.objects.filter(learner=otto).count()
    assert found.difference is not None
    assert found.difference < 0


def test_what_is_not_mastered_or_was_long_ago_does_not_count(ida: Any, otto: Any, now: datetime) -> None:
    quiz(ida, at=now - DAY)
    master(otto, at=now - COMPARED_FOR - DAY)
    found = compared("answers_to_mastery", now)
    assert (found.sums["in"].people, found.sums["out"].people) == (0, 0)


def test_a_topic_mastered_outside_of_conversations_is_of_no_side(ida: Any, now: datetime) -> None:
    master(ida, at=now - DAY)
    ida.questions.update(session=None)
    assert Mastery.objects.filter(learner=ida, mastered_at__isnull=False).exists()
    assert compared("answers_to_mastery", now).sums["in"].people == 0


def test_kept_is_the_first_answer_after_a_week(ida: Any, otto: Any, now: datetime) -> None:
    for person in (ida, otto):
        master(person, at=now - 10 * DAY)
        quiz(person, right=person is otto, at=now - 9 * DAY)
    quiz(ida, right=True, at=now - 2 * DAY)
    quiz(otto, right=False, at=now - 2 * DAY)
    quiz(otto, right=True, at=now - DAY)
    found = compared("kept_after_a_week", now)
    assert (found.shown("in"), found.shown("out")) == (100, 0)


def test_who_was_not_asked_again_does_not_count_as_forgetful(ida: Any, now: datetime) -> None:
    master(ida, at=now - 10 * DAY)
    assert compared("kept_after_a_week", now).sums["in"].people == 0
