"""Exercises: the same for the same seed, right by their own key, and clear about what went wrong."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tutoring.courses.conftest import TINY
from tutoring.courses.exercises.exercise import find_misconceptions
from tutoring.courses.exercises.generator import NoExercise, make_exercise
from tutoring.courses.exercises.sample_answers import right_answers
from tutoring.courses.files.loader import parse_course
from tutoring.grading import grade

COURSE = parse_course(TINY)
TEMPLATES = [template for concept in COURSE.concepts for template in concept.templates]

templates = st.sampled_from(TEMPLATES)
seeds = st.integers(0, 2**31)


@settings(deadline=None)
@given(templates, seeds)
def test_same_seed_gives_the_same_exercise(template, seed):
    assert make_exercise(template, seed=seed, course=COURSE) == make_exercise(template, seed=seed, course=COURSE)


@settings(deadline=None)
@given(templates, seeds)
def test_exercise_finds_its_own_answer_right(template, seed):
    made = make_exercise(template, seed=seed, course=COURSE)
    assert right_answers(made)
    assert all(grade(made.key, answer).verdict == "correct" for answer in right_answers(made))


@settings(deadline=None)
@given(st.sampled_from([template for template in TEMPLATES if template.kind in ("numeric", "choice")]), seeds)
def test_answers_of_misconceptions_are_wrong_and_known(template, seed):
    made = make_exercise(template, seed=seed, course=COURSE)
    for wrong, misconceptions in made.wrong.items():
        assert grade(made.key, wrong).verdict == "wrong"
        assert find_misconceptions(made, wrong) == misconceptions


def test_adding_tops_and_bottoms_is_recognised_in_any_terms():
    made = make_exercise(COURSE.template("adding-1"), seed=3, course=COURSE)
    (written,) = [wrong for wrong, found in made.wrong.items() if found == ("add-tops-bottoms",)]
    top, bottom = map(int, written.split("/"))
    assert find_misconceptions(made, f"{3 * top}/{3 * bottom}") == ("add-tops-bottoms",)


def test_conditions_hold_in_every_exercise():
    for seed in range(50):
        made = make_exercise(COURSE.template("adding-5"), seed=seed, course=COURSE)
        assert len(made.wrong) == 2
        assert Fraction(made.key.value) != Fraction(5, 6)  # The twin's answer: rung 4 would give it away.


def test_options_are_shuffled_and_the_key_follows():
    made = [make_exercise(COURSE.template("halves-which"), seed=seed, course=COURSE) for seed in range(30)]
    assert {exercise.key.right for exercise in made} == {"A", "B", "C"}
    for exercise in made:
        right = next(choice for choice in exercise.choices if choice.letter == exercise.key.right)
        assert len(set(right.picture.parts)) == 1


def test_options_that_ask_for_it_keep_their_order():
    made = [make_exercise(COURSE.template("halves-say"), seed=seed, course=COURSE) for seed in range(10)]
    assert {tuple(choice.text for choice in exercise.choices) for exercise in made} == {("Yes", "No")}


def test_ladder_has_five_rungs_and_a_smaller_question():
    made = make_exercise(COURSE.template("halves-shaded"), seed=3, course=COURSE)
    assert made.scaffold.ask == made.hints[2]
    assert made.scaffold.answer == made.key.value.removeprefix("1/")
    assert "So 1/10 is dark." in made.hints[3]
    assert made.hints[4] == "\n\n".join(made.solution)


def test_twin_works_its_derived_values_out_anew():
    made = make_exercise(COURSE.template("halves-number"), seed=3, course=COURSE)
    assert made.hints[3] == "What is half of 100?\n\n50 + 50 = 100\n\nHalf of 100 is 50."


def test_conditions_that_never_hold_end_in_an_error():
    template = replace(COURSE.template("adding-1"), where=("a > 100",))
    with pytest.raises(NoExercise, match="1000 tries"):
        make_exercise(template, seed=1, course=COURSE)


def test_options_that_come_out_the_same_are_never_shown():
    template = COURSE.template("halves-all")
    same = replace(template, choices=(replace(template.choices[0], text="1"), replace(template.choices[1], text="1")))
    with pytest.raises(NoExercise):
        make_exercise(same, seed=1, course=COURSE)
