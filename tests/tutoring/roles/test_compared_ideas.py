"""Words that cannot be judged: the tutor asks which of two ideas is meant, what holds or what is often thought instead."""

import pytest

from tests import people
from tests.tutoring.lessons.learners import right
from tests.tutoring.lessons.lesson_player import Stage, counted_turns, unhurried
from tutoring.models import Concept

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shipped_fractions")]

TICKS = ["I meant the same thing", "Not quite", "Not sure"]


def lesson_on(slug: str) -> Stage:
    stage = Stage(people.make_person("ada", level="beginner"), Concept.objects.select_related("course").get(slug=slug))
    stage.open()
    return stage


def options(exchange):
    return [option for card in exchange.cards("replies") for option in card["options"]]


@pytest.fixture
def stage():
    with unhurried(), counted_turns(3):
        yield lesson_on("one-half")


SAID = "when you tear a napkin in two you get a half each time"


@pytest.fixture
def idea(stage):
    return stage.concept.course.catalogue().misconceptions["any_two_pieces_are_halves"]


def test_words_beside_the_card_are_asked_about(stage, idea):
    stage.say("quiz me")
    asked = stage.question
    compared = stage.say(SAID)
    assert compared.turn.decision["act"] == "unjudged"
    assert {idea.says, idea.correct_idea, "Neither"} == {*options(compared)}
    assert stage.standing.weighed == (idea.id,)
    assert not compared.turn.analysis.get("misconceptions")
    assert stage.question.pk == asked.pk
    assert stage.question.status == "open"


def test_neither_idea_is_answered_and_leaves_the_question_open(stage):
    stage.say("quiz me")
    stage.say(SAID)
    asked = stage.question
    ticked = stage.say("Neither")
    assert ticked.turn.decision["act"] == "compared"
    assert ticked.reply
    assert stage.question.pk == asked.pk
    assert not stage.standing.weighing
    assert not asked.attempts.exists()


def test_what_holds_is_confirmed_and_proves_nothing(stage, idea):
    stage.say("quiz me")
    stage.say(SAID)
    picked = stage.say(idea.correct_idea)
    assert picked.turn.decision["act"] == "compared"
    assert picked.reply.startswith(("Yes", "Right"))
    assert not picked.turn.analysis.get("milestones")


def test_a_misconception_that_is_meant_is_tested_with_its_case(stage, idea):
    stage.say("quiz me")
    stage.say(SAID)
    picked = stage.say(idea.says)
    assert picked.moves == ["contrast_case"]
    assert stage.standing.contrast == idea.id
    assert stage.session.findings.filter(kind="misconception", name=idea.id).exists()


def test_a_remark_about_something_else_is_not_compared(stage):
    stage.say("quiz me")
    assert options(stage.say("the postman rang twice this morning")) != TICKS


def test_an_idea_is_asked_about_once(stage, idea):
    stage.say("quiz me")
    assert idea.says in options(stage.say(SAID))
    assert idea.says not in options(stage.say(SAID))


class TestPlacement:
    @pytest.fixture
    def placed(self, stage):
        stage.say("I want to be tested on adding unlike fractions instead")
        return stage

    def test_a_false_sum_is_corrected_with_its_steps(self, placed):
        said = placed.say("1/5 + 2/5 = 3/10")
        assert "3/5" in said.reply
        assert "placement" in str(said.turn.decision)
        assert placed.question.status == "open"

    def test_an_idea_is_met_with_a_sentence_to_compare_and_never_in_the_same_words(self, placed):
        first = placed.say("adding means that you put top to top and bottom to bottom")
        second = placed.say("to make it simple you take the same number away from both")
        assert first.turn.decision["wish"] == second.turn.decision["wish"] == "idea"
        assert first.reply != second.reply
        assert "“" in first.reply


def test_claim_that_decides_the_open_question_belongs_on_its_card(stage):
    stage.check(right(stage.question))
    said = stage.say("one half and one half make a whole")
    # Neither confirmed nor denied: whoever tries both would learn the answer.
    assert "on the card" in said.reply
    assert "true" not in said.reply


def test_words_in_a_case_that_share_nothing_with_it_are_not_compared(stage):
    stage.check(next(answer for answer, ids in stage.question.instance().wrong.items() if ids))
    assert stage.standing.contrast
    assert TICKS[0] not in options(stage.say("merci beaucoup"))
