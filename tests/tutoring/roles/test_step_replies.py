"""What is said to an answer on a card: nothing that the card says already, and a verdict on a pick in a case."""

import pytest

from tests import people
from tests.tutoring.lessons.learners import right, wrong
from tests.tutoring.lessons.lesson_player import Stage, counted_turns
from tutoring.models import Attempt, Concept
from tutoring.pages.cards.question_context import question_context

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage(shipped_fractions):
    """A lesson on one half at its first step, whose wrong choice stands for two pieces being halves."""
    with counted_turns(seed=5):
        concept = Concept.objects.select_related("course").get(slug="one-half")
        stage = Stage(people.make_person("ada"), concept)
        stage.open()
        yield stage


def misconceived(question):
    """Return the wrong answer to the question that shows an idea."""
    return next(answer for answer, ids in question.instance().wrong.items() if "any_two_pieces_are_halves" in ids)


def test_solution_shown_ends_the_step_and_brings_the_next(stage):
    asked = stage.question
    stage.give_up()
    asked.refresh_from_db()
    assert (asked.status, stage.question.pk != asked.pk) == ("answered", True)
    given_up = Attempt.objects.get()
    assert (given_up.gave_up, given_up.assisted, hasattr(given_up, "change")) == (True, True, False)


def test_wrong_pick_in_a_case_gets_a_verdict_and_a_reason_and_keeps_the_choices(stage):
    case = stage.concept.course.catalogue().misconceptions["any_two_pieces_are_halves"].contrast
    shown = stage.check(misconceived(stage.question))
    picked = stage.say("We both get the same")
    assert picked.reply.startswith("No, “We both get the same” can’t be right. Think about whether you would mind")
    for each in (shown, picked):
        (offered,) = each.cards("replies")
        assert sorted(offered["options"]) == sorted([case.right, *case.wrong])


def test_quiz_leaves_the_verdict_to_the_card(stage):
    stage.say("quiz me")
    missed = stage.check(wrong(stage.question))
    answered = stage.check(right(stage.question))
    for each in (missed, answered):
        assert not any(verdict in each.reply for verdict in ("Not yet", "isn’t right", "is right", "Right.", "Yes."))


def test_why_an_answer_was_wrong_is_told_without_the_answer(stage):
    given = misconceived(stage.question)
    stage.check(given)
    told = stage.say("why was that wrong?").reply
    assert f"Your last answer, {given}, isn’t right." in told
    assert "I’m stuck" in told


def test_who_is_misread_is_told_how_to_answer(stage):
    assert "orry" in stage.say("thats what i SAID").reply


def test_a_letter_is_said_as_the_card_shows_it(stage):
    stage.say("quiz me")
    asked = stage.question
    given = wrong(asked)
    assert len(given) == 1
    stage.check(given.lower())
    assert f"Your last answer, {given}, isn’t right." in stage.say("why was that wrong?").reply


def test_idea_behind_the_same_wrong_answer_is_not_told_again(stage):
    asked, given = stage.question, misconceived(stage.question)
    stage.check(given)
    stage.check(given)
    asked.refresh_from_db()
    noticed = stage.concept.course.catalogue().misconceptions["any_two_pieces_are_halves"].noticed
    assert noticed not in question_context(asked)["feedback"]["text"]


def test_help_with_a_case_says_what_to_look_at_and_then_what_it_shows(stage):
    stage.check(misconceived(stage.question))
    misconception = stage.concept.course.catalogue().misconceptions["any_two_pieces_are_halves"]
    assert stage.say("give me an example").reply.startswith(misconception.contrast.not_yet)
    assert misconception.correct_idea in stage.say("hint please").reply
    assert not stage.standing.contrast


@pytest.mark.parametrize("wish", ["show me an example please", "show me another picture"])
def test_wish_for_an_example_opens_a_worked_one_on_the_card(stage, wish):
    stage.say(wish)
    stage.question.refresh_from_db()
    assert stage.question.hints_used == 4


def test_what_the_picture_shows_is_said_in_words(stage):
    assert "sandwich cut into two pieces" in stage.say("what does the picture show?").reply


def test_next_topic_is_named_without_a_goal(stage):
    assert "*Unit fractions*" in stage.say("what comes after this?").reply


def test_words_that_answer_no_choice_say_how_to_answer(stage):
    stage.say("quiz me")
    assert "Choose one of the answers on the card." in stage.say("its 7").reply


def test_going_on_after_a_break_goes_on_with_the_open_step(stage):
    asked = stage.question
    stage.say("im tired")
    stage.say("Let’s continue")
    assert stage.question.pk == asked.pk
    stage.say("ok next one")
    assert stage.question.pk != asked.pk


def test_more_about_an_answer_is_another_answer_of_the_course_and_then_nothing_more(stage):
    first = stage.say("what does one half mean?").reply
    more = [stage.say("Tell me more").reply for _time in range(4)]
    said = [each.says for concept in stage.concept.course.catalogue().concepts for each in concept.answers]
    assert any(each in first for each in said)
    assert any(each in more[0] for each in said)
    assert len(set(more)) == len(more)


def test_an_answer_is_told_once_and_other_answers_still_are(stage):
    stage.say("is zero a fraction")
    again = stage.say("is zero a fraction").reply
    assert "0/4" not in again
    assert "Fractions can be negative" in stage.say("are there negative fractions").reply


@pytest.mark.parametrize(("words", "move"), [("i give up", "worked_twin"), ("ur wrong", "converse")])
def test_plain_words_in_a_quiz_are_understood(stage, words, move):
    stage.say("quiz me")
    stage.check(wrong(stage.question))
    assert move in stage.say(words).moves
