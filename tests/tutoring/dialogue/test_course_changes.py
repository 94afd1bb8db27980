"""A course that changes under a conversation, and what comes late or twice: a defined outcome, and nothing lost."""

import asyncio
import uuid
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.test import RequestFactory

from agents.engine.outcomes import Answered
from agents.engine.runner import RunResult
from conversations.turns.handler import turn_handler
from tests import people
from tests.tutoring.lessons.learners import NeverLearns, right, solve, wrong
from tests.tutoring.lessons.lesson_player import Stage, counted_turns, fractions
from tutoring.course_storage import store_course
from tutoring.lesson.placement import placement_of
from tutoring.lesson.state import lesson_state
from tutoring.lesson.turn_results import FeedbackTurn, QuizTurn
from tutoring.mastery.placement import MAX_QUESTIONS
from tutoring.mastery.records.lesson_settings import save_settings
from tutoring.models import Attempt, Concept, Cycle, DiagnosticResult, Goal, Lesson, Mastery, Path, Question
from tutoring.pages.views.answers import answer_core

pytestmark = pytest.mark.django_db

GOAL = "I want to learn to add fractions with different denominators"


@pytest.fixture(autouse=True)
def _unhurried(settings: Any) -> None:
    settings.AGENTS = {**settings.AGENTS, "turns_per_minute": 0, "cards_per_minute": 0}


@pytest.fixture
def stage(kept_fractions: None) -> Any:
    with counted_turns(seed=5):
        yield Stage(people.make_person("nora", level="intermediate"))


def reload(*, without: str = "", template: str = "") -> None:
    """Load the course anew, as if its files had lost a concept, or a template."""
    built = fractions()
    concepts = tuple(
        replace(
            each,
            requires=tuple(name for name in each.requires if name != without),
            templates=tuple(one for one in each.templates if one.id != template),
        )
        for each in built.course.concepts
        if each.id != without
    )
    store_course(
        replace(built, course=replace(built.course, concepts=concepts), hash=f"-{without}-{template}"), position=0
    )


def posted(stage: Stage, question: Question, answer: str) -> int:
    """Answer on a card, as a tab does that still shows it; return the status."""
    fields = {"action": "check", "answer": answer, "idempotency_key": uuid.uuid4().hex}
    request = RequestFactory().post(
        "/", fields, content_type="application/json", headers={"Accept": "application/json"}
    )
    request.user = stage.person
    response, _accepted = answer_core(request, str(question.pk))
    return response.status_code


def opened(stage: Stage, slug: str) -> Stage:
    stage.concept = Concept.objects.select_related("course").get(slug=slug)
    stage.open()
    return stage


class TestPlacement:
    def test_question_whose_template_is_gone_is_answered_as_it_was_asked(self, stage: Stage) -> None:
        stage.say(GOAL)
        question = stage.question
        reload(template=question.template)
        stage.check(right(question))
        assert question.attempts.get().correct
        assert len(placement_of(stage.state).answers) == 1
        assert stage.question.template != question.template

    def test_concept_nobody_was_asked_about_may_go_meanwhile(self, stage: Stage) -> None:
        stage.say(GOAL)
        asked = stage.question.concept.slug
        gone = next(each for each in ("compare-unit-fractions", "unit-fractions") if each != asked)
        reload(without=gone)
        for _ in range(MAX_QUESTIONS + 1):
            if stage.question is None:
                break
            stage.give_up()
        found = DiagnosticResult.objects.get()
        assert gone not in {gap["concept"] for gap in found.prerequisite_gaps}
        assert gone not in stage.state["learning_path"]

    def test_two_tabs_answer_the_same_question_once(self, stage: Stage) -> None:
        stage.say(GOAL)
        question = stage.question
        stage.check(wrong(question))
        assert posted(stage, question, right(question)) == 409
        assert Attempt.objects.get().answer == wrong(question)
        assert [answer.correct for answer in placement_of(stage.state).answers] == [False]

    def test_answer_after_the_end_changes_nothing(self, stage: Stage) -> None:
        stage.say(GOAL)
        question = stage.question
        stage.say("that is enough questions")
        before = stage.state
        assert posted(stage, question, right(question)) == 409
        assert stage.state == before
        assert not Attempt.objects.exists()
        assert DiagnosticResult.objects.get().questions == 0


