"""Teaching moves as a learner meets them: reasons asked for, twins, ways back to what a thing rests on."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from conversations.turns.handler import turn_handler
from tests import people
from tests.tutoring.lessons.learners import Learner, right, solve, wrong
from tests.tutoring.lessons.lesson_player import Stage, begun_lesson, counted_turns, going_on, unhurried
from tests.tutoring.lessons.replies import MILESTONES
from tests.tutoring.lessons.rubric import faults
from tutoring.courses.exercises.generator import make_exercise
from tutoring.models import Attempt, Concept, Cycle, Mastery, Question
from tutoring.roles.wording.phrases import IDEAS_NAMED

pytestmark = pytest.mark.django_db


SEED = 5


@pytest.fixture(scope="module")
def begun(kept_fractions, stored_once):
    return stored_once(lambda: begun_lesson("quiz me", seed=SEED))


@pytest.fixture
def stage(begun):
    """A lesson on one half, with its first question put."""
    with unhurried(), going_on(begun, seed=SEED) as stage:
        yield stage


def missed_six_times(stage):
    """Miss questions at the first try and give them up, until the sixth on the concept in a row is missed."""
    while not stage.standing.cycle.detour:
        if stage.question is None:
            stage.say("next")
        elif stage.question.attempts.exists():
            stage.give_up()
        else:
            stage.check(wrong(stage.question))
    return stage.exchanges[-1]


def one_of_kind(kind):
    def exercise(facts, _concept, _number):
        template = next(each for each in facts.concept.templates if each.kind == kind and each.misconceptions)
        return make_exercise(template, seed=1, course=facts.course)

    return exercise


def test_reason_of_a_right_answer_is_asked_for_heard_and_counted(stage):
    asked = stage.check(right(stage.question))
    assert asked.moves == ["self_explain"]
    assert asked.reply.count("?") == 1
    assert stage.question is None
    before = Mastery.objects.get(learner=stage.person)
    milestone = stage.standing.explaining
    said = stage.say(MILESTONES[milestone])
    assert said.moves == ["affirm_specific"]
    assert any(each.split("%")[0] in said.reply for each in IDEAS_NAMED)
    assert stage.question is not None
    after = Mastery.objects.get(learner=stage.person)
    assert (after.answers, after.unassisted) == (before.answers, before.unassisted)
    assert after.probability == max(before.probability, before.probability * 0.98 + (1 - before.probability) * 0.10)
    assert milestone in stage.standing.said


def test_words_that_cannot_be_judged_meet_a_sentence_to_compare_with(kept_fractions):
    concept = Concept.objects.select_related("course").get(slug="equal-parts")
    with counted_turns(seed=3):
        lesson = Stage(people.make_person("bo", level="beginner"), concept)
        lesson.open()
        lesson.say("sams piece is bigger")
        shown = lesson.say("top")
        assert shown.turn.decision["act"] == "unjudged"
        assert shown.cards("replies")[0]["options"] == ["I meant the same thing", "Not quite", "Not sure"]
        assert lesson.standing.piece == "ep-b-ribbons"
        assert list(faults(lesson, shown)) == []
        lesson.say("I meant the same thing")
    assert lesson.standing.piece not in ("", "ep-b-ribbons")
    assert lesson.standing.said == ()


def test_answer_demanded_of_the_lesson_is_met_with_a_pointer_then_with_one_worked_out(kept_fractions):
    concept = Concept.objects.select_related("course").get(slug="equal-parts")
    with counted_turns(seed=4):
        lesson = Stage(people.make_person("cy", level="beginner"), concept)
        lesson.open()
        demanded = lesson.say("just tell me")
        assert demanded.moves == ["decline_answer"]
        assert "thumb" in demanded.reply
        assert lesson.say("tell me the answer").moves == ["simplify"]
    assert lesson.standing.piece in [each.id for each in concept.value().examples]
    assert [fault for exchange in lesson.exchanges for fault in faults(lesson, exchange)] == []


def test_answer_typed_in_a_sentence_is_named_by_its_number(stage, monkeypatch):
    monkeypatch.setattr("tutoring.roles.quizzes.question_selection.choose_exercise", one_of_kind("numeric"))
    monkeypatch.setattr("tutoring.roles.quiz.is_explanation_due", lambda **_: False)
    solve(stage)
    stage.check("997")
    reply = stage.say(f"oh, {right(stage.question)}, i miscounted").reply
    assert "miscounted" not in reply
    assert "Right" in reply or "right" in reply or "Yes" in reply


def test_question_said_again_is_neither_praised_nor_counted(stage, monkeypatch):
    monkeypatch.setattr("tutoring.roles.quizzes.question_selection.choose_exercise", one_of_kind("numeric"))
    solve(stage)
    came = stage.check(f"{right(stage.question)} + 0")
    attempt = stage.question.attempts.get()
    assert (attempt.correct, attempt.score) == (False, 0.0)
    assert came.reply == ""  # The card says what is left to do.
    assert stage.question.is_open


def test_reason_of_ones_own_is_not_called_open(stage):
    stage.check(right(stage.question))
    reply = stage.say("because I looked at both bars and they end together").reply
    assert "stay open" not in reply
    assert stage.question is not None


def test_reason_may_stay_open(stage):
    stage.check(right(stage.question))
    milestone = stage.standing.explaining
    assert "not" not in stage.say("no idea").reply.lower().split()[:2]
    assert stage.question is not None
    assert milestone not in stage.standing.said


@pytest.mark.parametrize("said", ["oh it is all counting", "the same size, maybe"])
def test_vague_reason_leads_to_the_next_question(stage, said):
    stage.check(right(stage.question))
    assert stage.say(said).moves == ["continue_lesson"]
    assert stage.question is not None


def test_question_asked_instead_of_a_reason_is_answered_and_the_quiz_waits(stage):
    stage.check(right(stage.question))
    assert "two equal parts" in stage.say("what is a half?").reply
    assert stage.state["quiz_paused"]
    assert stage.say("continue").cards("question")


def test_solution_shown_is_followed_by_one_of_its_kind_that_counts_for_nothing(stage):
    while stage.question.kind != "numeric":
        solve(stage)
    first = stage.question
    given_up = stage.give_up()
    twin = stage.question
    assert (twin.template, twin.purpose) == (first.template, Question.Purpose.PRACTICE)
    assert (twin.stem, twin.public) != (first.stem, first.public)
    assert "?" not in given_up.reply
    before = Mastery.objects.get(learner=stage.person)
    stage.give_up()
    assert stage.question.purpose == Question.Purpose.QUIZ
    assert Mastery.objects.get(learner=stage.person).unassisted == before.unassisted
    assert list(faults(stage, given_up)) == []


def test_not_knowing_gets_a_hint_then_one_worked_out_then_the_solution(stage):
    while stage.question.kind != "numeric":
        solve(stage)
    first = stage.question
    rungs = []
    for _ in range(3):
        exchange = stage.say("i dont know")
        first.refresh_from_db()
        rungs.append((exchange.moves[0], first.hints_used))
        assert list(faults(stage, exchange)) == []
    assert rungs == [("focus_step", 1), ("worked_twin", 4), ("bottom_out", 4)]
    assert not first.is_open
    assert stage.question.template == first.template


def test_how_an_answer_came_about_is_held_against_the_hint_it_earned(stage, monkeypatch):
    monkeypatch.setattr("tutoring.roles.quizzes.question_selection.choose_exercise", one_of_kind("choice"))
    solve(stage)
    question = stage.question
    asked = stage.check(min(question.instance().wrong))
    assert asked.moves == ["focus_step"]
    told = stage.say("I looked at the colours of them")
    assert told.reply.count("?") <= 1
    question.refresh_from_db()
    assert question.hints_used == 1
    stage.say("I looked at the colours of them")
    question.refresh_from_db()
    assert question.hints_used == 1


def test_card_is_shown_with_every_miss(stage, monkeypatch):
    monkeypatch.setattr("tutoring.roles.quizzes.question_selection.choose_exercise", one_of_kind("numeric"))
    solve(stage)
    question = str(stage.question.pk)
    shown = [[each["id"] for each in stage.check(answer).cards("question")] for answer in ("997", "996")]
    assert shown == [[question], [question]]


def test_card_stands_once_on_the_page_however_much_of_it_is_fetched(stage, monkeypatch, client):
    monkeypatch.setattr("tutoring.roles.quizzes.question_selection.choose_exercise", one_of_kind("numeric"))
    monkeypatch.setattr("conversations.web.presentation.TURNS_SHOWN", 2)
    solve(stage)
    last = [stage.check(answer) for answer in ("997", "996", "995")][-1].turn
    client.force_login(stage.person)
    pages = [client.get(f"/c/{stage.key}/{page}").text for page in ("", f"before/{last.number - 1}/")]
    assert [page.count(f'id="question-{stage.question.pk}"') for page in pages] == [1, 0]


@pytest.mark.parametrize("said", ["because 997 make a whole", "if you took 997 of them it would be more"])
def test_number_in_a_sentence_is_no_wrong_answer(stage, monkeypatch, said):
    monkeypatch.setattr("tutoring.roles.quizzes.question_selection.choose_exercise", one_of_kind("numeric"))
    solve(stage)
    question = stage.question
    stage.say(said)
    assert not question.attempts.exists()
    stage.say("maybe 997 pieces")
    assert question.attempts.get().answer == "997"
    stage.say(f"oh {right(question)} i miscounted it")
    assert question.attempts.get(number=2).verdict == "correct"


@pytest.mark.parametrize(
    ("gives_away", "move", "contrast"),
    [(False, "contrast_case", True), (True, "probe_reasoning", False)],
)
def test_case_that_would_give_the_answer_away_is_left_out(stage, monkeypatch, gives_away, move, contrast):
    monkeypatch.setattr("tutoring.roles.quizzes.question_selection.choose_exercise", one_of_kind("numeric"))
    solve(stage)
    if gives_away:
        monkeypatch.setattr("tutoring.roles.quiz.is_case_safe", lambda _facts, _misconception: False)
    behind = next(ids for ids in stage.question.instance().wrong.values() if ids)
    answered = stage.check(wrong(stage.question, behind[0]))
    assert answered.moves == [move]
    assert bool(stage.standing.contrast) is contrast


def test_first_hint_needs_no_try_and_the_next_one_does(stage):
    replies = [stage.say("hint please").reply for _ in range(3)]
    assert stage.question.hints_used == 1
    assert stage.question.key["hints"][0] in replies[0]
    assert len(set(replies)) == 3


def test_six_misses_lead_to_what_it_rests_on_and_back_by_themselves(stage):
    dropped = missed_six_times(stage)
    number = stage.standing.cycle.number
    firsts = Attempt.objects.filter(question__concept=stage.concept, number=1)
    assert firsts.count() == 6
    assert dropped.moves == ["prereq_drop"]
    assert "*Equal parts*" in dropped.reply
    assert [each["options"] for each in dropped.cards("replies")] == [["Yes, go there", "Back to One half"]]
    assert (stage.question, stage.standing.cycle.detour) == (None, "equal-parts")
    rail = turn_handler().lesson_context(stage.session)
    assert rail["topic_title"] == "Equal parts"
    learner = Learner()
    learner.reply(stage)
    assert stage.standing.piece.startswith("ep-")
    while stage.standing.cycle.detour:
        learner.answer(stage, stage.question) if stage.question else learner.reply(stage)
    back = stage.exchanges[-1]
    assert "*One half*" in back.reply
    assert Cycle.objects.get(session=stage.session, concept__slug="equal-parts").mastery_achieved
    assert stage.standing.cycle.number == number
    learner.reply(stage)
    assert stage.standing.piece.startswith("oh-") or stage.question.concept.slug == "one-half"
    assert [fault for exchange in stage.exchanges for fault in faults(stage, exchange)] == []


@pytest.mark.parametrize("said", ["no, not now", "Back to One half"])
def test_detour_is_left_when_the_learner_wants_back(stage, said):
    missed_six_times(stage)
    back = stage.say(said)
    assert back.reply.startswith("Back to *One half*.")
    assert (stage.standing.cycle.detour, stage.standing.cycle.detours) == ("", ("equal-parts",))


def test_mastered_with_ideas_unsaid_says_so_and_goes_on_to_them(stage):
    for _ in range(3):
        solve(stage)
    told = stage.exchanges[-1]
    assert "Your answers show that you’ve mastered" in told.reply
    assert "ideas in your own words" in told.reply
    assert told.reply.count("?") == 1
    waiting = stage.standing.explaining
    said = stage.say(MILESTONES[waiting])
    assert waiting in stage.standing.said
    assert stage.standing.explaining not in ("", waiting)
    assert said.reply.count("?") == 1
    assert [card["title"] for card in stage.say("next").cards("concept")] == ["Unit fractions"]
    assert [fault for exchange in stage.exchanges for fault in faults(stage, exchange)] == []


def test_turn_reads_what_was_said_once_and_not_without_end(stage):
    with CaptureQueriesContext(connection) as queries:
        turn_handler().prepare(stage.exchanges[-1].turn)
        turn_handler().lesson_context(stage.session)
    read = [each["sql"] for each in queries if "conversations_message" in each["sql"]]
    assert len(read) == 1
    assert "LIMIT" in read[0]
