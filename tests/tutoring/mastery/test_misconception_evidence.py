"""Evidence about misconceptions."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutoring.mastery import misconception_evidence
from tutoring.mastery.misconception_evidence import (
    Suspicion,
    count_separated,
    decay_suspicion,
    first_suspicion,
    strongest_suspicion,
    weigh_answer,
    weigh_explanation,
    weigh_utterance,
)


def after(*steps: str, base_rate: float = 0.05) -> Suspicion:
    """Return the suspicion of "bug" after malrule answers "m", distractors "d", utterances "u", right items "r", explanations "e"."""
    held: dict[str, Suspicion] = {"bug": first_suspicion("bug", base_rate)}
    for step in steps:
        match step:
            case "m" | "d":
                source = "malrule" if step == "m" else "distractor"
                held = weigh_answer(held, matching=["bug"], could_match=["bug"], correct=False, source=source)
            case "r":
                held = weigh_answer(held, matching=[], could_match=["bug"], correct=True, source="malrule")
            case "u":
                held = weigh_utterance(held, ["bug"])
            case "e":
                held = weigh_explanation(held, ["bug"])
    return held["bug"]


def test_one_malrule_answer_makes_suspect_and_two_make_sure():
    assert after("m").status == "suspected"
    assert after("m").confidence == pytest.approx(30 / (19 + 30))
    assert after("m", "m").status == "active"


def test_distractors_weigh_less_than_malrules():
    assert after("d").status == "none"
    assert after("d", "d").status == "suspected"


def test_saying_it_in_the_lesson_weighs_like_a_malrule():
    assert after("u").odds == after("m").odds
    elsewhere = weigh_utterance({}, ["bug"], in_lesson=False)["bug"]
    assert elsewhere.odds == pytest.approx(3 / 19)


def test_rules_that_give_the_same_answer_share_its_weight():
    held = weigh_answer({}, matching=["one", "two"], could_match=["one", "two"], correct=False, source="malrule")
    assert held["one"].odds == pytest.approx(15 / 19)
    assert strongest_suspicion(held) is None
    assert set(misconception_evidence.candidates_to_separate(held)) == {"one", "two"}


def test_a_wrong_answer_that_fits_nothing_changes_nothing():
    held = {"bug": after("m")}
    assert weigh_answer(held, matching=[], could_match=["bug"], correct=False, source="malrule") == held


def test_two_right_discriminating_items_resolve():
    assert after("m", "m", "r").status != "resolved"
    assert after("m", "m", "r", "r").status == "resolved"


def test_explanations_count_once_and_one_item_is_needed():
    assert after("m", "m", "m", "e", "e").status != "resolved"
    assert after("m", "m", "m", "e", "r").status == "resolved"
    assert after("m", "m", "m", "r", "e").status == "resolved"


def test_a_faint_suspicion_is_resolved_below_a_fifth():
    assert after("m", "r").status == "suspected"
    assert after("u", "r", base_rate=0.034).confidence < 0.25
    assert after("d", "r").status == "none"


def test_what_comes_back_is_suspected_again():
    assert after("m", "m", "r", "r", "m").status == "active"
    assert after("m", "m", "r", "r", "m").resolving == 0


def test_right_answers_before_any_suspicion_resolve_nothing():
    assert after("r", "r", "r").status == "none"


def test_evidence_fades_by_half_in_thirty_days():
    held = after("m", "m")
    resting = first_suspicion("bug").odds
    assert decay_suspicion(held, days=30).odds - resting == pytest.approx((held.odds - resting) / 2)
    assert decay_suspicion(held, days=0) == held


def test_the_strongest_comes_first_and_resolved_ones_never():
    held = {
        "weak": Suspicion(id="weak", odds=2.0, noticed=True),
        "strong": Suspicion(id="strong", odds=9.0, noticed=True),
        "gone": Suspicion(id="gone", odds=50.0, noticed=True, resolving=2),
    }
    assert strongest_suspicion(held).id == "strong"
    assert strongest_suspicion(held, at_least=0.95) is None


@given(st.lists(st.sampled_from("mdure"), max_size=60))
def test_confidence_stays_a_probability_that_can_still_move(steps: list[str]):
    suspicion = after(*steps)
    assert 0.009 <= suspicion.confidence <= 0.99
    assert suspicion.status in ("none", "suspected", "active", "resolved")


def test_a_bug_is_identified_within_two_wrong_answers():
    """Goal 12: twelve bugs with a rule each, outputs colliding on 8 % of items, 15 % of wrong answers careless."""
    rng, bugs = random.Random(12), [f"bug{number}" for number in range(12)]
    found = sum(_identified(rng.choice(bugs), bugs=bugs, rng=rng) for _ in range(600))
    assert found / 600 >= 0.95


def _identified(bug: str, *, bugs: list[str], rng: random.Random) -> bool:
    held: dict[str, Suspicion] = {}
    for _ in range(2):
        careless, collides = rng.random() < 0.15, rng.random() < 0.08
        matching = [] if careless else [bug, rng.choice(bugs)] if collides else [bug]
        held = weigh_answer(held, matching=matching, could_match=bugs, correct=False, source="malrule")
    top = strongest_suspicion(held)
    return top is not None and top.id == bug


@pytest.mark.parametrize(
    ("wrong", "apart"),
    [
        ({"1/3": ("a",), "3": ("b",)}, 2),
        ({"1/3": ("a",), "3": ("b",), "4": ("c",)}, 2),
        ({"1/3": ("a", "b")}, 0),
        ({"1/3": ("a", "c")}, 1),
        ({"4": ("c",)}, 0),
        ({}, 0),
    ],
)
def test_exercise_tells_candidates_apart_by_the_wrong_answers_that_differ(wrong, apart):
    assert count_separated(wrong, ("a", "b")) == apart
