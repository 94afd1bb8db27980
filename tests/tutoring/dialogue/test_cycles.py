"""The rounds of a lesson as they are stored: begun with their explanation, ended by the look back or by what else was learned."""

from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from conversations.turns.handler import turn_handler
from tests import people
from tests.tutoring.lessons.learners import right, wrong
from tests.tutoring.lessons.lesson_player import Stage, counted_turns, fractions, unhurried
from tutoring.course_storage import store_course
from tutoring.mastery.records.goals import set_goal
from tutoring.models import Concept, Cycle, Goal, KnowledgeGap, Mastery

pytestmark = pytest.mark.django_db
ELSEWHERE = "I want to learn to subtract fractions instead"


@pytest.fixture
def stage(kept_fractions):
    concept = Concept.objects.select_related("course").get(slug="one-half")
    with unhurried(), counted_turns(seed=3):
        yield Stage(people.make_person("ada", level="beginner"), concept)


def rounds(slug="one-half"):
    return Cycle.objects.filter(concept__slug=slug).order_by("number")


def answer(stage, of):
    """Answer what is asked as `of` would; go on where nothing is asked."""
    return stage.check(of(stage.question)) if stage.question else stage.say("go on")


def failed(stage):
    """Fail the first round; return what was said last."""
    exchange = stage.say("quiz me")
    while not Cycle.objects.exclude(completed_at=None).exists():
        exchange = answer(stage, wrong)
    return exchange


class TestBeginning:
    def test_round_begins_with_its_explanation_and_the_quiz_is_part_of_it(self, stage):
        opened = stage.open()
        begun = rounds().get()
        assert (begun.number, begun.quiz_score, begun.mastery_achieved, begun.completed_at) == (1, None, None, None)
        assert begun.started_at >= opened.turn.created_at
        stage.say("go on")
        stage.say("quiz me")
        assert stage.question.cycle == rounds().get() == begun
        assert begun.started_at < stage.question.opened_at

    def test_next_round_begins_when_it_is_explained_anew(self, stage):
        stage.concept = Concept.objects.select_related("course").get(slug="equal-parts")
        stage.open()
        failed(stage)
        first, second = rounds("equal-parts")
        assert (first.mastery_achieved, second.number, second.completed_at) == (False, 2, None)
        assert first.completed_at <= second.started_at
        assert stage.standing.cycle.state == "tutor_explaining"
        assert not second.questions.exists()

    def test_quiz_of_a_lesson_whose_explanation_began_no_round_begins_it(self, stage):
        stage.open()
        Cycle.objects.all().delete()
        stage.say("quiz me")
        assert stage.question.cycle == rounds().get()

    def test_detour_has_rounds_of_its_own_from_its_explanation_on(self, stage):
        stage.open()
        stage.say("quiz me")
        while not stage.standing.cycle.detour:
            answer(stage, wrong)
        below = stage.standing.cycle.detour
        own = list(rounds())
        assert not rounds(below).exists()
        stage.say("yes, go there")
        assert rounds(below).get().completed_at is None
        stage.say("Back to one half")
        assert rounds(below).get().completed_at is not None
        assert list(rounds()) == own

    def test_reply_in_the_midst_of_an_explanation_asks_nothing_of_the_rounds(self, stage):
        stage.open()
        with CaptureQueriesContext(connection) as queries:
            assert stage.say("go on").moves == ["continue_lesson"]
        told = [each["sql"] for each in queries if each["sql"].startswith(("SELECT", "INSERT", "UPDATE"))]
        assert not [sql for sql in told if '"tutoring_cycle"' in sql.partition("WHERE")[0]]