class TestLesson:
    def test_quiz_goes_on_when_the_template_of_its_question_is_gone(self, stage: Stage) -> None:
        opened(stage, "one-half").say("quiz me")
        question = stage.question
        reload(template=question.template)
        stage.check(right(question))
        assert question.attempts.get().correct
        assert stage.session.questions.count() == 2 or stage.standing.explaining

    def test_question_keeps_the_source_that_it_was_made_from(self, stage: Stage) -> None:
        opened(stage, "one-half").say("quiz me")
        question, built = stage.question, fractions()
        store_course(replace(built, course=replace(built.course, title="Parts of a whole"), hash="-title"), position=0)
        stage.check(right(question))
        told = next(each for each in stage.state["quiz_questions"] if each["question_id"] == str(question.pk))
        assert told["source_context"] == question.source_context
        assert "Parts of a whole" not in question.source_context

    def test_next_topic_that_is_gone_is_not_begun(self, stage: Stage) -> None:
        opened(stage, "one-half")
        session = stage.session
        over = {**session.state["lesson"], "cycle": {"state": "mastered", "asked": []}}
        session.state |= {"lesson": over, "next_topic": "gone", "learning_path": ["gone", "unit-fractions"]}
        session.save()
        assert stage.say("yes, let us go on").reply
        assert stage.state["current_topic"] == "one-half"
        assert stage.state["next_topic"] != "gone"

    def test_detour_to_a_concept_that_is_gone_leads_back(self, stage: Stage) -> None:
        opened(stage, "one-half")
        session = stage.session
        session.state["lesson"]["cycle"] |= {"detour": "gone", "detour_number": 1, "detours": ["gone"]}
        session.save()
        said = stage.say("next")
        assert "Back to *One half*" in said.reply
        assert not stage.standing.cycle.detour

    @pytest.mark.parametrize(
        ("key", "state"), [("piece", "tutor_explaining"), ("contrast", "tutor_explaining"), ("explaining", "mastered")]
    )
    def test_what_was_asked_last_may_be_gone(self, stage: Stage, key: str, state: str) -> None:
        opened(stage, "one-half")
        session = stage.session
        session.state["lesson"] |= {"piece": "", key: "gone", "cycle": {"state": state}}
        session.save()
        said = stage.say("there have to be two pieces and they must be the same size")
        assert said.reply
        assert "gone" not in (stage.standing.contrast, stage.standing.piece, stage.standing.explaining)

    def test_what_the_learner_changed_of_the_path_may_name_what_is_gone(self, stage: Stage) -> None:
        opened(stage, "one-half")
        course = stage.concept.course
        Path.objects.create(learner=stage.person, course=course, first=["gone", "equal-parts"], set_aside=["gone"])
        Goal.objects.create(learner=stage.person, concept=Concept.objects.get(slug="add-like"))
        assert stage.say("what's next?").cards("path")

    def test_threshold_that_changes_leaves_what_is_stored(self, stage: Stage) -> None:
        opened(stage, "one-half").say("quiz me")
        stage.check(right(stage.question))
        built = fractions()
        store_course(replace(built, course=replace(built.course, threshold=1.0), hash="stricter"), position=0)
        assert Mastery.objects.get().threshold == built.course.threshold


