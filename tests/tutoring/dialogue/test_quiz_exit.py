"""A quiz that is given up, and a question that is left out: what stays of it, what is told, and how it goes on."""

import pytest

from agents.wire.rejections import Rejection
from tests import people
from tests.tutoring.lessons.learners import right, wrong
from tests.tutoring.lessons.lesson_player import Stage, begun_lesson, counted_turns, going_on, unhurried
from tutoring.mastery.records.progress import record_attempt
from tutoring.models import Attempt, Concept, Cycle, Mastery, Question
from tutoring.roles.speech.prompt_background import right_answer_text

pytestmark = pytest.mark.django_db
SEED = 3
LEAVES = (
    "abandon the quiz",
    "cancel the quiz",
    "end the quiz",
    "Can we quit this quiz please?",
    "I want to give up on this test",
)
PAUSES = ("stop", "pause", "let's stop", "I need a break")


@pytest.fixture(scope="module")
def begun(kept_fractions, stored_once):
    return stored_once(lambda: begun_lesson("quiz me", seed=SEED))


@pytest.fixture
def stage(begun):
    """A lesson whose quiz has just put its first question."""
    with unhurried(), going_on(begun, seed=SEED) as stage:
        yield stage


def told_of(stage, question):
    return next(each for each in stage.state["quiz_questions"] if each["question_id"] == str(question.pk))


def answer_right(stage):
    stage.check(right(stage.question))
    if stage.standing.explaining:
        stage.say("next")


def options(exchange):
    return exchange.cards("replies")[-1]["options"]


# --- The quiz is given up ---


@pytest.mark.parametrize("text", LEAVES)
def test_a_quiz_is_given_up_in_clear_words(stage, text):
    question = stage.question
    stage.say(text)
    question.refresh_from_db()
    cycle = Cycle.objects.get()
    assert (question.status, stage.question) == (Question.Status.ABANDONED, None)
    assert (cycle.mastery_achieved, cycle.completed_at is not None) == (None, True)
    assert (stage.standing.cycle.state, stage.standing.cycle.number) == ("tutor_explaining", 1)
    assert stage.state["quiz_paused"] is False


@pytest.mark.parametrize("text", PAUSES)
def test_all_other_words_let_it_wait(stage, text):
    question = stage.question
    stage.say(text)
    assert stage.question == question
    assert stage.standing.cycle.paused


def test_what_was_answered_stays_and_is_told(stage):
    answer_right(stage)
    before = Mastery.objects.get().probability
    said = stage.say("abandon the quiz")
    assert Attempt.objects.count() == 1
    assert Mastery.objects.get().probability == before
    assert Cycle.objects.earliest("pk").quiz_score == 1.0
    assert "1 question" in said.reply
    assert said.reply.count("?") == 1
    assert "!" not in said.reply


def test_nothing_answered_is_told_as_well(stage):
    assert "You didn’t answer any questions" in stage.say("cancel the quiz").reply


def test_a_waiting_quiz_can_be_given_up(stage):
    stage.say("stop")
    stage.say("cancel the quiz")
    assert stage.question is None
    assert not stage.standing.cycle.paused


def test_the_routing_says_why(stage):
    said = stage.say("abandon the quiz")
    assert said.events("routed")[0]["to"] == "tutor"
    assert said.events("routed")[0]["reason"] == "The quiz was stopped."


@pytest.mark.parametrize("text", ["ok", "hm whatever you think", "I don't know"])
def test_no_quiz_begins_by_itself_afterwards(stage, text):
    stage.say("abandon the quiz")
    stage.say(text)
    assert stage.question is None


def test_the_explanation_goes_on_where_the_learner_wants_it(stage):
    offered = options(stage.say("abandon the quiz"))
    assert offered[0] == "Continue the explanation"
    explained = stage.standing.explained
    said = stage.say(offered[0])
    assert said.moves[0] == "continue_lesson"
    assert len(stage.standing.explained) == len(explained) + 1
    assert not stage.standing.quiz_left


def test_a_question_on_the_matter_is_answered_without_a_piece_or_a_quiz(stage):
    stage.say("abandon the quiz")
    explained = stage.standing.explained
    assert stage.say("what is a half?").moves == ["answer_question"]
    assert stage.standing.explained == explained


@pytest.mark.parametrize(("place", "to"), [(1, "pathplanner"), (2, "pathplanner")])
def test_the_other_ways_on_lead_on(stage, place, to):
    offered = options(stage.say("abandon the quiz"))
    assert stage.say(offered[place]).events("routed")[0]["to"] == to


@pytest.mark.parametrize("text", ["quiz me", "back to the quiz"])
def test_a_quiz_asked_for_later_begins_anew(stage, text):
    answer_right(stage)
    left = stage.question
    stage.say("abandon the quiz")
    stage.say(text)
    assert stage.question.number == 1
    assert stage.question != left
    assert [each["question_id"] for each in stage.state["quiz_questions"]] == [str(stage.question.pk)]
    assert stage.standing.cycle.asked == ("one-half",)
    assert [(each.number, each.completed_at is None) for each in Cycle.objects.order_by("number")] == [
        (1, False),
        (2, True),
    ]


def test_its_look_back_counts_nothing_of_the_one_given_up(stage):
    stage.check(wrong(stage.question))
    stage.say("abandon the quiz")
    stage.say("quiz me")
    for _ in range(40):
        if Cycle.objects.filter(number=2).exclude(completed_at=None).exists():
            break
        answer_right(stage) if stage.question else stage.say("next")
    assert Cycle.objects.get(number=2).quiz_score == 1.0
    assert stage.state["quiz_score"] == 1.0


