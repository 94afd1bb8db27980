"""The learning cycle and the routing of a session."""

import contextlib
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from tutoring.courses.quiz_limits import QuizLimits
from tutoring.lesson import cycle as machine
from tutoring.lesson.cycle import InvalidTransition, LearningCycle

CONCEPTS = ("half", "equal", "unit", "compare")


def asked(cycle: LearningCycle, *concepts: str) -> LearningCycle:
    for concept in concepts:
        cycle = machine.count_question(cycle, concept)
    return cycle


def failed(cycle: LearningCycle) -> LearningCycle:
    return machine.close_cycle(
        machine.end_quiz(asked(machine.start_quiz(cycle), "half", "half", "equal")), mastered=False
    )


def test_a_cycle_explains_asks_and_looks_back():
    cycle = machine.end_quiz(asked(machine.start_quiz(LearningCycle()), "half", "half", "equal"))
    assert cycle.state == "feedback_analysing"
    assert machine.close_cycle(cycle, mastered=True).is_over


def test_five_cycles_without_mastery_end_at_the_path_planner():
    cycle = LearningCycle()
    for _ in range(4):
        cycle = machine.loop_again(failed(cycle))
    assert cycle.number == 5
    cycle = failed(cycle)
    assert cycle.needs_plan
    with pytest.raises(InvalidTransition):
        machine.loop_again(cycle)


@pytest.mark.parametrize("most", [1, 2, 4])
def test_a_course_may_have_fewer_cycles(most):
    cycle = LearningCycle(most=most)
    for _ in range(most - 1):
        cycle = machine.loop_again(failed(cycle))
    spent = failed(cycle)
    assert (spent.number, spent.needs_plan, spent.is_over) == (most, True, True)
    with pytest.raises(InvalidTransition):
        machine.loop_again(spent)


def test_a_quiz_asks_three_to_ten_and_three_a_concept():
    cycle = asked(machine.start_quiz(LearningCycle()), "half", "half", "half")
    assert not machine.may_ask(cycle, "half")
    cycle = asked(cycle, "equal", "equal", "equal", "unit", "unit", "unit", "compare")
    assert not machine.may_ask(cycle, "compare")
    assert machine.quiz_should_end(cycle, decided=False)


def test_a_decided_quiz_still_asks_three():
    cycle = asked(machine.start_quiz(LearningCycle()), "half", "half")
    assert not machine.quiz_should_end(cycle, decided=True)
    with pytest.raises(InvalidTransition):
        machine.end_quiz(cycle)
    assert machine.quiz_should_end(asked(cycle, "equal"), decided=True)


def test_a_course_may_ask_less_of_a_concept_but_never_less_than_three():
    once = QuizLimits(questions=4, per_concept=1)
    cycle = machine.count_question(machine.start_quiz(LearningCycle()), "half", once)
    assert not machine.may_ask(cycle, "half", once)
    assert not machine.quiz_should_end(cycle, decided=True, more=False, limits=once)
    cycle = machine.count_question(machine.count_question(cycle, "half", once), "equal", once)
    with pytest.raises(InvalidTransition):
        machine.count_question(cycle, "half", once)
    assert machine.quiz_should_end(machine.count_question(cycle, "unit", once), decided=False, limits=once)


def test_a_paused_quiz_keeps_its_place():
    cycle = machine.pause_quiz(asked(machine.start_quiz(LearningCycle()), "half"))
    assert not machine.may_ask(cycle, "half")
    assert machine.resume_quiz(cycle).asked == ("half",)


def test_a_quiz_given_up_leads_back_to_the_explanation_of_the_same_round():
    waiting = machine.pause_quiz(asked(machine.start_quiz(LearningCycle(number=2)), "half"))
    assert machine.leave_quiz(waiting) == LearningCycle(number=2)
    with pytest.raises(InvalidTransition):
        machine.leave_quiz(LearningCycle())


def test_the_counter_stands_still_on_a_detour():
    cycle = machine.loop_again(failed(LearningCycle()))
    detour = machine.detour_to(cycle, "equal")
    back = machine.close_cycle(
        machine.end_quiz(asked(machine.start_quiz(detour), "equal", "equal", "equal")), mastered=True
    )
    assert (back.number, back.detour, back.state) == (2, "", "tutor_explaining")
    with pytest.raises(InvalidTransition):
        machine.detour_to(back, "equal")


