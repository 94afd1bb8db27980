"""Words beside an open question that answer nothing: thoughts, questions about the lesson, questions without an answer."""

import re

import pytest

from tests import people
from tests.tutoring.lessons.learners import right
from tests.tutoring.lessons.lesson_player import Stage, begun_lesson, counted_turns
from tutoring.courses.exercises.sample_answers import right_answers
from tutoring.dialogue import graphs, placement_turns  # noqa: F401  # Registers the roles.
from tutoring.models import Concept, Question
from tutoring.models.planner import Task
from tutoring.roles.wording import phrases

pytestmark = pytest.mark.django_db


@pytest.fixture
def quizzed(shipped_fractions):
    """A learner at the first question of a quiz: a choice of numbers."""
    with counted_turns(seed=3):
        stage = Stage(people.make_person("mia", level="advanced"), Concept.objects.get(slug="add-unlike"))
        stage.open()
        stage.say("quiz me")
        yield stage


def test_thought_is_followed_by_the_question_for_its_result(quizzed):
    said = quizzed.say("both of them are close to one another")
    asked = phrases.RESULT_QUESTIONS[quizzed.question.kind]
    assert said.reply in asked
    assert said.cards("replies")
    again = quizzed.say("because i look at the pieces that are missing")
    assert again.reply in asked
    assert again.reply != said.reply


@pytest.mark.parametrize("text", ["sorry", "nice, that was quick", "same"])
def test_words_without_a_thought_are_not_asked_where_they_lead(quizzed, text):
    said = quizzed.say(text)
    assert said.reply not in phrases.RESULT_QUESTIONS[quizzed.question.kind]


@pytest.mark.parametrize("text", ["no wait", "hold on a sec", "let me think", "ok ok ill try"])
def test_who_needs_a_moment_is_given_it(quizzed, text):
    said = quizzed.say(text)
    assert said.reply in ("Take your time. Nothing here is timed.", "No rush. Go on when you’re ready.")
    assert quizzed.question.is_open


@pytest.mark.parametrize("seed", range(1, 5))
@pytest.mark.parametrize("text", ["i dont no", "um i dunno", "no idea, sorry"])
def test_who_does_not_know_is_not_told_that_it_is_not_quite_right(shipped_fractions, text, seed):
    with counted_turns(seed=seed):
        stage = Stage(people.make_person("mia"), Concept.objects.get(slug="equal-parts"))
        stage.open()
        said = stage.say(text).reply
    assert said
    assert not re.search(r"not quite|part of it|what you mean|you said", said, re.IGNORECASE)


@pytest.mark.parametrize("text", ["i already know this", "but I know this already", "i know all this its baby stuff"])
def test_who_knows_it_already_may_show_it_or_skip_it(quizzed, text):
    question = quizzed.question
    assert quizzed.say(text).reply in phrases.KNOWN_AT_QUESTION
    quizzed.check(right(question))
    question.refresh_from_db()
    assert question.status == Question.Status.ANSWERED


@pytest.mark.parametrize(
    "text", ["where do i stand?", "so where am i at right now", "how far am i", "what have I learned so far?"]
)
def test_who_asks_where_they_stand_is_told(quizzed, text):
    assert quizzed.say(text).reply.startswith("You haven’t answered any questions yet.")


def test_who_leaves_and_asks_what_is_kept_is_not_asked_what_to_note(quizzed):
    assert quizzed.say("I need to stop now, will you remember this?").reply.startswith("You worked on")


def test_who_wants_another_explanation_is_told_that_there_is_none_and_nobody_else_is(quizzed):
    while (said := quizzed.say("can you explain it a different way")).reply not in phrases.NOTHING_TO_SHOW:
        assert len(quizzed.exchanges) < 12
    assert [card["options"] for card in said.cards("replies")] == [["A hint, please", "I don’t know"]]
    assert quizzed.say("my cat is called Tom").reply not in phrases.NOTHING_TO_SHOW


def test_false_equation_is_corrected_and_a_share_is_said_as_one(quizzed):
    assert "6/8 and 3/4 are the same amount" in quizzed.say("I disagree, 6/8 is not the same as 3/4").reply
    assert quizzed.say("half of 8 is 4").reply.startswith("It’s true that 1/2 of 8 is 4.")


@pytest.mark.parametrize("text", ["why do you never smile", "why not? you said add them"])
def test_question_without_an_answer_offers_a_hint_and_an_example(quizzed, text):
    said = quizzed.say(text)
    assert said.reply in phrases.ANSWERLESS_AT_CARD
    (ways,) = said.cards("replies")
    assert ways["options"] == ["A hint, please", "Show me an example"]


def test_question_can_be_answered_on_the_card_while_the_quiz_waits(quizzed, client):
    quizzed.say("why are there two bars")
    question = quizzed.question
    assert quizzed.session.state["quiz_paused"]
    client.force_login(quizzed.person)
    page = client.get(f"/c/{quizzed.session.key}/").content.decode()
    card = page[page.index(f'id="question-{question.pk}"') :]
    assert 'data-state="open"' in card[:200]
    quizzed.check(right(question))
    assert not quizzed.session.state["quiz_paused"]
    question.refresh_from_db()
    assert question.status == question.Status.ANSWERED


