"""Which graph serves a turn, and why."""

from dataclasses import replace

import pytest

from agents.engine.roles import Request
from tests.tutoring.halves_course import COURSE, HALF
from tutoring.dialogue.graphs import AFTERWARDS, ASIDE, LEARNING, choose_graph
from tutoring.lesson.cycle import LearningCycle
from tutoring.lesson.facts import LessonFacts
from tutoring.lesson.notes import Notes
from tutoring.lesson.response_plan import Act, ResponsePlan
from tutoring.lesson.state import LESSON_KEY, LessonState, lesson_state, lesson_to_json
from tutoring.lesson.turn_results import TutorTurn
from tutoring.roles import tutor

EXPLAINING = LessonFacts(
    turn_id="00000000-0000-0000-0000-000000000001",
    seed=1,
    kind="message",
    course=COURSE,
    concept=HALF,
    level="beginner",
    served=ResponsePlan(act="other"),
)


def in_quiz(act: Act, *, paused: bool = False, contrast: str = "") -> LessonFacts:
    cycle = LearningCycle(state="quiz_active", paused=paused, asked=("one-half",))
    lesson = LessonState(cycle=cycle, contrast=contrast)
    return replace(EXPLAINING, lesson=lesson, served=ResponsePlan(act=act))


def test_explanation_is_the_tutors():
    assert choose_graph(EXPLAINING)[0] is LEARNING


@pytest.mark.parametrize(
    "act", ["hint_request", "does_not_know", "answer_demand", "stuck", "go_on", "resume", "other", "idea_partly"]
)
def test_what_belongs_to_the_quiz_stays_in_it(act):
    graph, choice = choose_graph(in_quiz(act))
    assert (graph, choice.to) == (LEARNING, "quiz")


@pytest.mark.parametrize(
    "act", ["question", "misconception", "idea_said", "greeting", "goodbye", "feeling", "calculation"]
)
def test_what_is_said_beside_the_quiz_is_the_tutors(act):
    graph, choice = choose_graph(in_quiz(act))
    assert (graph, choice.to) == (ASIDE, "tutor")
    assert choice.reason


def test_small_talk_goes_on_beside_a_quiz_that_waits():
    assert choose_graph(in_quiz("other", paused=True))[0] is ASIDE


def test_reply_to_a_contrast_case_is_the_tutors():
    assert choose_graph(in_quiz("other", contrast="two_pieces"))[0] is ASIDE


def test_lesson_that_is_over_still_answers():
    over = replace(EXPLAINING, lesson=LessonState(cycle=LearningCycle(state="mastered")))
    assert choose_graph(over)[0] is AFTERWARDS


def test_lesson_state_survives_its_way_through_json():
    lesson = LessonState(cycle=LearningCycle(number=3), explained=("a", "b"), contrast="two_pieces", nudges=2)
    assert lesson_state({"lesson": lesson_to_json(lesson)}) == lesson
    assert lesson_state({}) == LessonState()


@pytest.mark.parametrize(
    ("standing", "reason"),
    [
        ({}, "The lesson on One half starts."),
        ({"lesson": LessonState(piece="h-b-one", explained_in_cycle=1)}, "The tutor is explaining."),
        ({"returned": True}, "Back to the lesson on One half."),
        (
            {"lesson": LessonState(cycle=LearningCycle(detour="one-half", detour_number=1)), "detour_from": HALF},
            "The lesson takes a step back to One half.",
        ),
        (
            {"lesson": LessonState(cycle=LearningCycle(state="mastered"), explaining=HALF.milestones[0].id)},
            "The answers show mastery, but there is still an idea to explain.",
        ),
    ],
)
def test_reason_tells_where_the_lesson_stands(standing, reason):
    assert choose_graph(replace(EXPLAINING, **standing))[1].reason == reason


def test_wrong_idea_heard_before_is_tested_before_the_quiz_that_is_asked_for():
    lesson = LessonState(piece=HALF.pieces["beginner"][0].id, explained_in_cycle=1)
    explaining = replace(EXPLAINING, lesson=lesson, served=ResponsePlan(act="quiz_request"), text="quiz me")
    idea = next(iter(explaining.course.misconceptions))
    for notes, goes_to in ((Notes(), "quiz"), (Notes(to_test=idea), "tutor")):
        facts = replace(explaining, notes=notes)
        assert choose_graph(facts)[1].to == goes_to
        plan = tutor.ROLE.plan(Request(text="quiz me", facts=facts, state={LESSON_KEY: lesson_to_json(facts.lesson)}))
        assert isinstance(plan.result, TutorTurn)
        assert plan.result.move == {"quiz": "begin_quiz", "tutor": "contrast_case"}[goes_to]


def test_quiz_asked_for_after_the_lesson_is_said_to_be_over():
    lesson = LessonState(cycle=LearningCycle(state="mastered"))
    facts = replace(EXPLAINING, lesson=lesson, served=ResponsePlan(act="quiz_request"), text="quiz me")
    state = {LESSON_KEY: lesson_to_json(lesson)}
    plan = tutor.ROLE.plan(Request(text="quiz me", facts=facts, state=state))
    assert "There are no more questions on *One half* for now." in plan.say
    assert isinstance(plan.result, TutorTurn)
    assert plan.result.ends, "what comes next is the path planner's"


def test_goodbye_begins_no_lesson():
    """It may be a button: a lesson is offered, and so is "Enough for today"."""
    facts = replace(EXPLAINING, served=ResponsePlan(act="goodbye"), text="Enough for today")
    plan = tutor.ROLE.plan(Request(text=facts.text, facts=facts, state={LESSON_KEY: lesson_to_json(LessonState())}))
    assert isinstance(plan.result, TutorTurn)
    assert plan.result.move == "farewell"
    assert lesson_state(plan.state) == LessonState()
    assert choose_graph(facts)[1].reason == "The message says goodbye."
