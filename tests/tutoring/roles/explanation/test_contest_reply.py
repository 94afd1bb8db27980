"""A learner who contests a verdict in the conversation."""

import pytest

from tests.tutoring.lessons.lesson_player import Stage
from tutoring.models import Attempt, Concept

pytestmark = [pytest.mark.db, pytest.mark.django_db]


def test_contested_verdict_leads_to_that_very_answer(ada, kept_fractions):
    stage = Stage(ada, Concept.objects.get(slug="one-half"))
    stage.open()
    stage.say("quiz me")
    stage.give_up()
    came = stage.say("that's wrong, i did get it right")
    attempt = Attempt.objects.get()
    assert f"/progress/fractions/one-half/?from={attempt.pk}#answer-{attempt.pk}" in came.reply
    assert "That’s not right" in came.reply


def test_without_an_answer_it_leads_to_what_was_counted(ada, kept_fractions):
    stage = Stage(ada, Concept.objects.get(slug="one-half"))
    stage.open()
    assert "](/progress/fractions/one-half/)" in stage.say("that's wrong, i did get it right").reply


def test_right_at_an_answer_that_was_not_contests_it(ada, kept_fractions):
    stage = Stage(ada, Concept.objects.get(slug="one-half"))
    stage.open()
    stage.say("quiz me")
    stage.give_up()
    assert "That’s not right" in stage.say("bruh that was right").reply
