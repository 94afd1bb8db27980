"""How a quiz begins: with something to press or to move, of the easiest on offer; a checkout asks on its concept alone."""

from dataclasses import replace

import pytest

from tests.tutoring.lessons.lesson_player import fractions
from tests.tutoring.misconception_learners import facts_on
from tutoring.lesson.cycle import LearningCycle, start_quiz
from tutoring.mastery.misconception_evidence import Suspicion
from tutoring.roles.quizzes import question_selection

CONCEPTS = [each for each in fractions().course.concepts if each.steps]
RANKS = question_selection.EASIEST_FIRST


@pytest.mark.parametrize("concept", CONCEPTS, ids=lambda each: each.id)
def test_first_question_is_touched_and_of_the_easiest_on_offer(concept):
    touched = [each for each in concept.templates if each.kind in question_selection.TOUCHED_KINDS]
    offered = touched or concept.templates
    for turn in range(1, 6):
        asked = question_selection.choose_exercise(facts_on(concept, turn), concept.id, 1)
        assert asked.template in {each.id for each in offered}
        assert RANKS.index(asked.difficulty) == min(RANKS.index(each.difficulty) for each in offered)


def test_suspicion_waits_for_the_second_question():
    concept = fractions().course.concept("unit-fractions")
    odds = {each: Suspicion(id=each, odds=0.8) for each in ("part_to_part", "top_bottom_swapped")}
    asked = question_selection.choose_exercise(facts_on(concept, 3, suspicions=odds), concept.id, 1)
    assert asked.kind in question_selection.TOUCHED_KINDS


def test_checkout_asks_about_its_own_concept_alone():
    concept = fractions().course.concept("unit-fractions")
    facts = replace(facts_on(concept, 1), earlier=("mixed-numbers",))
    cycle = start_quiz(LearningCycle(), checkout=True)
    for _ in range(3):
        assert question_selection.next_concept(facts, cycle) == concept.id
        cycle = replace(cycle, asked=(*cycle.asked, concept.id))
    assert question_selection.next_concept(facts, cycle) is None
    assert question_selection.planned_questions(facts, start_quiz(LearningCycle(), checkout=True)) == 3


def test_what_needs_a_piece_is_asked_once_the_lesson_has_shown_it():
    whole = fractions().course.concept("unit-fractions")
    taught, other = [each.id for each in whole.pieces["beginner"]][:2]
    usual = question_selection.choose_exercise(facts_on(whole, 1), whole.id, 2).template
    templates = tuple(replace(each, after=(taught,)) if each.id == usual else each for each in whole.templates)
    concept = replace(whole, templates=templates)

    def asked_after(*explained: str, checkout: bool = False) -> str:
        facts = facts_on(concept, 1)
        concepts = tuple(concept if each.id == concept.id else each for each in facts.course.concepts)
        lesson = replace(facts.lesson, explained=explained, cycle=replace(facts.lesson.cycle, checkout=checkout))
        facts = replace(facts, course=replace(facts.course, concepts=concepts), lesson=lesson)
        return question_selection.choose_exercise(facts, concept.id, 2).template

    assert asked_after(other) != usual
    assert asked_after(other, taught) == usual
    assert asked_after() == usual
    assert asked_after(other, checkout=True) == usual
