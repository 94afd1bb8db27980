"""Short texts: ideas, contradictions, negation, and reference answers."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tutoring.grading import Idea, TextKey, grade
from tutoring.grading.clauses import clauses, context_of
from tutoring.grading.misspelt import respelt
from tutoring.grading.patterns import is_safe, says
from tutoring.grading.references import chance_right

SAME_SIZE = Idea(any=("same size", "equal"), weight=0.6, name="equal parts")
ONE_WHOLE = Idea(any=(r"one of (the )?(\d+|four) parts",), weight=0.4, name="one of them")
KEY = TextKey(ideas=(SAME_SIZE, ONE_WHOLE), contradicts=("bigger number",))


def test_all_ideas_make_a_text_right() -> None:
    judgement = grade(KEY, "You take one of four parts, and they are equally big.")
    assert (judgement.verdict, judgement.missing) == ("correct", ())


def test_a_missing_idea_is_named() -> None:
    judgement = grade(KEY, "The parts have the same size.")
    assert (judgement.verdict, judgement.missing) == ("partial", ("one of them",))


def test_a_negated_idea_is_not_said() -> None:
    judgement = grade(KEY, "You take one of four parts, which are not the same size.")
    assert (judgement.verdict, judgement.missing) == ("partial", ("equal parts",))


def test_a_contradiction_is_never_right() -> None:
    judgement = grade(KEY, "One of four parts of the same size, because 4 is a bigger number.")
    assert (judgement.verdict, judgement.reason) == ("partial", "contradicts")


def test_a_denied_contradiction_does_not_count() -> None:
    assert grade(KEY, "One of four parts of the same size, not a bigger number.").verdict == "correct"


def test_an_answer_that_begins_with_no_is_not_a_denial() -> None:
    assert says("same size", "No they are the same size")


@pytest.mark.parametrize("text", ["", "   ", "?!", "\x00"])
def test_no_words_are_a_free_retry(text: str) -> None:
    assert grade(KEY, text).verdict == "unparsable"


@pytest.mark.parametrize("pattern", ["(a+)+b", "(a|a)*", "(", "x" * 600, r"(\w+\s*)+big"])
def test_a_slow_or_broken_pattern_is_searched_as_it_stands(pattern: str) -> None:
    assert not is_safe(pattern)
    assert not says(pattern, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac")


REFERENCES = TextKey(
    references=("The terminals are connected to the negative battery terminal.",),
    question="Why do you think those terminals are in the same state?",
)


def test_a_reference_in_other_words_is_right() -> None:
    assert grade(REFERENCES, "they are connected to the battery's negative side").verdict == "correct"


def test_the_question_said_back_is_wrong() -> None:
    assert grade(REFERENCES, "because those terminals are in the same state").verdict == "wrong"


def test_a_denied_reference_is_not_right() -> None:
    assert grade(REFERENCES, "The terminals are not connected to the negative battery terminal.").verdict != "correct"


PATHS = TextKey(
    references=("A and C are in different paths with the battery.", "A and C are not in the same path."),
    question="Explain your reasoning.",
)


@pytest.mark.parametrize(
    "answer",
    [
        "bulbs A and C are in different closed loops with the battery",
        "a and c aren't in the same circuit with the battery",
        "A and C arent in the saem path, it is a differentt one",
    ],
)
def test_a_reference_by_its_meaning_is_right(answer: str) -> None:
    assert grade(PATHS, answer).verdict == "correct"


@pytest.mark.parametrize("answer", ["A and C are not in different paths with the battery", "C and A share one path"])
def test_the_opposite_of_a_reference_is_not_right(answer: str) -> None:
    assert grade(PATHS, answer).verdict != "correct"


def test_only_a_judgement_by_references_has_a_confidence() -> None:
    sure, unsure = grade(PATHS, "A and C are not in the same path."), grade(PATHS, "they are in paths that differ")
    assert sure.confidence == sure.score == 1.0
    assert unsure.confidence is not None
    assert 0.5 <= unsure.confidence < 0.9
    assert grade(KEY, "equal").confidence is None


def test_a_contradicted_reference_is_never_right() -> None:
    key = replace(PATHS, contradicts=("same path",))
    assert grade(key, "A and C are in different paths with the battery: the same path").verdict == "partial"


@pytest.mark.parametrize(
    ("one", "other", "gainsays"),
    [
        ("the gate is open", "the gate is not closed", False),
        ("the gate is open", "the gate is closed", True),
        ("there is no gap", "they are connected", False),
        ("it isn't longer", "it is longer", True),
        ("it's not shorter", "it's longer", False),
        ("whether or not it is longer", "it is longer", False),
    ],
)
def test_a_clause_gainsays_another_by_negation_or_by_an_opposite(one: str, other: str, gainsays: bool) -> None:
    context = context_of([one, other])
    (first,), (second,) = clauses(one, context), clauses(other, context)
    assert first.gainsays(second) is gainsays


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Bulb A is lit by a battery", {"#a"}),
        ("a and b are lit", {"#a", "#b"}),
        ("a bulb is lit", set()),
        ("bulb one and two bulbs", {"#1", "#2"}),
        ("bulb 1.50", {"#1.5"}),
    ],
)
def test_names_and_numbers_are_told_from_words(text: str, names: set[str]) -> None:
    context = context_of(["Bulb A and bulb B are on.", "Bulb 1 is off."])
    assert {word for clause in clauses(text, context) for word in clause.words if word.startswith("#")} == names


@pytest.mark.parametrize("slip", ["conected", "connectted", "cnonected", "connested"])
def test_a_slip_away_from_a_word_of_the_question_is_that_word(slip: str) -> None:
    context = context_of(["Are the ends connected?"])
    assert clauses(slip, context) == clauses("connected", context)


@settings(max_examples=40, deadline=None)
@given(answer=st.text(max_size=200), reference=st.text(max_size=100), question=st.text(max_size=100))
def test_any_texts_have_a_chance(answer: str, reference: str, question: str) -> None:
    assert 0 <= chance_right(answer, references=[reference], question=question) <= 1
    assert chance_right(answer, references=[]) < 0.2


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("2 eqaul peices becuase of the midle", "2 equal pieces because of the middle"),
        ("24cm, 15l and 20mins", "24 cm, 15 l and 20 mins"),
        ("the 4th of 3x5 is 1/4m", "the 4th of 3x5 is 1/4 m"),
        ("compare both halves: they are the same", "compare both halves: they are the same"),
    ],
)
def test_a_text_is_read_as_it_was_meant(typed: str, meant: str) -> None:
    assert respelt(typed) == meant
    assert respelt(meant) == meant


def test_a_misspelt_idea_is_said() -> None:
    assert grade(KEY, "one of four parts and there all eqaul").verdict == "correct"
