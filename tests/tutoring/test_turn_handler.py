"""What the host makes of a message before the run, and keeps of it after."""

import pytest
from django.template.loader import render_to_string

from conversations.turns.handler import turn_handler
from tests import people
from tests.tutoring.lessons.learners import Learner, right, solve
from tests.tutoring.lessons.lesson_player import Stage, begun_lesson, going_on, unhurried
from tutoring.mastery.placement import MAX_QUESTIONS
from tutoring.models import Attempt, Concept, Mastery, MisconceptionState

pytestmark = pytest.mark.django_db


SEED = 3


@pytest.fixture(scope="module")
def begun(kept_fractions, stored_once):
    return stored_once(lambda: begun_lesson(seed=SEED))


@pytest.fixture
def stage(begun):
    with unhurried(), going_on(begun, seed=SEED) as stage:
        yield stage


@pytest.fixture
def asked(stage):
    """The lesson with a question that wants a number."""
    stage.say("quiz me")
    while stage.question.kind != "numeric":
        solve(stage)
    return stage


def test_answer_typed_beside_the_card_is_judged(asked):
    assert asked.say(f"it is {right(asked.question)}").answered.correct


def test_message_that_is_no_answer_leaves_the_question_alone(asked):
    question, before = asked.question, Attempt.objects.count()
    asked.say("why do you ask me this")
    assert asked.question == question
    assert Attempt.objects.count() == before


@pytest.mark.parametrize(
    ("text", "is_aside"),
    [("what is a numerator?", True), ("are you a robot", True), ("hint", False), ("it is 3/7", False)],
)
def test_question_is_an_aside_and_what_belongs_to_the_step_is_not(asked, text, is_aside):
    asked.say(text)
    assert turn_handler().is_aside(asked.session.turns.order_by("-number").first()) is is_aside


def test_first_wrong_answer_of_no_known_kind_earns_a_hint(asked):
    asked.check("997")
    assert asked.question.hints_used == 1


def test_wrong_idea_said_is_weighed_with_the_words(stage):
    stage.say("yes these two pieces are halves because there are two")
    row = MisconceptionState.objects.get(learner=stage.person)
    assert (row.misconception, row.status) == ("any_two_pieces_are_halves", "active")
    assert row.evidence[-1]["source"] == "utterance"


def test_reply_to_the_contrast_case_is_weighed_against_it(stage):
    stage.say("yes these two pieces are halves because there are two")
    stage.say("no yours is bigger, they have to be the same size")
    assert MisconceptionState.objects.get(learner=stage.person).evidence[-1]["source"] == "explanation"


def test_way_counts_the_questions_answered_and_ends_with_the_lesson(stage):
    way = turn_handler().lesson_context(stage.session)["way"]
    assert (way["done"], way["over"]) == (0, False)
    while stage.question is None:
        Learner().reply(stage)
    for answered in range(1, 4):
        stage.check(right(stage.question))
        Learner().reply(stage) if stage.standing.explaining else None
        way = turn_handler().lesson_context(stage.session)["way"]
        assert way["done"] == answered
        assert way["steps"][:answered] == ["done"] * answered
    assert (way["over"], way["left"], way["next"]) == (True, 0, "Unit fractions")


def paused(stage):
    """The lesson with its quiz waiting beside a question that was answered."""
    stage.say("why do both parts have to be the same size?")
    assert stage.state["quiz_paused"]
    return stage.question


@pytest.mark.parametrize("answer", ["three and a half", "I think it's three and a half.", "maybe 3/7?"])
def test_answer_in_words_is_taken_though_the_quiz_waits(asked, answer):
    question = paused(asked)
    assert asked.say(answer).answered.question == question
    assert not asked.state["quiz_paused"]


@pytest.mark.parametrize("words", ["so three thirds are bigger", "wait 5 minutes", "2 or 3"])
def test_words_with_a_number_in_them_are_none_while_the_quiz_waits(asked, words):
    question = paused(asked)
    exchange = asked.say(words)
    assert exchange.answered is None
    assert asked.question == question


@unhurried()
def test_page_shows_the_placement_instead_of_the_way(kept_fractions):
    stage = Stage(people.make_person("ben", level="beginner"))
    stage.say("I want to learn to add fractions with different denominators")
    stage.give_up()
    shown = turn_handler().lesson_context(stage.session)
    assert shown["way"] == {}
    header = render_to_string("conversations/conversation.html#milestones", shown)
    assert f"question 2 of up to {MAX_QUESTIONS}" in header
    stage.say("that is enough questions")
    shown = turn_handler().lesson_context(stage.session)
    assert "Step 1 of about " in render_to_string("conversations/conversation.html#milestones", shown)


@unhurried()
def test_high_score_on_too_few_answers_without_help_is_said_to_lack_them(kept_fractions):
    stage = Stage(people.make_person("ben", level="beginner"), Concept.objects.get(slug="one-half"))
    stage.open()
    row = {"probability": 0.97, "answers": 4, "unassisted": 2, "templates": ["oh-a", "oh-b"], "threshold": 0.85}
    Mastery.objects.update_or_create(learner=stage.person, concept=stage.concept, defaults=row)
    came = stage.say("how do you know that i mastered it")
    assert "You’re nearly there" in came.reply
    assert "without help" in came.reply
