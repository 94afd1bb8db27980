"""The hub in a lesson: what side agents notice of one turn is in the next one's instructions, and in its decisions."""

import json

import pytest

from conversations.board import snapshots
from conversations.models import Analysis, Finding
from tests.tutoring.lessons.lesson_player import StageWithHub
from tutoring.mastery.misconception_evidence import count_separated
from tutoring.models import Concept
from tutoring.side_agents import misconception

pytestmark = [pytest.mark.db, pytest.mark.django_db]


@pytest.fixture
def stage(kept_fractions, ada):
    stage = StageWithHub(ada, Concept.objects.select_related("course").get(slug="one-half"))
    stage.open()
    return stage


def drawn(stage, *widths):
    """Draw rectangles of these widths side by side; return the snapshot's id."""
    items, x = [], 40.0
    for width in widths:
        items.append({"kind": "rectangle", "x": x, "y": 100.0, "w": width, "h": 200.0})
        x += width + 60
    return snapshots.take(stage.session, json.dumps({"items": items}).encode()).pk


def test_every_utterance_is_analysed_with_what_that_took(stage):
    stage.say("the two parts have to be the same size, I think")
    rows = Analysis.objects.filter(session=stage.session)
    assert {row.agent for row in rows} >= {"emotion", "milestone"}
    assert {(row.status, row.backend) for row in rows} == {("taken", "")}


def test_the_same_again_is_not_analysed_twice(stage):
    first = stage.say("is this half?", board=drawn(stage, 200.0, 400.0))
    stage.say("is this half?", replaces=first)
    rows = Analysis.objects.filter(session=stage.session, agent="vision").order_by("pk")
    assert [row.reused for row in rows] == [False, True]


def test_the_same_drawing_is_looked_at_anew_where_other_parts_are_asked_for(stage):
    first = stage.say("is this half?", board=drawn(stage, 200.0, 200.0))
    stage.say("are these thirds?", replaces=first)
    halves, thirds = Analysis.objects.filter(session=stage.session, agent="vision").order_by("pk")
    assert "as in the lesson" in halves.output["interpretation"]
    assert "about 3" in thirds.output["interpretation"]


class TestDrawing:
    def test_a_question_about_it_gets_an_answer_about_it(self, stage):
        told = stage.say("is this half?", board=drawn(stage, 200.0, 400.0))
        assert "different sizes" in told.reply
        assert told.reply.count("?") == 1

    def test_called_halves_where_they_are_unequal_the_idea_is_tested(self, stage):
        told = stage.say("these two pieces are halves", board=drawn(stage, 200.0, 400.0))
        assert stage.standing.contrast == "any_two_pieces_are_halves"
        assert "?" in told.reply

    def test_called_halves_where_they_are_equal_nothing_is_wrong(self, stage):
        stage.say("these two pieces are halves", board=drawn(stage, 300.0, 300.0))
        assert stage.standing.contrast == ""
        assert not Finding.objects.filter(kind="misconception").exists()

    def test_a_reply_is_heard_as_one_though_the_same_drawing_goes_with_it(self, stage):
        board = drawn(stage, 200.0, 400.0)
        stage.say("these two pieces are halves", board=board)
        told = stage.say("no, the pieces are not the same size, so they are not halves", board=board)
        assert moves(stage)[-1] == "affirm_specific"
        assert "I looked" not in told.reply
        assert Finding.objects.filter(kind="vision").count() == 1

    def test_what_is_not_clear_is_to_be_said_in_words(self, stage):
        scribble = {"kind": "pen", "points": [[10.0, 10.0], [60.0, 200.0]]}
        board = snapshots.take(stage.session, json.dumps({"items": [scribble]}).encode()).pk
        assert "words" in stage.say("look at this", board=board).reply


class TestPace:
    """A scripted session each: softly, and never a word on how somebody feels."""

    def test_growing_frustration_asks_for_a_smaller_step_and_is_never_named(self, stage):
        said = (
            "no idea, this makes no sense",
            "ugh I hate this",
            "I CANT DO THIS",
            "this is so annoying",
            "i give up on this",
        )
        for text in said:
            stage.say(text)
        assert "simplify" in Finding.objects.filter(kind="emotion").values_list("content__wanted", flat=True)
        told = " ".join(each.words.lower() for each in Finding.objects.filter(kind="emotion"))
        assert not any(word in told for word in ("frustrat", "upset", "angry", "you feel", "you are"))

    def test_next_and_short_answers_raise_no_pace(self, stage):
        stage.waits_s = 1.5
        for text in ("yes", "next", "whatever", "next", "next", "next"):
            stage.say(text)
        assert "break_choice" not in moves(stage)
        wanted = Finding.objects.filter(kind="emotion").values_list("content__wanted", flat=True)
        assert "break_choice" not in wanted

    def test_a_contented_one_is_left_alone(self, stage):
        for text in ("the two parts have to be the same size", "because then each gets as much", "I would fold it"):
            stage.say(text)
        assert not {"simplify", "represent", "break_choice"} & set(moves(stage))
        assert not Finding.objects.filter(kind="emotion").exclude(words="").exists()


def moves(stage):
    found = (event["result"].get("move") for each in stage.exchanges for event in each.events("agent_finished"))
    return [move for move in found if move]


def test_two_ideas_that_compete_are_told_apart_by_the_next_question(kept_fractions, ada, monkeypatch):
    stage = StageWithHub(ada, Concept.objects.select_related("course").get(slug="unit-fractions"))
    stage.open()
    rivals = [("part_to_part", 0.4), ("top_bottom_swapped", 0.35)]
    torn = misconception.MisconceptionOutput(misconception_detected=False, confidence=0.4, top3=rivals)
    monkeypatch.setattr(misconception, "judge", lambda facts: torn)
    stage.say("it is three and one")
    stage.say("ok")
    assert stage.question is not None
    assert count_separated(stage.question.instance().wrong, [idea for idea, _chance in rivals]) == 2
