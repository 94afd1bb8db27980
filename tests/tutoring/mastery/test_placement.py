"""Finding out where a learner stands: the pool of states, the next question, the end, and what follows from it."""

import math
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tutoring.mastery import placement
from tutoring.mastery.placement import (
    LARGE,
    MAX_QUESTIONS,
    SURE_FROM,
    SURE_FROM_IF_LARGE,
    PlacementAnswer,
    knowledge_pool,
    learner_level,
    marginals,
    next_concept,
    placement_ending,
    starting_probabilities,
)

CHAIN = {"parts": (), "equivalent": ("parts",), "common": ("equivalent",), "add": ("common",), "subtract": ("add",)}
GUESSES = dict.fromkeys(CHAIN, 0.08)


def right(concept: str) -> PlacementAnswer:
    return PlacementAnswer(concept=concept, correct=True)


def wrong(concept: str) -> PlacementAnswer:
    return PlacementAnswer(concept=concept, correct=False)


def unknown(concept: str) -> PlacementAnswer:
    return PlacementAnswer(concept=concept, correct=None)


def after(*answers: PlacementAnswer) -> dict[str, float]:
    return marginals(knowledge_pool(CHAIN), answers)


def test_the_pool_of_a_graph_is_drawn_once():
    assert knowledge_pool(CHAIN) is knowledge_pool(dict(CHAIN))
    assert knowledge_pool(CHAIN).weights.sum() == pytest.approx(1)


def test_before_any_answer_what_rests_on_more_is_less_likely_known():
    known = after()
    assert all(known[below] > known[above] for below, above in pairwise(CHAIN))
    assert known["parts"] == pytest.approx(0.70, abs=0.02)


def test_who_says_beginner_is_believed_a_little_and_other_levels_say_nothing():
    stated, open_one = (marginals(knowledge_pool(CHAIN, level=level), []) for level in ("beginner", "unknown"))
    assert all(0.1 * open_one[concept] < each < open_one[concept] for concept, each in stated.items())
    assert stated["parts"] == pytest.approx(0.8 * 0.31 + 0.2 * 0.70, abs=0.02)
    assert knowledge_pool(CHAIN, level="advanced") is knowledge_pool(CHAIN)
    able = [right(concept) for concept in ("parts", "common", "subtract")]
    assert marginals(knowledge_pool(CHAIN, level="beginner"), able)["add"] > 0.85


def test_an_answer_speaks_for_what_lies_below_and_above():
    before = after()
    assert all(each > before[concept] for concept, each in after(right("common")).items())
    assert all(each < before[concept] for concept, each in after(wrong("common")).items())


def test_the_answer_weighs_as_bayes_has_it():
    prior = knowledge_pool({"alone": ()})
    m = marginals(prior, [])["alone"]
    guessed = marginals(prior, [PlacementAnswer(concept="alone", correct=True, guess=0.25, slip=0.1)])["alone"]
    assert guessed == pytest.approx(m * 0.9 / (m * 0.9 + (1 - m) * 0.25), abs=1e-5)


def test_i_do_not_know_says_more_than_a_wrong_answer():
    assert after(unknown("add"))["add"] < after(wrong("add"))["add"]


def test_an_answer_on_another_course_changes_nothing():
    assert after(right("verbs")) == after()


def test_impossible_certainty_is_taken_as_nearly_certain():
    contradiction = [
        PlacementAnswer(concept="parts", correct=correct, guess=0.0, slip=0.0) for correct in (True, False)
    ]
    assert 0 < after(*contradiction)["parts"] < 1


def test_what_is_recorded_is_where_the_answers_go_on_from():
    recorded = {"equivalent": 0.9, "add": 0.3}
    known = marginals(knowledge_pool(CHAIN), [], recorded=recorded)
    assert {each: known[each] for each in recorded} == pytest.approx(recorded, abs=0.01)
    assert known["parts"] > after()["parts"]
    assert known["subtract"] < after()["subtract"]
    surer = marginals(knowledge_pool(CHAIN), [right("add")], recorded=recorded)["add"]
    assert surer == pytest.approx(0.3 * 0.9 / (0.3 * 0.9 + 0.7 * 0.08), abs=0.02)


def test_a_record_however_sure_can_be_put_right():
    for probability, answer in ((1.0, unknown("common")), (0.0, right("common"))):
        known = marginals(knowledge_pool(CHAIN), [answer] * 3, recorded={"common": probability})["common"]
        assert abs(known - probability) > 0.5


@settings(max_examples=20, deadline=None)
@given(st.dictionaries(st.sampled_from([*CHAIN, "verbs"]), st.floats(0.05, 0.95)))
def test_any_records_are_met_where_states_allow_it_and_in_any_order(recorded: dict[str, float]):
    known = marginals(knowledge_pool(CHAIN), [], recorded=recorded)
    turned = marginals(knowledge_pool(CHAIN), [], recorded=dict(reversed(recorded.items())))
    assert known == pytest.approx(turned, abs=0.08)
    for concept in recorded.keys() & known.keys():
        assert known[concept] == pytest.approx(recorded[concept], abs=0.08)


def test_the_most_telling_concept_is_asked_first():
    known = {"sure": 0.97, "open": 0.5, "unlikely": 0.1}
    assert next_concept(known, [], guesses=dict.fromkeys(known, 0.08)) == "open"
    assert next_concept(known, [], guesses={"sure": 0.08, "unlikely": 0.08}) == "unlikely"


