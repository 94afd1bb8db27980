"""A conversation's insights are ordered when a quiz in it ends, and at goodbye; no other turn orders any."""

import pytest

from tests.tutoring.lessons.learners import Learner, play
from tests.tutoring.lessons.lesson_player import begun_lesson, counted_turns, unhurried
from tutoring.insights.jobs import compute_session_insights
from tutoring.models import Cycle, LearningInsight

pytestmark = pytest.mark.django_db
SEED = 3


@pytest.fixture
def ordered(monkeypatch):
    """The conversations for which insights were ordered."""
    sessions = []
    monkeypatch.setattr(type(compute_session_insights), "enqueue", lambda _task, *given: sessions.append(given[0]))
    return sessions


@pytest.fixture
def stage(kept_fractions):
    with unhurried(), counted_turns(SEED, after=1):
        yield begun_lesson(seed=SEED)


def test_end_of_a_quiz_orders_the_insights_of_its_conversation(stage, ordered, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        play(stage, Learner())
    assert Cycle.objects.exclude(completed_at=None).count() == 1
    assert ordered == [stage.session.pk]
    compute_session_insights.func(stage.session.pk)
    assert [each.period.session for each in LearningInsight.objects.all()] == [stage.session]


def test_goodbye_orders_them_and_another_message_does_not(stage, ordered, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        stage.say("both parts are the same size")
    assert ordered == []
    with django_capture_on_commit_callbacks(execute=True):
        stage.say("goodbye")
    assert ordered == [stage.session.pk]
