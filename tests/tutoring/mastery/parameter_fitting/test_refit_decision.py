"""Parameters fitted to answers, and when they are taken."""

from collections import Counter
from dataclasses import replace
from random import Random
from statistics import mean

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.simulated_logs import Course, history
from tutoring.mastery import knowledge_tracing
from tutoring.mastery.knowledge_tracing import DEFAULT_SKILL, AbilityEstimate, Belief, DifficultyOffset, SkillParameters
from tutoring.mastery.parameter_fitting import em, prediction_scores, refit_decision
from tutoring.mastery.parameter_fitting.acceptance import (
    HELD_OUT_ANSWERS_NEEDED,
    HeldOutPredictions,
    concept_changes,
    gain_noise,
)
from tutoring.mastery.parameter_fitting.answer_history import WeighedAnswer
from tutoring.mastery.parameter_fitting.refit_decision import fittable_concepts, is_held_out, refit
from tutoring.mastery.parameter_fitting.replay import Replay

TRUTH = SkillParameters(initial=0.25, learn=0.25, forget=0.005, known_base=0.8, unknown_shift=0.8)
COURSE = Course(learners=240, skills=4, items=12, each=10, truth=TRUTH, item_spread=0.5)
SKILLS = [f"skill-{number}" for number in range(COURSE.skills)]


@pytest.fixture(scope="module")
def answers():
    return history(COURSE, seed=3)


@pytest.fixture
def finds(monkeypatch):
    """Have the search for parameters find what a test says, and return the histories it was given."""
    given = []

    def set_to(**found):
        def fitted(history, concepts, start):
            given.append(history)
            return {each: found[each.replace("-", "_")] for each in concepts if each.replace("-", "_") in found}

        monkeypatch.setattr(em, "fit_parameters", fitted)
        return given

    return set_to


def test_known_parameters_are_recovered(answers):
    found = em.fit_parameters(answers, SKILLS, {})
    assert sorted(found) == SKILLS
    for name, tolerance in {"initial": 0.1, "learn": 0.06, "forget": 0.008, "known_base": 0.06}.items():
        assert mean(getattr(each, name) for each in found.values()) == pytest.approx(
            getattr(TRUTH, name), abs=tolerance
        )
    assert mean(each.unknown_shift for each in found.values()) == pytest.approx(TRUTH.unknown_shift, abs=0.35)
    low, high = em.ITEM_SLOPE
    assert all(low <= slope <= high for each in found.values() for slope in (each.known_by_item, each.unknown_by_item))
    assert {each.mean for each in found.values()} == {DEFAULT_SKILL.mean}


def test_skills_that_differ_are_told_apart():
    one, other = (
        history(replace(COURSE, skills=1, learners=150, truth=replace(TRUTH, **differs)), seed=5)
        for differs in ({"initial": 0.7, "known_base": 0.95}, {"initial": 0.15, "known_base": 0.75})
    )
    both = [*one, *(each._replace(concept="other", item=f"other {each.item}") for each in other)]
    found = em.fit_parameters(both, [SKILLS[0], "other"], {})
    assert found[SKILLS[0]].initial > found["other"].initial + 0.25
    assert found[SKILLS[0]].known_base > found["other"].known_base + 0.05


def test_where_a_placement_began_is_not_fitted_to(answers):
    placed = [each._replace(placed=0.9) for each in answers]
    found = em.fit_parameters(placed, SKILLS, {})
    assert [each.initial for each in found.values()] == pytest.approx([DEFAULT_SKILL.initial] * len(SKILLS))
    first, again = placed[0], Replay()
    expected = Replay(otherwise=replace(DEFAULT_SKILL, initial=0.9))
    whose = (first.learner, first.item, first.concept, first.correct)
    assert again.answer(*whose, placed=0.9) == pytest.approx(expected.answer(*whose))


def test_concepts_that_are_not_asked_for_stay_as_they_are(answers):
    assert list(em.fit_parameters(answers, SKILLS[:1], {})) == SKILLS[:1]


def test_better_parameters_are_taken_and_once_in_force_not_again(answers):
    first = refit(answers, {})
    assert first.is_accepted
    assert first.loss_after <= 0.995 * first.loss_before
    assert (first.answers, first.learners) == (len(answers), 240)
    again = refit(answers, first.parameters)
    assert again.loss_before == pytest.approx(first.loss_after)
    assert not again.is_accepted


def test_worse_parameters_are_refused(answers, finds):
    finds(**dict.fromkeys(("skill_0", "skill_1"), SkillParameters(initial=0.9, known_base=0.97)))
    worse = refit(answers, {})
    assert not worse.is_accepted


def test_concept_that_would_be_calibrated_worse_keeps_what_is_in_force(answers, finds):
    one, other = em.fit_parameters(answers, SKILLS[:2], {}).values()
    finds(skill_0=one, skill_1=SkillParameters(initial=0.97, known_base=0.98))
    found = refit(answers, {SKILLS[1]: other})
    assert found.parameters == {SKILLS[0]: one, SKILLS[1]: other}
    assert found.worst_calibration <= refit_decision.MAX_CALIBRATION_LOSS


