"""The mastery estimator and its decision."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tutoring import simulated_learners
from tutoring.mastery import knowledge_tracing
from tutoring.mastery.knowledge_tracing import AbilityEstimate, Belief, DifficultyOffset, SkillParameters

PROBABILITIES = st.floats(0.001, 0.999)


def observed(belief: Belief, *, correct: bool, **changes: object) -> knowledge_tracing.BeliefUpdate:
    arguments: dict[str, object] = {
        "ability": AbilityEstimate(),
        "item": DifficultyOffset(),
        "kind": "constructed",
        "template": "one",
        "assisted": False,
    }
    return knowledge_tracing.observe(belief, correct=correct, **(arguments | changes))  # type: ignore[arg-type]


def believed(probability: float, *, unassisted: int = 3, templates: str = "ab") -> Belief:
    return Belief(probability=probability, answers=unassisted, unassisted=unassisted, templates=frozenset(templates))


def test_one_right_answer_follows_the_published_formula():
    update = observed(Belief(probability=0.5), correct=True)
    posterior = 0.5 * 0.9 / (0.5 * 0.9 + 0.5 * 0.08)
    assert update.predicted == pytest.approx(0.49)
    assert update.after == pytest.approx(posterior * 0.98 + (1 - posterior) * 0.1)
    assert update.surprise == pytest.approx(0.51)


def test_item_and_ability_move_with_the_surprise():
    update = observed(Belief(probability=0.5), correct=True, item=DifficultyOffset(offset=0.8, answers=4))
    step = 0.6 / 1.2 * update.surprise
    assert update.item.offset == pytest.approx(0.8 + step)
    assert update.ability.residual == pytest.approx(1 - 1 / (1 + math.exp(-(1.0 + 0.8 + step))))
    assert (update.item.answers, update.ability.answers) == (5, 1)


def test_a_strong_learner_starts_higher_on_the_next_concept():
    prior = knowledge_tracing.initial_belief(AbilityEstimate(residual=3.0, answers=12))
    assert prior.probability == pytest.approx(1 / (1 + math.exp(-3 * 3 / 20)))
    assert knowledge_tracing.initial_belief().probability == pytest.approx(0.5)


def test_a_placement_settles_nothing_alone():
    assert knowledge_tracing.belief_after_placement(0.999).probability == 0.93
    assert knowledge_tracing.belief_after_placement(0.0).probability == 0.05


@given(probability=PROBABILITIES, offset=st.floats(-4, 4), residual=st.floats(-30, 30), answers=st.integers(0, 500))
def test_right_answers_raise_what_wrong_ones_lower(probability: float, offset: float, residual: float, answers: int):
    state = {"item": DifficultyOffset(offset=offset), "ability": AbilityEstimate(residual=residual, answers=answers)}
    right = observed(Belief(probability=probability), correct=True, **state)
    wrong = observed(Belief(probability=probability), correct=False, **state)
    assert 0 < wrong.after <= probability <= right.after < 1
    assert 0 < right.predicted < 1


@given(
    probability=PROBABILITIES,
    residual=st.floats(-30, 30),
    learn=st.floats(0.01, 0.5),
    kind=st.sampled_from(["numeric", "choice2"]),
)
def test_wrong_answer_never_raises_whatever_was_fitted(probability: float, residual: float, learn: float, kind: str):
    skill, ability = SkillParameters(learn=learn, unknown_shift=1.5), AbilityEstimate(residual=residual, answers=20)
    update = observed(Belief(probability=probability), correct=False, ability=ability, kind=kind, skill=skill)
    assert update.after <= update.before


def test_who_gives_up_every_question_is_never_believed_to_know_more():
    belief, ability, scores = knowledge_tracing.initial_belief(), AbilityEstimate(), list[float]()
    for number in range(30):
        update = observed(belief, correct=False, ability=ability, template=str(number % 3))
        belief, ability = update.belief, update.ability
        scores.append(knowledge_tracing.mastery_score(belief.probability))
    assert scores == sorted(scores, reverse=True)
    assert scores[-1] < 0.2
    right = observed(belief, correct=True, ability=ability)
    assert right.after > belief.probability + 0.1


def test_items_that_all_before_answered_right_still_lead_to_mastery():
    items = dict.fromkeys("abc", DifficultyOffset())
    for _learner in range(60):
        belief, ability = knowledge_tracing.initial_belief(), AbilityEstimate()
        for number in range(9):
            template = "abc"[number % 3]
            update = observed(
                belief, correct=True, ability=ability, item=items[template], kind="choice4", template=template
            )
            belief, ability, items[template] = update.belief, update.ability, update.item
            if knowledge_tracing.is_mastered(belief):
                break
        assert knowledge_tracing.is_mastered(belief)
    assert items["a"].offset > 1.5


def test_one_slip_at_an_easy_item_does_not_undo_what_was_shown():
    easy = DifficultyOffset(offset=3.0, answers=200)
    assert observed(Belief(probability=0.95), correct=False, item=easy, kind="choice4").after > 0.5


def test_an_assisted_answer_measures_nothing():
    update = observed(Belief(probability=0.4), correct=True, assisted=True)
    assert (update.predicted, update.surprise, update.ability, update.item) == (
        None,
        None,
        AbilityEstimate(),
        DifficultyOffset(),
    )
    assert update.after == pytest.approx(0.4 * 0.98 + 0.6 * 0.1)
    assert (update.belief.answers, update.belief.unassisted) == (1, 0)


@given(probability=PROBABILITIES)
def test_retries_alone_never_reach_mastery_and_never_cost_any(probability: float):
    belief = Belief(probability=probability, unassisted=3, templates=frozenset("ab"))
    for _ in range(60):
        moved = knowledge_tracing.belief_after_practice(belief)
        assert moved.probability >= belief.probability
        belief = moved
    assert belief.probability <= max(probability, 0.1 / 0.12 + 1e-9)


@given(probability=PROBABILITIES, learn=st.floats(0.01, 0.5), forget=st.floats(0.002, 0.02))
def test_retries_alone_never_reach_mastery_whatever_was_fitted(probability: float, learn: float, forget: float):
    skill, belief = SkillParameters(learn=learn, forget=forget), believed(probability)
    for _ in range(60):
        belief = knowledge_tracing.belief_after_practice(belief, skill)
    assert probability <= belief.probability <= max(probability, knowledge_tracing.PRACTICE_CEILING)


def test_a_concepts_items_may_be_easier_to_guess_than_their_kind_says():
    guessed = knowledge_tracing.predict_answer(
        Belief(probability=0.5),
        ability=AbilityEstimate(),
        item=DifficultyOffset(),
        kind="choice2",
        skill=SkillParameters(unknown_shift=1),
    )
    assert guessed.unknown == pytest.approx(1 / (1 + math.exp(-1)))


def test_guessing_is_as_likely_as_the_options_make_it():
    kinds = ("numeric", "text", "choice", "choice4", "choice2", "choice3")
    assert [knowledge_tracing.guess_chance(kind) for kind in kinds] == [
        0.08,
        0.08,
        0.25,
        0.25,
        0.5,
        pytest.approx(1 / 3),
    ]
    assert knowledge_tracing.guess_chance("multi", 4) == 0.08


def test_a_score_of_085_needs_a_probability_of_939():
    assert knowledge_tracing.mastery_score(0.939) == pytest.approx(0.85, abs=1e-4)
    assert not knowledge_tracing.is_mastered(believed(0.93))
    assert knowledge_tracing.is_mastered(believed(0.94))


def test_mastery_needs_three_unassisted_answers_on_two_templates():
    assert not knowledge_tracing.is_mastered(believed(0.97, unassisted=2))
    assert not knowledge_tracing.is_mastered(believed(0.97, templates="a"))


def test_a_threshold_out_of_reach_means_near_certainty_on_five_answers():
    before_transition = 0.98 * 0.98 + 0.02 * 0.1
    assert knowledge_tracing.is_mastered(believed(before_transition + 1e-9, unassisted=5), threshold=0.95)
    assert not knowledge_tracing.is_mastered(believed(before_transition - 1e-3, unassisted=5), threshold=0.95)
    assert not knowledge_tracing.is_mastered(believed(0.97, unassisted=4), threshold=0.95)


def test_a_quiz_stops_early_when_more_answers_tell_nothing():
    assert knowledge_tracing.quiz_is_decided(believed(0.94))
    assert knowledge_tracing.quiz_is_decided(believed(0.10 * 0.98 + 0.90 * 0.10))
    assert not knowledge_tracing.quiz_is_decided(believed(0.20))
    assert not knowledge_tracing.quiz_is_decided(believed(0.05, unassisted=2))
    assert not knowledge_tracing.quiz_is_decided(believed(0.97, unassisted=2))


@settings(max_examples=40, deadline=None)
@given(
    st.floats(knowledge_tracing.PLACEMENT_FLOOR, knowledge_tracing.PLACEMENT_CEILING),
    st.floats(-0.3, 0.3),
    st.booleans(),
)
def test_both_ends_of_a_quiz_can_be_reached(probability: float, residual: float, right: bool):
    """From any beginning, with the shipped parameters and the items that a quiz picks: within five quizzes of three."""
    belief, ability = Belief(probability=probability), AbilityEstimate(residual=residual * 28, answers=20)
    items = {
        (0, item): DifficultyOffset(offset=knowledge_tracing.difficulty_offset(of))
        for item, (_, of) in enumerate(simulated_learners.BANK)
    }
    recent: list[str] = []
    for _ in range(15):
        item = simulated_learners.next_item(belief, concept=0, ability=ability, items=items, recent=recent)
        update = observed(
            belief,
            correct=right,
            ability=ability,
            item=items[0, item],
            kind=simulated_learners.BANK[item][0],
            template=str(item),
        )
        belief, ability = update.belief, update.ability
        if knowledge_tracing.quiz_is_decided(belief):
            assert knowledge_tracing.is_mastered(belief) is right
            return
    raise AssertionError(f"undecided at {belief.probability}")


def test_an_undecided_learner_gives_the_most_information():
    sure, torn = (
        knowledge_tracing.predict_answer(
            Belief(probability=p), ability=AbilityEstimate(), item=DifficultyOffset(), kind="numeric"
        )
        for p in (0.99, 0.5)
    )
    assert torn.information > sure.information > 0


@pytest.fixture(scope="module")
def cohort() -> simulated_learners.Outcome:
    return simulated_learners.cohort(learners=600, seed=1)


def test_learners_are_rarely_declared_masters_too_early_and_soon_when_they_are(cohort: simulated_learners.Outcome):
    """G3: forgetting .003 an answer, typed and multiple-choice items, chosen as a quiz chooses them."""
    assert cohort.false_mastery <= 0.04
    assert cohort.answers_to_mastery <= 8.0
    assert cohort.never <= 0.05


def test_predictions_are_calibrated(cohort: simulated_learners.Outcome):
    """G4: expected calibration error of the logged q over at least 2,000 answers."""
    assert len(cohort.predictions) >= 2_000
    assert simulated_learners.calibration_error(cohort.predictions) <= 0.05


def test_refitted_parameters_are_used():
    fast = SkillParameters(learn=0.4)
    slow, quick = (
        observed(Belief(probability=0.3), correct=False, skill=skill).after for skill in (SkillParameters(), fast)
    )
    assert quick > slow