class TestUndoing:
    def test_message_that_began_a_lesson_takes_its_round_with_it(self, stage):
        lobby = Stage(stage.person)
        said = lobby.say("one half please")
        assert rounds().exists()
        lobby.say("unit fractions please", replaces=said)
        assert not rounds().exists()
        assert rounds("unit-fractions").get().completed_at is None

    def test_round_that_a_reason_has_ended_is_ended_once(self, stage):
        stage.open()
        reason = stage.say("quiz me")
        while not Cycle.objects.exclude(completed_at=None).exists():
            reason = stage.say("go on") if stage.standing.explaining else answer(stage, right)
        assert reason.said == "go on", "the last answer was not asked about"
        stage.say("because the two parts have the same size", replaces=reason)
        assert list(rounds().values_list("number", "mastery_achieved")) == [(1, True)]


class TestLeaving:
    def test_lesson_left_before_its_quiz_ends_the_round_without_a_word_on_mastery(self, stage):
        stage.open()
        stage.say("go on")
        moved = stage.say(ELSEWHERE)
        left = rounds().get()
        assert (left.quiz_score, left.mastery_achieved, left.completed_at is None) == (None, None, False)
        stage.say("go on", replaces=moved)
        left.refresh_from_db()
        assert left.completed_at is None

    @pytest.mark.parametrize("instead", [" instead", ""])
    def test_what_is_mastered_when_it_is_left_is_a_goal_reached_and_no_gap(self, stage, instead):
        stage.open()
        set_goal(stage.person, stage.concept)
        KnowledgeGap.objects.create(learner=stage.person, concept=stage.concept, current=0.3, required=0.85)
        stage.say("quiz me")
        mastered_before_the_look_back(stage)
        moved = stage.say(f"I want to learn to subtract fractions{instead}")
        assert "set aside" not in moved.reply
        left, goal = rounds().get(), Goal.objects.get(concept=stage.concept)
        assert (left.mastery_achieved, left.completed_at is None) == (True, False)
        assert (goal.reached_at is None, goal.dropped_at) == (False, None)
        assert KnowledgeGap.objects.get(concept=stage.concept).resolved_at is not None
        stage.say("what is a half", replaces=moved)
        left.refresh_from_db()
        assert (left.mastery_achieved, left.completed_at) == (None, None)

    def test_explanation_that_is_left_shows_nothing_of_a_mastery_there_was(self, stage):
        held = {"probability": 0.97, "answers": 4, "unassisted": 4, "templates": ["a", "b"], "threshold": 0.85}
        Mastery.objects.create(learner=stage.person, concept=stage.concept, **held)
        stage.open()
        stage.say(ELSEWHERE)
        assert rounds().get().mastery_achieved is None


class TestHowMany:
    @pytest.mark.parametrize(("cycles", "told"), [(1, "once"), (2, "twice")])
    def test_lesson_goes_round_as_often_as_its_course_says_and_then_leads_to_the_planner(self, stage, cycles, told):
        with_cycles(cycles)
        stage.concept = Concept.objects.select_related("course").get(slug="equal-parts")
        stage.open()
        assert turn_handler().lesson_context(stage.session)["stage"]["words"] == f"Round 1 of {cycles}"
        with_cycles(5)  # What has begun keeps its own.
        stage.say("quiz me")
        while not stage.standing.cycle.is_over:
            answer(stage, wrong)
        last = stage.exchanges[-1]
        assert f"We’ve been through this {told}, and you’ve kept trying." in last.reply
        assert last.events("agent_started")[-1]["agent"] == "pathplanner"
        assert list(rounds("equal-parts").values_list("mastery_achieved", flat=True)) == [False] * cycles
        assert turn_handler().lesson_context(stage.session)["stage"]["words"] == f"Round {cycles} of {cycles}"


def with_cycles(cycles):
    """Load the course anew, with so many rounds."""
    built = fractions()
    store_course(replace(built, course=replace(built.course, cycles=cycles), hash=f"-{cycles}"), position=0)


def mastered_before_the_look_back(stage):
    """Answer right until the answers show mastery, and what makes the last one right is still asked."""
    while stage.standing.cycle.state == "quiz_active":
        row = Mastery.objects.filter(learner=stage.person, concept=stage.concept).first()
        if row is not None and row.is_mastered:
            return
        stage.say("go on") if stage.standing.explaining else answer(stage, right)
    raise AssertionError("the look back came first")