def test_concepts_with_few_held_out_answers_do_not_stop_a_refit():
    few = Course(learners=240, skills=16, items=10, each=8, truth=TRUTH, spread=0.5, tail=1.0, noise=0.05)
    rows = history(few, seed=2)
    held_out = Counter(each.concept for each in rows if is_held_out(each.learner))
    assert min(held_out.values()) < HELD_OUT_ANSWERS_NEEDED
    found = refit(rows, {})
    assert found.is_accepted
    assert found.auc_after > found.auc_before
    assert {each.concept for each in found.changes} == {
        concept for concept, answers in held_out.items() if answers >= HELD_OUT_ANSWERS_NEEDED
    }
    assert not {each.concept for each in found.kept} & found.parameters.keys()


def test_what_is_fitted_to_guesses_is_refused(answers):
    random = Random(1)
    guessed = [each if is_held_out(each.learner) else each._replace(correct=random.random() < 0.5) for each in answers]
    found = refit(guessed, {})
    assert found.refusal in ("nothing new", "too little gain", "gain by chance")
    assert not found.is_accepted


def foreseen(chances, correct, learners):
    return HeldOutPredictions(
        learners=np.array(learners),
        concepts=["half"] * len(correct),
        predicted=np.array(chances),
        correct=np.array(correct),
    )


def test_gain_that_one_learner_makes_may_be_chance():
    learners = [person for person in range(10) for _ in range(10)]
    correct = [True] * 100
    before = foreseen([0.5] * 100, correct, learners)
    one = foreseen([0.9 if person == 0 else 0.49 for person in learners], correct, learners)
    every = foreseen([0.55] * 100, correct, learners)
    assert before.loss - one.loss > 0
    assert before.loss - one.loss < prediction_scores.SIGNIFICANCE_Z * gain_noise(before, one)
    assert before.loss - every.loss > prediction_scores.SIGNIFICANCE_Z * gain_noise(before, every)
    assert gain_noise(foreseen([0.5], [True], [1]), foreseen([0.9], [True], [1])) == float("inf")


@pytest.mark.parametrize(("each", "is_worse"), [(6, False), (60, True)])
def test_calibration_is_worse_where_it_is_by_more_than_noise(each, is_worse):
    """A concept whose answers are right in 7 of 10 cases: 0.75 is no worse than 0.7 on few answers, and is on many."""
    learners = [person for person in range(12) for _ in range(each)]
    random = Random(3)
    correct = [random.random() < 0.7 for _ in learners]
    size = len(learners)
    rate = sum(correct) / size
    (change,) = concept_changes(
        foreseen([rate] * size, correct, learners), foreseen([rate + 0.045] * size, correct, learners)
    )
    assert change.after - change.before == pytest.approx(0.045)
    assert change.is_worse(by=refit_decision.MAX_CALIBRATION_LOSS) is is_worse


def test_concept_with_few_held_out_answers_is_not_counted():
    few = foreseen([0.5] * 40, [True] * 40, list(range(40)))
    alone = foreseen([0.5] * 90, [True] * 90, [0] * 90)
    assert not list(concept_changes(few, few))
    assert not list(concept_changes(alone, alone))


def test_learners_that_are_compared_on_are_never_fitted_to(answers, finds):
    given = finds()
    refit(answers, {})
    fitted_to = {each.learner for each in given[0]}
    assert not any(map(is_held_out, fitted_to))
    assert 0.7 < len(fitted_to) / 240 < 0.9


@pytest.mark.parametrize(
    ("learners", "each", "is_enough"), [(40, 8, True), (39, 8, False), (100, 3, True), (42, 7, False)]
)
def test_a_concept_needs_300_answers_of_40_learners(learners, each, is_enough):
    few = [WeighedAnswer(person, "half", "i", "numeric", 0.0, True) for person in range(learners) for _ in range(each)]
    assert bool(fittable_concepts(few)) is is_enough
    assert (refit(few, {}) is not None) is is_enough


def test_opportunities_are_no_first_attempts():
    retries = [WeighedAnswer(person, "half", "i", "numeric", 0.0, None) for person in range(100) for _ in range(9)]
    assert refit(retries, {}) is None


@settings(max_examples=5, deadline=None)
@given(st.data())
def test_whatever_is_fitted_mastery_stays_within_reach(data):
    answer = st.sampled_from([True, False, None])
    learner, item = st.integers(0, 6), st.integers(0, 3)
    rows = data.draw(st.lists(st.tuples(learner, item, answer), min_size=1, max_size=30))
    rows = [
        WeighedAnswer(who, "half", f"i{what}", "choice2", -0.8, right) for who, what, right in rows for _ in range(9)
    ]
    skill = em.fit_parameters(rows, ["half"], {})["half"]
    assert knowledge_tracing.mastery_score(1 - skill.forget) > knowledge_tracing.HIGHEST_SCORE_THRESHOLD
    assert 0 < skill.learn < 1 - skill.forget
    chances = knowledge_tracing.predict_answer(
        Belief(probability=skill.initial),
        ability=AbilityEstimate(),
        item=DifficultyOffset(),
        kind="choice2",
        skill=skill,
    )
    assert 0 < chances.unknown <= chances.known < 1
