"""A message of a lesson said anew: what was judged stays, what was only said is taken back by its turn."""

import pytest

from agents.wire.rejections import Rejection
from conversations.models import Session, Turn
from tests.tutoring.lessons.learners import right, solve
from tests.tutoring.lessons.lesson_player import Stage, begun_lesson, going_on, unhurried
from tutoring.mastery.misconception_evidence import Suspicion
from tutoring.mastery.records import suspected_misconceptions
from tutoring.models import Course, Lesson, Mastery, MisconceptionState, Question

pytestmark = pytest.mark.django_db
TWO_PIECES = "yes these two pieces are halves because there are two"
SAME_SIZE = "no yours is bigger, they have to be the same size"


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


def test_wrong_idea_said_is_forgotten_with_its_turn(stage):
    said = stage.say(TWO_PIECES)
    stage.say("I am not sure", replaces=said)
    row = MisconceptionState.objects.get(learner=stage.person)
    assert (row.status, row.evidence, row.noticed) == ("none", [], False)


def test_ideas_of_all_undone_turns_are_taken_back_the_last_first(stage):
    said = stage.say(TWO_PIECES)
    stage.say(SAME_SIZE)
    stage.say("what is a half", replaces=said)
    row = MisconceptionState.objects.get(learner=stage.person)
    assert (row.status, row.evidence, row.resolving) == ("none", [], 0)


def test_own_words_of_an_undone_turn_reach_no_milestone(stage):
    before = stage.standing
    said = stage.say("share it in two, and check by adding both halves together")
    assert stage.standing.said
    stage.say("what is a half", replaces=said)
    assert stage.standing.said == before.said


def test_question_that_an_undone_turn_put_is_put_away(stage):
    wish = stage.say("quiz me")
    put = stage.question
    stage.say("please explain it once more", replaces=wish)
    put.refresh_from_db()
    assert put.status == Question.Status.ABANDONED
    assert stage.question is None


def test_answer_that_was_judged_stays_judged_and_so_does_what_came_before(asked):
    earlier = asked.say("why do you ask me this")
    answered = asked.say(f"it is {right(asked.question)}")
    after = asked.say("and what is that for")
    for exchange in (earlier, answered):
        with pytest.raises(Rejection) as caught:
            asked.say("3", replaces=exchange)
        assert caught.value.status == 422
    assert asked.say("and why is that", replaces=after).turn.replaces_id == after.turn.pk


def test_question_that_an_undone_turn_put_away_is_open_again(asked):
    question = asked.question
    said = asked.say("why do you ask me this")
    Question.objects.filter(pk=question.pk).update(status=Question.Status.ABANDONED)
    Turn.objects.filter(pk=said.turn.pk).update(payload={"put_away": [str(question.pk)]})
    asked.say("what is this question about", replaces=said)
    assert asked.question == question


def test_hint_is_given_once_and_shown_again(asked):
    asked.check("997")
    used = asked.question.hints_used
    asked.check("998")
    wish = asked.say("give me a hint")
    given, hints = wish.turn.payload.get("hint"), asked.question.hints_used
    again = asked.say("give me a hint", replaces=wish)
    assert hints >= used
    assert (again.turn.payload.get("hint"), asked.question.hints_used) == (given, hints)


def test_topic_that_an_undone_message_chose_can_be_chosen_anew(stage):
    lobby = Stage(stage.person)
    said = lobby.say("one half please")
    lobby.say("unit fractions please", replaces=said)
    lesson = Lesson.objects.get(session=lobby.session)
    assert (lesson.concept.slug, lobby.session.title) == ("unit-fractions", "Unit fractions")


@pytest.mark.parametrize("renamed", ["", "For the test on Friday"])
def test_a_lesson_that_begins_later_names_the_conversation_unless_the_learner_did(stage, renamed):
    lobby = Stage(stage.person)
    lobby.say("hello")
    if renamed:
        Session.objects.filter(pk=lobby.session.pk).update(title=renamed)
    lobby.say("unit fractions please")
    assert lobby.session.title == (renamed or "Unit fractions")


def test_what_an_explanation_added_to_a_mastery_is_taken_off(stage):
    said = stage.say("what is a half")
    row = Mastery.objects.create(learner=stage.person, concept=stage.concept, probability=0.5, threshold=0.85)
    practised = {"concept": stage.concept.pk, "gained": 0.1}
    Turn.objects.filter(pk=said.turn.pk).update(payload={"practised": practised})
    stage.say("what is a whole", replaces=said)
    row.refresh_from_db()
    assert row.probability == pytest.approx(0.4)


def test_later_evidence_stands_when_an_earlier_word_is_taken_back(stage):
    course = Course.objects.get(slug="fractions")
    idea = "any_two_pieces_are_halves"
    options = {"learner_id": stage.person.pk, "course": course, "ids": [idea]}
    suspected_misconceptions.weigh_utterance(**options, quote="two pieces", turn_id="first")
    once = suspected_misconceptions.suspicions_of(stage.person.pk, course)[idea]
    suspected_misconceptions.weigh_utterance(**options, quote="two again", turn_id="second")
    suspected_misconceptions.retract_words(stage.person.pk, turn_ids={"first"})
    left: Suspicion = suspected_misconceptions.suspicions_of(stage.person.pk, course)[idea]
    (piece,) = MisconceptionState.objects.get().evidence
    assert piece["turn_id"] == "second"
    assert left.odds < 99
    assert left.status in ("suspected", "active")
    assert once.noticed


def test_name_of_the_conversation_follows_its_topic_and_comes_back_with_it(stage):
    said = stage.say("switch to Unit fractions")
    stage.session.refresh_from_db()
    assert (Lesson.objects.get().concept.slug, stage.session.title) == ("unit-fractions", "Unit fractions")
    stage.say("what is a half", replaces=said)
    stage.session.refresh_from_db()
    assert (Lesson.objects.get().concept.slug, stage.session.title) == ("one-half", "One half")


def test_name_that_the_learner_chose_stays_when_the_topic_changes(stage):
    Session.objects.filter(pk=stage.session.pk).update(title="My half")
    stage.say("switch to Unit fractions")
    stage.session.refresh_from_db()
    assert stage.session.title == "My half"