class TestWish:
    """How sure a learner wants to be before the lesson goes on, said on a page of its own."""

    def test_is_kept_when_a_message_is_said_anew(self, stage: Stage) -> None:
        opened(stage, "one-half")
        said = stage.say("hm")
        self.wish(stage)
        stage.say("next", replaces=said)
        assert stage.state["mastery_threshold"] == 0.75

    def test_is_kept_while_a_turn_runs(self, stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
        opened(stage, "one-half").say("quiz me")
        answered = stage._run

        def run(*turn: Any) -> Any:
            ran = answered(*turn)
            self.wish(stage)
            return ran

        monkeypatch.setattr(stage, "_run", run)
        stage.check(right(stage.question))
        assert stage.state["mastery_threshold"] == 0.75
        assert stage.state["quiz_responses"]
        assert Lesson.objects.get().own_level == "advanced"

    @staticmethod
    def wish(stage: Stage) -> None:
        save_settings(Lesson.objects.get(), own_level="advanced", threshold=0.75)


@pytest.mark.parametrize("threshold", [0.0, 1.0])
def test_lesson_ends_at_the_ends_of_the_range_of_thresholds(stage: Stage, threshold: float) -> None:
    """A threshold of 0 asks for answers, whatever they are; one of 1 for as much certainty as there is."""
    built = fractions()
    store_course(replace(built, course=replace(built.course, threshold=threshold), hash=f"at {threshold}"), position=0)
    opened(stage, "equal-parts").say("quiz me")
    learner = NeverLearns()
    for _ in range(12):
        if stage.standing.cycle.is_over or stage.standing.cycle.round > 1:
            break
        learner.answer(stage, stage.question) if stage.question else learner.reply(stage)
    assert stage.state["mastery_threshold"] == threshold
    assert Mastery.objects.get().is_mastered == (threshold == 0.0)
    assert (stage.standing.cycle.state == "mastered") == (threshold == 0.0)


class Meanwhile:
    """Loads the course anew between a turn's run and its end, without what `gone` finds in the run; once."""

    def __init__(self, stage: Stage, gone: Callable[[Any], str]) -> None:
        self.gone = gone
        self.without = ""
        stage.walk = self

    def __call__(self, walk: Any) -> Any:
        result = asyncio.run(walk)
        is_run = isinstance(result, RunResult)  # A message's reading is walked, too.
        found = [self.gone(each.result) for each in result.outcomes] if is_run and not self.without else []
        for slug in filter(None, found):
            self.without = slug
            reload(without=slug)
        return result


def of_question(result: Any) -> str:
    new = getattr(result, "new_question", None)
    return new.exercise.concept if new is not None else ""


class TestMeanwhile:
    """What is gone when a turn ends, and was there when it began, is left out: the reply and all else is kept."""

    def test_topic_just_named(self, stage: Stage) -> None:
        gone = Meanwhile(stage, lambda result: getattr(result, "topic", ""))
        assert stage.say(GOAL).reply
        assert gone.without == "add-unlike"
        assert not any(rows.objects.exists() for rows in (Lesson, Goal, Question))
        assert {"placement", "goals", "current_topic"}.isdisjoint(stage.state)
        assert stage.say("hello").reply

    def test_topic_named_in_a_lesson(self, stage: Stage) -> None:
        opened(stage, "one-half").say("quiz me")
        waiting, stood = stage.question, stage.state
        Meanwhile(stage, lambda result: getattr(result, "topic", ""))
        assert stage.say("I want to learn to subtract fractions instead").reply
        assert (stage.question, stage.state["current_topic"]) == (waiting, "one-half")
        assert stage.standing.cycle.asked == lesson_state(stage.state).cycle.asked == lesson_state(stood).cycle.asked
        stage.check(right(waiting))
        assert waiting.attempts.get().correct

    def test_question_of_a_placement(self, stage: Stage) -> None:
        stage.say(GOAL)
        gone = Meanwhile(stage, of_question)
        assert stage.check(wrong(stage.question)).reply
        assert (gone.without != "", stage.question, Goal.objects.count()) == (True, None, 1)
        assert stage.say("ok").reply
        assert stage.question.concept.slug != gone.without

    def test_what_a_placement_found(self, stage: Stage) -> None:
        """The path's first step is gone as well: the lesson stays, and the next message plans anew."""
        stage.say(GOAL)
        stage.check(right(stage.question))
        gone = Meanwhile(stage, lambda result: getattr(result, "next_topic", ""))
        assert stage.say("that is enough questions").reply
        found = DiagnosticResult.objects.get()
        assert gone.without not in {gap["concept"] for gap in found.prerequisite_gaps}
        known = set(Mastery.objects.values_list("concept__slug", flat=True))
        assert known == {each.slug for each in Concept.objects.all() if each.slug in known} != set()
        assert stage.say("let us start").cards("question")
        assert stage.say("what's next?").cards("path")
        assert gone.without not in stage.state["learning_path"]

    def test_question_of_a_quiz_on_what_it_rests_on(self, stage: Stage) -> None:
        opened(stage, "unit-fractions").say("quiz me")
        gone = Meanwhile(stage, lambda result: ((asked := of_question(result)) != "unit-fractions" and asked) or "")
        while not gone.without:
            exchange = stage.check(wrong(stage.question)) if stage.question else stage.say("go on")
        assert exchange.reply
        assert stage.question is None
        assert gone.without not in stage.standing.cycle.asked
        asked = {each["question_id"] for each in stage.state["quiz_questions"]}
        assert asked <= {str(each.pk) for each in stage.session.questions.all()}
        while stage.question is None:
            assert stage.say("quiz me").reply
        assert stage.question.number == len(stage.standing.cycle.asked)

    @pytest.mark.parametrize(
        "result",
        [
            QuizTurn(move="prereq_drop", doubted="gone"),
            FeedbackTurn(mastered=True, right=3, asked=3, concept="gone", cycle=1),
        ],
    )
    def test_prerequisite_that_is_doubted_and_cycle_that_ends(self, stage: Stage, result: Any) -> None:
        opened(stage, "one-half").say("quiz me")
        before, outcome = stage.state, Answered(agent="quiz", result=result, text="", ms=1.0)
        turn = stage.exchanges[-1].turn
        turn_handler().settle(turn, RunResult(outcomes=(outcome,), state={}, position=None), told=())
        assert stage.state == before


def test_left_lesson_leaves_no_cycle_open_and_comes_back_when_that_is_undone(stage: Stage) -> None:
    opened(stage, "one-half").say("quiz me")
    left = Cycle.objects.get()
    solve(stage)
    waiting = stage.question
    moved = stage.say("I want to learn to subtract fractions instead")
    left.refresh_from_db()
    assert (left.quiz_score, left.mastery_achieved, left.completed_at is None) == (1.0, None, False)
    stage.say("give me a hint", replaces=moved)
    left.refresh_from_db()
    assert (left.quiz_score, left.completed_at, stage.question) == (None, None, waiting)
    while not left.completed_at:
        solve(stage) if stage.question else stage.say("go on")
        left.refresh_from_db()
    assert left.mastery_achieved is not None
