"""A quiz asks for no sum twice: other numbers, whatever the words and the order."""

from dataclasses import replace
from fractions import Fraction

import pytest

from tests import people
from tests.tutoring.lessons.learners import Learner, right
from tests.tutoring.lessons.lesson_player import Stage, counted_turns, fractions
from tests.tutoring.misconception_learners import facts_on
from tutoring.courses.catalogue import AnswerPlan, HintLadder, Template
from tutoring.courses.exercises.generator import make_exercise
from tutoring.courses.exercises.operands import board_operands, operands_of, sums_in, text_operands
from tutoring.grading import Idea
from tutoring.grading.boards import CombineBoard
from tutoring.models import Concept, Question
from tutoring.roles.quizzes import question_selection


@pytest.mark.parametrize(
    ("first", "second", "alike"),
    [
        ("Work out 1/2 + 1/6.", "On Monday 1/6 of a book was read, and on Tuesday another 1/2.", True),
        ("Work out 1/2 + 1/6.", "Work out 1/2 + 1/3.", False),
        ("Two planks are 1 1/2 m and 2 2/3 m long.", "Work out 2 2/3 + 1 1/2.", True),
        ("Two planks are 1 1/2 m and 2 2/3 m long.", "Work out 1/2 + 2/3.", False),
        ("Write 36/48 in simplest form.", "Write 36/48 in a single step.", True),
        ("What is 2/3 of 18?", "What is 2/3 of 24?", False),
        ("Which picture shows one half?", "Which picture shows one half?", False),
    ],
)
def test_numbers_are_compared_without_words_and_order(first, second, alike):
    assert text_operands(first).isdisjoint(text_operands(second)) is not alike


def test_bars_and_sums_in_a_text_count_too():
    bars = CombineBoard(first=Fraction(1, 6), sign="+", second=Fraction(1, 2))
    assert board_operands(bars) == text_operands("Work out 1/2 + 1/6.")
    assert sums_in("1/2 + 1/6 = 3/6 + 1/6 = 4/6") == {("1/2", "1/6"), ("1/6", "3/6")}


def test_next_question_has_other_numbers_than_those_just_met():
    course = fractions().course
    concept = course.concept("add-unlike")
    for turn in range(1, 25):
        facts = facts_on(concept, turn)
        again = question_selection.choose_exercise(facts, concept.id, 2)
        met = operands_of(again)
        other = question_selection.choose_exercise(replace(facts, operands_met=met), concept.id, 2)
        assert met.isdisjoint(operands_of(other))


def test_only_numbers_of_the_template_are_left_then_another_is_asked():
    course = fractions().course
    concept = course.concept("add-unlike")
    facts = facts_on(concept, 1)
    chosen = question_selection.choose_exercise(facts, concept.id, 2)
    template = course.template(chosen.template)
    every = [make_exercise(template, seed=seed, course=course) for seed in range(2000)]
    met = frozenset().union(*map(operands_of, every))
    assert question_selection.choose_exercise(replace(facts, operands_met=met), concept.id, 2).template != template.id


@pytest.mark.django_db
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_whole_quiz_repeats_no_numbers(kept_fractions, settings, seed):
    settings.AGENTS = {**settings.AGENTS, "turns_per_minute": 0, "cards_per_minute": 0}
    with counted_turns(seed=seed):
        stage = Stage(people.make_person("lena"))
        stage.concept = Concept.objects.select_related("course").get(slug="add-unlike")
        stage.open()
        stage.say("quiz me")
        for _ in range(12):
            if stage.standing.cycle.is_over:
                break
            stage.check(right(stage.question)) if stage.question else Learner().reply(stage)
    asked = [operands_of(each.instance()) for each in Question.objects.filter(purpose="quiz").order_by("number")]
    assert len(asked) >= 3
    assert all(one.isdisjoint(other) for number, one in enumerate(asked) for other in asked[:number])


def test_own_words_are_asked_for_before_a_question_comes_again_word_for_word():
    course = fractions().course
    concept = course.concept("add-unlike")
    ladder = HintLadder(focus="Look.", principle="Equal parts.", ask="How many?", ask_answer="2", example="1/2")
    shaded = Template(
        id="shaded", concept=concept.id, kind="numeric", difficulty="medium", stem="What part is shaded?",
        answer=AnswerPlan(value="1/2"), hints=ladder, solution=("It is 1/2.",),
    )  # fmt: skip
    words = AnswerPlan(ideas=(Idea(any=("equal",), name="equal parts"),), references=("Equal parts.",))
    why = replace(shaded, id="why", kind="text", stem="Why is it one half?", answer=words)
    fixed = replace(concept, templates=(shaded, why))
    small = replace(course, concepts=tuple(fixed if each.id == fixed.id else each for each in course.concepts))
    facts = replace(facts_on(concept, 1), course=small)
    assert question_selection.choose_exercise(facts, fixed.id, 2).template == "shaded"
    asked = replace(facts, times_answered={"shaded": 1}, recent_templates=("shaded", "other", "another"))
    assert question_selection.choose_exercise(asked, fixed.id, 2).template == "why"