def test_a_question_that_is_hard_to_guess_tells_more():
    assert next_concept({"choice": 0.5, "typed": 0.5}, [], guesses={"choice": 0.5, "typed": 0.08}) == "typed"


def test_no_concept_is_asked_a_fourth_time():
    answers = [right("open"), wrong("open"), right("open")]
    assert next_concept({"open": 0.5, "sure": 0.99}, answers, guesses={"open": 0.08, "sure": 0.08}) == "sure"
    assert next_concept({"open": 0.5}, answers, guesses={"open": 0.08}) is None


@pytest.mark.parametrize(
    ("marks", "ending"),
    [("", None), ("wwwww", "novice"), ("wwrwww", "novice"), ("wrwrww", None), ("rwwwww", "novice"), ("rr", None)],
)
def test_five_wrong_of_the_first_six_end_it(marks: str, ending: str | None):
    answers = [right("add") if mark == "r" else wrong("add") for mark in marks]
    assert placement_ending({"add": 0.5}, answers) == ending


@pytest.mark.parametrize(
    ("marks", "ending"), [("", None), ("w", None), ("ww", "novice"), ("wr", None), ("rwwww", None), ("wwr", "novice")]
)
def test_two_wrong_at_once_end_it_for_who_says_beginner(marks: str, ending: str | None):
    answers = [right("add") if mark == "r" else wrong("add") for mark in marks]
    assert placement_ending({"add": 0.5}, answers, level="beginner") == ending


def test_not_knowing_counts_as_wrong():
    assert placement_ending({"add": 0.5}, [unknown("add")] * 5) == "novice"


def test_it_ends_when_it_is_settled_or_twenty_were_asked():
    assert placement_ending({"add": 0.96, "parts": 0.05}, [right("add")]) == "settled"
    assert placement_ending({"add": 0.5}, [right("add"), wrong("add")] * 10) == "cap"
    assert placement_ending({}, []) == "settled"


def test_nothing_is_settled_for_good_and_a_novice_begins_at_the_roots():
    assert starting_probabilities({"a": 0.999, "b": 0.001, "c": 0.6}) == {"a": 0.93, "b": 0.05, "c": 0.6}
    assert starting_probabilities({"a": 0.9, "b": 0.001}, ending="novice") == {"a": 0.5, "b": 0.05}


@pytest.mark.parametrize(
    ("probabilities", "level"),
    [((0.1, 0.5), "beginner"), ((0.35,), "intermediate"), ((0.6, 0.8), "intermediate"), ((0.75,), "advanced")],
)
def test_the_level_follows_the_mean(probabilities: tuple[float, ...], level: str):
    assert learner_level(probabilities, answers=1) == level


def test_without_evidence_the_level_is_unknown():
    assert learner_level([0.9], answers=0) == "unknown"
    assert learner_level([], answers=4) == "unknown"


def test_gaps_come_in_the_order_in_which_to_close_them():
    found = placement.find_gaps(CHAIN, "add", {"parts": 0.93, "equivalent": 0.5, "add": 0.1}, threshold=0.85)
    assert [(gap.concept, gap.required) for gap in found] == [("equivalent", 0.85), ("common", 0.85)]
    assert found[0].current == pytest.approx(0.49)


@pytest.mark.parametrize(
    ("known", "advice"),
    [
        ({}, [("remediate", ("parts", "equivalent"))]),
        ({"parts": 0.9}, [("remediate", ("equivalent",)), ("skip_ahead", ("parts",))]),
        ({"parts": 0.9, "equivalent": 0.9}, [("proceed", ("common",)), ("skip_ahead", ("parts", "equivalent"))]),
        (dict.fromkeys(CHAIN, 0.9), [("skip_ahead", ("parts", "equivalent", "common"))]),
    ],
)
def test_advice_names_what_is_missing_and_what_to_skip(known: dict[str, float], advice: list[tuple[str, object]]):
    found = placement.recommendations(CHAIN, "common", known)
    assert [(each.kind, each.concepts) for each in found] == advice


@settings(max_examples=25, deadline=None)
@given(level=st.integers(0, 5))
def test_somebody_who_never_slips_is_placed_where_they_stand(level: int):
    """Whoever knows the first `level` concepts of a chain, and answers so, is placed there within 20 questions."""
    truth = {concept: number < level for number, concept in enumerate(CHAIN)}
    answers: list[PlacementAnswer] = []
    while not placement_ending(after(*answers), answers):
        concept = next_concept(after(*answers), answers, guesses=GUESSES)
        assert concept
        answers.append(PlacementAnswer(concept=concept, correct=truth[concept]))
    known = after(*answers)
    assert len(answers) <= placement.MAX_QUESTIONS
    assert {concept: each > 0.5 for concept, each in known.items()} == truth
    assert not any(map(math.isnan, known.values()))


def test_large_graphs_get_more_questions_and_end_surer() -> None:
    small, large = ({f"c{at}": 0.5 for at in range(count)} for count in (LARGE - 1, LARGE))
    tried = [right("c1"), wrong("c1")] * (MAX_QUESTIONS // 2)
    assert placement_ending(small, tried) == "cap"
    assert placement_ending(large, tried) is None
    assert placement_ending(large, tried * 2) == "cap"
    nearly = (SURE_FROM + SURE_FROM_IF_LARGE) / 2
    assert placement_ending(dict.fromkeys(small, nearly), tried[:2]) == "settled"
    assert placement_ending(dict.fromkeys(large, nearly), tried[:2]) is None