def test_a_detour_is_over_after_two_rounds_and_leads_back():
    detour = machine.loop_again(failed(machine.detour_to(LearningCycle(number=3), "equal")))
    assert detour.round == 2
    spent = failed(detour)
    assert spent.detour_is_spent
    assert not spent.is_over
    with pytest.raises(InvalidTransition):
        machine.loop_again(spent)
    back = machine.leave_detour(spent)
    assert (back.round, back.state) == (3, "tutor_explaining")


def test_a_cycle_survives_storage():
    cycle = machine.pause_quiz(asked(machine.start_quiz(machine.detour_to(LearningCycle(), "equal")), "equal"))
    assert machine.cycle_from_json(machine.cycle_to_json(cycle)) == cycle
    assert machine.cycle_from_json({}) == LearningCycle()


def test_every_message_is_classified_before_it_is_served():
    with pytest.raises(InvalidTransition):
        machine.enter_state("awaiting_input", "learn")
    for goal in ("diagnose", "learn", "plan"):
        assert machine.enter_state(machine.enter_state("classify_intent", goal), "awaiting_input") == "awaiting_input"


@given(
    held=st.sampled_from(sorted(machine.ROUTES))
    | st.none()
    | st.text(max_size=3)
    | st.lists(st.integers(), max_size=2),
    to=st.sampled_from(sorted(machine.ROUTES)),
)
def test_routing_leads_anywhere_from_whatever_is_stored_and_only_by_arrows(held: Any, to: Any) -> None:
    route, steps = machine.enter_state, list[tuple[Any, Any]]()
    with patch.object(machine, "enter_state", lambda state, onto: steps.append((state, onto)) or route(state, onto)):
        assert machine.reach_state(held, to) == to
    assert steps or to == machine.INITIAL_STATE
    assert all(first == held or first == machine.INITIAL_STATE for first, _to in steps[:1])
    assert [one[1] for one in steps[:-1]] == [other[0] for other in steps[1:]]


class AnyLesson(RuleBasedStateMachine):
    """Whatever a host calls, and however often, the machine stays inside the document."""

    def __init__(self) -> None:
        super().__init__()
        self.cycle = LearningCycle()

    def take(self, step: Callable[[LearningCycle], LearningCycle]) -> None:
        with contextlib.suppress(InvalidTransition):
            self.cycle = step(self.cycle)

    @rule()
    def explanation_ends(self) -> None:
        self.take(machine.start_quiz)

    @rule(concept=st.sampled_from(CONCEPTS))
    def asks(self, concept: str) -> None:
        self.take(lambda cycle: machine.count_question(cycle, concept))

    @rule(pause=st.booleans())
    def pauses_or_resumes(self, pause: bool) -> None:
        self.take(machine.pause_quiz if pause else machine.resume_quiz)

    @precondition(lambda self: machine.quiz_should_end(self.cycle, decided=True))
    @rule()
    def quiz_ends(self) -> None:
        self.take(machine.end_quiz)
        assert not self.cycle.paused

    @rule()
    def quiz_is_given_up(self) -> None:
        self.take(machine.leave_quiz)

    @rule(mastered=st.booleans())
    def feedback_ends(self, mastered: bool) -> None:
        self.take(lambda cycle: machine.close_cycle(cycle, mastered=mastered))

    @rule()
    def loops(self) -> None:
        self.take(machine.loop_again)

    @rule(concept=st.sampled_from(CONCEPTS))
    def detours(self, concept: str) -> None:
        self.take(lambda cycle: machine.detour_to(cycle, concept))

    @rule()
    def returns(self) -> None:
        self.take(machine.leave_detour)

    @invariant()
    def stays_in_the_document(self) -> None:
        cycle = self.cycle
        assert cycle.state in machine.TRANSITIONS
        assert 1 <= cycle.number <= 5
        assert 0 <= cycle.detour_number <= machine.DETOUR_ROUNDS
        assert len(cycle.asked) <= 10
        assert all(cycle.asked.count(concept) <= 3 for concept in CONCEPTS)
        assert cycle.state != "feedback_analysing" or len(cycle.asked) >= 3
        assert bool(cycle.detour) == bool(cycle.detour_number)


AnyLesson.TestCase.settings = settings(max_examples=60, stateful_step_count=60, deadline=None)
TestAnyLesson = AnyLesson.TestCase
