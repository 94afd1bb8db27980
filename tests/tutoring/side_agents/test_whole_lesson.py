"""The lesson on one half with a wrong idea in it: noticed, tested, resolved; the milestone only after words and use."""

import json

import pytest

from conversations.board import snapshots
from conversations.models import Finding
from tests.tutoring.lessons.learners import Learner
from tests.tutoring.lessons.lesson_player import StageWithHub, counted_turns, load_fractions, load_spoken_fractions
from tutoring.models import Concept

pytestmark = [pytest.mark.db, pytest.mark.django_db]

WRONG = "any_two_pieces_are_halves"


def test_a_wrong_idea_is_noticed_tested_and_resolved_and_the_milestone_rests_on_words_and_use(ada):
    load_spoken_fractions()
    with counted_turns(7):
        stage = lesson_on_halves(ada)
        claimed(stage)
        assert not granted()
        stage.say("no, the two pieces are not the same size, so neither of them is a half")
        assert not resolved()
        assert not granted()
        learner = Learner()
        while not (resolved() and granted()) and len(stage.exchanges) < 40:
            if stage.question is not None and not stage.state.get("quiz_paused"):
                learner.answer(stage, stage.question)
            else:
                learner.reply(stage)
        assert resolved()
        assert granted()


def test_a_drawing_beside_a_step_is_looked_at_before_the_idea_is_tested(ada):
    load_fractions()
    with counted_turns(7):
        claimed(lesson_on_halves(ada))


def lesson_on_halves(person):
    stage = StageWithHub(person, Concept.objects.select_related("course").get(slug="one-half"))
    stage.open()
    return stage


def claimed(stage):
    """Call two unequal pieces of a drawing halves: what it shows is said, and the idea is tested."""
    two = [{"kind": "rectangle", "x": 40.0 + 300 * n, "y": 100.0, "w": 200.0 - 120 * n, "h": 200.0} for n in (0, 1)]
    drawing = snapshots.take(stage.session, json.dumps({"items": two}).encode())
    told = stage.say("these two pieces are halves", board=drawing.pk)
    assert stage.standing.contrast == WRONG
    assert "different sizes" in told.reply


def resolved():
    return Finding.objects.filter(name=WRONG).exclude(resolved_turn=None).exists()


def granted():
    return Finding.objects.filter(kind="milestone", content__reached=True).exists()
