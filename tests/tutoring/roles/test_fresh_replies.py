"""What was told a moment ago is not told again; what is asked for once more is."""

import pytest

from tests import people
from tests.tutoring.lessons.learners import right, wrong
from tests.tutoring.lessons.lesson_player import Stage, counted_turns, unhurried
from tutoring.models import Concept

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shipped_fractions")]


@pytest.fixture
def stage():
    with unhurried(), counted_turns(5):
        concept = Concept.objects.select_related("course").get(slug="one-half")
        stage = Stage(people.make_person("ada", level="beginner"), concept)
        stage.open()
        yield stage


def misconceived(question):
    return next(answer for answer, ids in question.instance().wrong.items() if "any_two_pieces_are_halves" in ids)


@pytest.mark.parametrize("wish", ["read it out again please", "again", "repeat the question"])
def test_the_question_is_read_out(stage, wish):
    asked = stage.question.instance()
    told = stage.say(wish).reply
    assert asked.stem in told
    assert all(each.text in told for each in asked.choices)


@pytest.mark.parametrize("wish", ["can you put that in fewer words", "say it in easier words please"])
def test_an_explanation_is_told_in_one_sentence(stage, wish):
    asked = stage.question
    assert stage.say(wish).reply.startswith("In one sentence: ")
    assert stage.question.pk == asked.pk


def test_a_reason_on_the_card_is_not_told_again(stage):
    stage.check(misconceived(stage.question))
    noticed = stage.concept.course.catalogue().misconceptions["any_two_pieces_are_halves"].noticed
    assert noticed not in stage.say("did i get it wrong?").reply


def test_a_second_goodbye_is_short(stage):
    stage.check(right(stage.question))
    first, second = stage.say("bye").reply, stage.say("ok bye").reply
    assert "You worked on" in first
    assert "You worked on" not in second
    assert second


def test_a_lesson_that_begins_again_leaves_out_the_steps_that_were_answered(stage):
    first = stage.question.template
    stage.check(right(stage.question))
    second = stage.question.template
    stage.say("switch to unit fractions")
    stage.say("switch to one half")
    assert first != second
    assert stage.question.template == second


def test_a_letter_that_cannot_be_read_is_met_in_other_words_the_second_time(stage):
    first, second = stage.say("9").reply, stage.say("8").reply
    assert not {*first.split(". ")} & {*second.split(". ")}


def test_words_at_a_case_that_may_be_about_something_else_get_no_verdict(stage):
    stage.check(misconceived(stage.question))
    assert stage.standing.contrast
    told = stage.say("the postman was late again").reply
    assert not told.startswith(("Not quite", "No,"))
    assert stage.standing.contrast


def test_a_sigh_that_was_answered_before_is_met_as_a_feeling(stage):
    first, second = stage.say("this is pointless").reply, stage.say("this is pointless").reply
    assert first != second
    assert "a moment ago" not in second


def test_hint_is_not_said_twice(stage):
    stage.say("quiz me")
    given = wrong(stage.question)
    first, second = stage.say(str(given)).reply, stage.say(str(given)).reply
    assert first != second
