"""Examples: none comes a second time, in whichever round, lesson or conversation; when all were seen, an exercise does."""

import pytest

from tests.tutoring.lessons.learners import NeverLearns, play, solve
from tests.tutoring.lessons.lesson_player import Stage, begun_lesson, going_on, unhurried
from tests.tutoring.lessons.rubric import faults
from tutoring.models import Concept, ExampleShown
from tutoring.roles.wording.phrases import NO_MORE_EXAMPLES, WORKED_EXERCISES

pytestmark = pytest.mark.django_db

SEED = 11
WISH = "show me an example"


@pytest.fixture(scope="module")
def begun(kept_fractions, stored_once):
    return stored_once(lambda: begun_lesson(seed=SEED))


@pytest.fixture
def stage(begun):
    """A lesson on one half, just begun."""
    with unhurried(), going_on(begun, seed=SEED) as stage:
        yield stage


def provided(stage):
    return stage.state.get("examples_provided", [])


def of_the_lesson(stage):
    return [each.id for each in stage.concept.value().examples]


def kept(stage):
    return [*ExampleShown.objects.filter(learner=stage.person).order_by("pk").values_list("example", flat=True)]


def see_all(stage):
    for example in of_the_lesson(stage):
        ExampleShown.objects.create(learner=stage.person, concept=stage.concept, example=example)


def is_worked_out(exchange):
    return any(exchange.reply.startswith(words) for words in (*NO_MORE_EXAMPLES, *WORKED_EXERCISES))


def test_one_shown_in_a_conversation_is_not_shown_in_another(stage):
    stage.say(WISH)
    first, second = of_the_lesson(stage)
    assert (provided(stage), kept(stage)) == ([first], [first])
    other = Stage(stage.person, stage.concept)
    other.open()
    other.say(WISH)
    assert provided(other) == [second]
    assert kept(stage) == [first, second]


def test_what_was_shown_here_stays_told_in_another_lesson_and_back(stage):
    stage.say(WISH)
    stage.say("Switch to Equal parts")
    stage.say("next")
    stage.say(WISH)
    here = provided(stage)
    assert here[0] == of_the_lesson(stage)[0]
    assert len(here) == 2
    stage.say("Switch to One half")
    stage.say("next")
    stage.say(WISH)
    assert provided(stage) == [*here, of_the_lesson(stage)[1]]


def test_rounds_go_on_with_what_was_not_seen(stage):
    see_all(stage)
    play(stage, NeverLearns())
    assert stage.standing.cycle.number == 5
    assert not set(of_the_lesson(stage)) & {*provided(stage), *stage.standing.explained}


def test_one_that_the_quiz_shows_counts_as_shown(stage):
    stage.say("quiz me")
    told = stage.say(WISH)
    assert told.moves == ["simplify"]
    (example,) = provided(stage)
    assert kept(stage) == [example]
    other = Stage(stage.person, stage.concept)
    other.open()
    other.say(WISH)
    assert example not in provided(other)


def test_when_all_were_seen_an_exercise_is_worked_out_and_said_to_be_one(stage):
    see_all(stage)
    asked = stage.standing.piece
    shown = [stage.say(WISH) for _ in range(6)]
    assert all(is_worked_out(each) for each in shown)
    assert len(set(provided(stage))) == len(provided(stage)) == 6
    assert stage.standing.piece == asked
    assert [fault for each in shown for fault in faults(stage, each)] == []


def test_in_the_quiz_it_is_of_another_kind_and_gives_nothing_away(stage):
    see_all(stage)
    stage.say("quiz me")
    for _ in range(3):
        question = stage.question
        told = stage.say(WISH)
        assert stage.question == question
        if is_worked_out(told):
            assert not provided(stage)[-1].startswith(f"{question.template}/")
        assert list(faults(stage, told)) == []
        solve(stage)
    assert provided(stage)
    assert kept(stage)[-len(provided(stage)) :] == provided(stage)


def test_one_of_an_undone_message_may_come_again(stage):
    said = stage.say(WISH)
    (example,) = provided(stage)
    stage.say("what is a half", replaces=said)
    assert (provided(stage), kept(stage)) == ([], [])
    stage.say(WISH)
    assert provided(stage) == [example]


def test_what_was_seen_is_remembered_when_its_conversation_is_gone(stage):
    stage.say(WISH)
    stage.session.delete()
    row = ExampleShown.objects.get()
    assert (row.learner, row.turn) == (stage.person, None)
    other = Stage(stage.person, Concept.objects.select_related("course").get(slug="one-half"))
    other.open()
    other.say(WISH)
    assert row.example not in provided(other)