@pytest.mark.parametrize(
    "text",
    [
        "i have to put them in order first",
        "so i have to switch the sign",
        "my teacher says whole numbers start at 0",
        "why is there a gap",
    ],
)
def test_step_of_the_work_is_no_task(quizzed, text):
    quizzed.say(text)
    assert quizzed.state["last_routed_to"] in ("tutor", "quiz")
    assert not Task.objects.exists()


@pytest.mark.parametrize("text", ["how much is left", "is this gonna take long", "how many more questions"])
def test_length_of_the_lesson_is_told_in_steps_and_minutes(quizzed, text):
    reply = quizzed.say(text).reply
    steps, minutes = map(int, re.match(r"About (\d+) more steps?, so about (\d+) minutes?\.", reply).groups())
    assert 0 < steps < minutes < 20
    assert Question.objects.filter(pk=quizzed.question.pk, attempts=None).exists()


@pytest.mark.parametrize("said", [(), ("I want to add fractions for a baking job",)])
def test_length_is_told_in_general_without_a_lesson(shipped_fractions, said):
    """As while somebody's level is found: those questions are no steps of the lesson."""
    stage = Stage(people.make_person("zoe"))
    for text in said:
        stage.say(text)
    assert "more step" not in stage.say("how long does a lesson take").reply


@pytest.fixture
def shading(shipped_fractions):
    """A learner at the first step of a lesson: parts of a bar to shade."""
    with counted_turns(seed=3):
        stage = Stage(people.make_person("tim"), Concept.objects.get(slug="add-like"))
        stage.open()
        assert stage.question.kind == "shade"
        yield stage


def test_a_thought_about_parts_to_shade_leads_back_to_the_picture(shading):
    said = shading.say("because i look at the pieces that are missing")
    assert said.reply in phrases.RESULT_QUESTIONS["shade"]
    assert not {*phrases.RESULT_QUESTIONS["shade"]} & {*phrases.NUMBER_QUESTIONS}


def test_parts_that_somebody_asks_about_are_counted(shading):
    assert re.search(r"\b5\b(?!,)", shading.say("is it 5").reply)


@pytest.mark.parametrize("text", ["i cant do that give me something easier", "give me something easier"])
def test_wish_for_something_easier_stays_at_the_question(shading, text):
    assert shading.say(text).moves == ["focus_step"]
    assert shading.question.hints_used > 0


def test_what_is_not_marked_wrong_is_said_to_be_right(shading):
    shading.check(right_answers(shading.question.instance())[0])
    assert "Nothing is marked wrong here" in shading.say("Why is that not right?").reply


@pytest.mark.parametrize("text", ["why", "but why is that", "how come?", "why was that right"])
def test_reason_of_the_last_answer_is_told_to_who_asks_why(shading, text):
    step = shading.question
    shading.check(right_answers(step.instance())[0])
    assert step.key["solution"][0] in shading.say(text).reply


def test_reason_for_a_question_is_told_to_who_asks_for_that(shading):
    shading.check(right_answers(shading.question.instance())[0])
    assert "not just repeat it" in shading.say("why do i have to do this").reply


def test_result_that_somebody_doubts_is_worked_out(shading):
    assert "1/2 = 3/6 and 1/3 = 2/6" in shading.say("why is 1/2 + 1/3 equal to 5/6?").reply


def test_what_has_no_answer_gets_the_nearest_sentence_of_the_lesson(quizzed):
    said = quizzed.say("why are there two bars")
    sentence = "To add them, cut both bars into parts of the same size."
    assert any(said.reply.startswith(each % {"sentence": sentence}) for each in phrases.LESSON_QUOTED)
    assert sentence not in quizzed.say("but why are there two bars").reply


@pytest.mark.parametrize("text", ["maybe 5?", "not sure, maybe 5?", "i think its 5 but not sure"])
def test_unsure_number_that_is_no_choice_is_no_answer(shipped_fractions, text):
    said = begun_lesson("quiz me", seed=3).say(text).reply
    assert f"“{text.rstrip('?')}”" in said
    assert "Choose one of the answers" in said


@pytest.mark.parametrize("text", ["not sure but b", "b but im not really sure"])
def test_unsure_letter_is_a_choice(shipped_fractions, text):
    stage = begun_lesson("quiz me", seed=3)
    asked = stage.question
    stage.say(text)
    assert asked.attempts.get().answer == "b"


@pytest.mark.parametrize("text", ["5", "maybe 5?", "not sure, maybe 5?", "i think its 5 but not sure"])
def test_unsure_number_is_no_part_of_an_idea(kept_fractions, text):
    said = begun_lesson(seed=3).say(text)
    assert said.turn.decision["act"] == "wrong"