def test_giving_it_up_is_taken_back_with_its_message(stage):
    question = stage.question
    said = stage.say("abandon the quiz")
    stage.say("give me a hint", replaces=said)
    cycle = Cycle.objects.get()
    assert stage.question == question
    assert (stage.standing.cycle.state, cycle.completed_at, cycle.quiz_score) == ("quiz_active", None, None)
    assert "expected_answer" not in told_of(stage, question)


def test_without_a_quiz_nothing_is_given_up(stage):
    stage.say("abandon the quiz")
    stage.say("go on with the lesson")
    held = stage.standing
    assert stage.say("cancel the quiz").moves in (["farewell"], ["leave_quiz"])
    assert stage.standing.explained == held.explained


def test_on_a_detour_only_its_own_quiz_is_given_up(stage):
    for _ in range(40):
        if stage.standing.cycle.detour and stage.question:
            break
        stage.give_up() if stage.question and not stage.state["quiz_paused"] else stage.say("next")
    detour = stage.standing.cycle.detour
    stage.say("abandon the quiz")
    assert detour
    assert stage.standing.cycle.detour == detour
    assert stage.standing.cycle.state == "tutor_explaining"
    assert Cycle.objects.get(concept__slug=detour).completed_at is not None
    assert Cycle.objects.filter(concept__slug="one-half", completed_at=None).exists()


# --- One question is left out ---


@pytest.mark.parametrize(
    "text",
    [
        "skip this question",
        "skip this one",
        "next question",
        "skip",
        "can I skip it please?",
        "Skip this one and ask me a different question.",
        "cancel this question",
    ],
)
def test_a_question_is_left_out_and_another_one_comes(stage, text):
    question, believed = stage.question, Mastery.objects.count()
    said = stage.say(text)
    question.refresh_from_db()
    assert question.status == Question.Status.ABANDONED
    assert not question.attempts.exists()
    assert Mastery.objects.count() == believed
    assert stage.question.number == 2
    assert said.moves == ["skip_question"]
    assert [each["id"] for each in said.cards("question")] == [str(stage.question.pk)]


def test_next_question_brings_back_one_that_waits(stage):
    question = stage.question
    stage.say("stop")
    stage.say("next question")
    assert stage.question == question


def test_nobody_skips_for_ever(stage):
    put = 0
    while stage.question is not None and put < 12:
        put += 1
        stage.say("skip this question")
    assert 3 <= put <= 10
    assert stage.standing.cycle.number == 2
    assert "You didn’t answer any questions" in stage.exchanges[-1].reply
    assert Cycle.objects.earliest("pk").quiz_score is None


def test_a_skipped_question_is_no_mistake(stage):
    stage.say("skip this question")
    for _ in range(20):
        if Cycle.objects.exclude(completed_at=None).exists():
            break
        answer_right(stage) if stage.question else stage.say("next")
    assert Cycle.objects.earliest("pk").quiz_score == 1.0
    assert stage.state["error_patterns"] == []
    assert "got them all right" in " ".join(each.reply for each in stage.exchanges)


def test_a_wrong_try_before_it_stays_evidence(stage):
    stage.check(wrong(stage.question))
    stage.say("skip this question")
    assert Attempt.objects.get().correct is False
    stage.say("abandon the quiz")
    assert Cycle.objects.get().quiz_score == 0.0


def test_skipping_is_taken_back_with_its_message(stage):
    question = stage.question
    said = stage.say("skip this question")
    other = stage.question
    stage.say("give me a hint", replaces=said)
    other.refresh_from_db()
    assert stage.question == question
    assert other.status == Question.Status.ABANDONED
    assert stage.standing.cycle.asked == ("one-half",)


def test_an_answer_from_another_tab_is_refused(stage):
    question = stage.question
    stage.say("skip this question")
    with pytest.raises(Rejection) as caught:
        record_attempt(question, learner=stage.person, answer=right(question), idempotency_key="other-tab")
    assert caught.value.status == 409
    assert not question.attempts.exists()


# --- What is told of it ---


@pytest.mark.parametrize("text", ["abandon the quiz", "skip this question"])
def test_the_answer_is_told_once_a_question_is_put_away(stage, text):
    question = stage.question
    assert "expected_answer" not in told_of(stage, question)
    assert "source_context" not in told_of(stage, question)
    said = stage.say(text)
    question.refresh_from_db()
    assert question.status == Question.Status.ABANDONED
    held = told_of(stage, question)
    assert held["expected_answer"] == right_answer_text(question.instance())
    assert held["source_context"] == question.source_context != ""
    changed = [each["value"] for each in said.events("state_changed") if each["key"] == "quiz_questions"]
    assert held in changed[-1]


def test_another_topic_takes_the_question_with_it(stage):
    question = stage.question
    said = stage.say("I want to learn about unit fractions")
    question.refresh_from_db()
    assert question.status == Question.Status.ABANDONED
    [told] = [each["value"] for each in said.events("state_changed") if each["key"] == "quiz_questions"]
    assert told == stage.state["quiz_questions"] == []


def test_what_is_asked_instead_is_not_told(stage):
    stage.say("skip this question")
    assert "expected_answer" not in told_of(stage, stage.question)


def test_the_answer_is_told_where_a_placement_comes_in_between(kept_fractions):
    with unhurried(), counted_turns("placement"):
        stage = Stage(people.make_person("ben"), Concept.objects.select_related("course").get(slug="add-unlike"))
        stage.open()
        stage.say("quiz me")
        question = stage.question
        stage.say("can you find out what i already know?")
    assert stage.question.purpose == Question.Purpose.PLACEMENT
    assert told_of(stage, question)["expected_answer"] == right_answer_text(question.instance())
