"""The scripted learners answer rightly where they mean to, in their own style, and their turns have the same ids each time."""

import random
from dataclasses import replace

from drills.scripted_learners.card_answers import GIVES_UP, answer_to
from drills.scripted_learners.counted_turns import TurnNumbering
from tests.drills.test_learner_counters import script
from tutoring.courses.exercises.exercise import Exercise
from tutoring.grading.keys import ChoiceKey, NumericKey, StepsKey

LEARNER = replace(script(), worded=("{answer}",))
CHOICE = ChoiceKey(right="B", options=(("A", "one"), ("B", "two"), ("C", "three")))


def exercise(key, **more):
    return Exercise(
        template="t", seed=1, concept="c", kind="numeric", difficulty="easy", stem="?", key=key, hints=(), solution=(),
        **more,
    )  # fmt: skip


def said(key, learner=LEARNER, *, seed=1, bare=False, **more):
    return answer_to(exercise(key, **more), learner, random.Random(seed), bare=bare).text


def test_right_answer_is_that_of_the_key():
    assert said(CHOICE) == "B"
    assert said(NumericKey(value="3/4")) == "3/4"


def test_working_is_written_as_people_write_it():
    assert said(StepsKey(start="1/6 + 7/10", value="13/15")) == "5/30 + 21/30\n26/30\n13/15"
    assert said(StepsKey(start="3/4 - 1/6", value="7/12")) == "9/12 - 2/12\n7/12\n7/12"


def test_wrong_answer_has_a_known_mistake():
    learner = replace(LEARNER, right=0.0)
    assert said(NumericKey(value="5/6"), learner, wrong={"2/5": ("adds_both",)}) == "2/5"


def test_guess_is_one_of_the_choices_and_alike_for_the_same_seed():
    learner = replace(LEARNER, right=0.0, wrong="random")
    guesses = [said(CHOICE, learner, seed=seed) for seed in range(20)]
    assert set(guesses) == {"A", "B", "C"}
    assert guesses == [said(CHOICE, learner, seed=seed) for seed in range(20)]


def test_learner_who_gives_up_says_so():
    assert said(CHOICE, replace(LEARNER, right=0.0, wrong="gives_up")) == GIVES_UP


def test_words_stand_around_an_answer_unless_it_is_bare():
    learner = replace(LEARNER, worded=("i think {answer}",))
    assert said(CHOICE, learner) == "i think B"
    assert said(CHOICE, learner, bare=True) == "B"


def numbered(numbering, owner):
    fields = {"owner": owner}
    numbering(args=(), kwargs=fields)
    return fields["id"]


def test_turns_of_a_seed_have_the_same_ids_each_time():
    first, second = TurnNumbering("1"), TurnNumbering("1")
    ids = [numbered(first, "ann"), numbered(first, "ann"), numbered(first, "ben")]
    assert len(set(ids)) == 3
    assert [numbered(second, "ben"), numbered(second, "ann"), numbered(second, "ann")] == [ids[2], *ids[:2]]
    assert numbered(TurnNumbering("2"), "ann") != ids[0]


def test_row_that_is_read_keeps_its_id():
    fields = {"owner": "ann", "id": "given"}
    TurnNumbering("1")(args=(), kwargs=fields)
    assert fields["id"] == "given"
