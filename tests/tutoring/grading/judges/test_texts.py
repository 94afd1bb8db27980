"""Short texts: ideas, contradictions, negation, and reference answers."""

import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tutoring.grading import Embed, Idea, TextKey, grade
from tutoring.grading.language.clauses import question_vocabulary, split_clauses
from tutoring.grading.language.misspellings import correct_spelling
from tutoring.grading.language.patterns import is_safe, matches_pattern
from tutoring.grading.language.reference_answers import chance_right, measure_likeness
from tutoring.grading.semantic_grader import text_embedding

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
    assert matches_pattern("same size", "No they are the same size")


@pytest.mark.parametrize(
    ("pattern", "text", "is_said"),
    [
        ("light", "Without light there is no photosynthesis.", True),
        ("light", "because without any light, the plant can't make sugar", True),
        ("light", "There is no photosynthesis without light.", True),
        ("light", "It grows without light.", False),
        ("light", "It grows without light, not with it.", False),
        ("light", "It grows without light and does not need it.", False),
        ("light", "Without light it grows. It does not die.", False),
        ("no photosynthesis", "Without light there is no photosynthesis.", True),
        ("cannot make sugar", "because without light it cant make any sugar for itself", True),
        ("cannot make sugar", "It can't make the sugar.", True),
        ("doesn't make sugar", "It does not make sugar.", True),
        ("make sugar", "It cannot make any sugar.", False),
    ],
)
def test_a_denial_is_heard_as_people_say_it(pattern: str, text: str, is_said: bool) -> None:
    assert matches_pattern(pattern, text) is is_said


@pytest.mark.parametrize("text", ["", "   ", "?!", "\x00"])
def test_no_words_are_a_free_retry(text: str) -> None:
    assert grade(KEY, text).verdict == "unparsable"


@pytest.mark.parametrize("pattern", ["(a+)+b", "(a|a)*", "(", "x" * 600, r"(\w+\s*)+big"])
def test_a_slow_or_broken_pattern_is_searched_as_it_stands(pattern: str) -> None:
    assert not is_safe(pattern)
    assert not matches_pattern(pattern, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac")


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
    ("one", "other", "contradicts_clause"),
    [
        ("the gate is open", "the gate is not closed", False),
        ("the gate is open", "the gate is closed", True),
        ("there is no gap", "they are connected", False),
        ("it isn't longer", "it is longer", True),
        ("it's not shorter", "it's longer", False),
        ("whether or not it is longer", "it is longer", False),
    ],
)
def test_a_clause_gainsays_another_by_negation_or_by_an_opposite(
    one: str, other: str, contradicts_clause: bool
) -> None:
    context = question_vocabulary([one, other])
    (first,), (second,) = split_clauses(one, context), split_clauses(other, context)
    assert first.contradicts_clause(second) is contradicts_clause


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
    context = question_vocabulary(["Bulb A and bulb B are on.", "Bulb 1 is off."])
    assert {word for clause in split_clauses(text, context) for word in clause.words if word.startswith("#")} == names


@pytest.mark.parametrize("slip", ["conected", "connectted", "cnonected", "connested"])
def test_a_slip_away_from_a_word_of_the_question_is_that_word(slip: str) -> None:
    context = question_vocabulary(["Are the ends connected?"])
    assert split_clauses(slip, context) == split_clauses("connected", context)


def by_letters(texts: tuple[str, ...]) -> list[list[float]]:
    """Return a vector of length 1 for each text: how often it has each of the letters a to h, and whether it has none."""
    counts = [[float(text.casefold().count(letter)) for letter in "abcdefgh"] for text in texts]
    return [[value / (math.hypot(*row) or 1) for value in row] + [float(not any(row))] for row in counts]


@settings(max_examples=40, deadline=None)
@given(answer=st.text(max_size=200), reference=st.text(max_size=100), question=st.text(max_size=100))
def test_any_texts_have_a_chance(answer: str, reference: str, question: str) -> None:
    found = measure_likeness(answer, references=[reference], question=question, embed=by_letters)
    assert 0 <= chance_right(found, by_meaning=True) <= 1
    assert 0 <= chance_right(found, by_meaning=False) <= 1
    assert chance_right(measure_likeness(answer, references=[]), by_meaning=False) < 0.2


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
    assert correct_spelling(typed) == meant
    assert correct_spelling(meant) == meant


def test_a_misspelt_idea_is_said() -> None:
    assert grade(KEY, "one of four parts and there all eqaul").verdict == "correct"


DENSITY = TextKey(
    references=("Wood is less dense than water.", "Its density is lower than that of water."),
    question="Why does a wooden block float on water?",
)


@pytest.mark.parametrize(
    ("references", "answer"),
    [
        (DENSITY.references, "wood is more dense than water"),
        (DENSITY.references, "because the wood is denser than the water"),
        (DENSITY.references, "water is less dense than wood"),
        (DENSITY.references, "the wood is not less dense than water"),
        (("The heart pumps blood around the body.",), "the heart does not pump blood around the body"),
        (("The heart pumps blood around the body.",), "it stops blood from moving around the body"),
        (("Prices rise.",), "prices fall"),
        (("The sugar turns into water and carbon dioxide.",), "water and carbon dioxide turn into sugar"),
    ],
)
@pytest.mark.parametrize("embed", [None, by_letters])
def test_the_opposite_is_wrong_and_not_partly_right(
    references: tuple[str, ...], answer: str, embed: Embed | None
) -> None:
    judgement = grade(TextKey(references=references), answer, embed=embed)
    assert (judgement.verdict, judgement.reason) == ("wrong", "contradicts")
    assert judgement.score <= 0.2


@pytest.mark.parametrize(
    "answer", ["wood isn't as dense as water", "water is more dense than wood", "water is denser than the wood"]
)
def test_the_same_said_from_the_other_side_contradicts_nothing(answer: str) -> None:
    judgement = grade(DENSITY, answer)
    assert judgement.reason != "contradicts"
    assert judgement.verdict != "wrong"


def test_one_reference_denied_is_no_contradiction_where_another_is_affirmed() -> None:
    key = TextKey(references=("The circuit is not closed.", "There is a gap in the circuit."))
    assert grade(key, "there is a gap in the circuit").verdict == "correct"


def test_what_shares_hardly_a_word_is_judged_by_its_meaning() -> None:
    key = TextKey(references=("Friction slows the ball down.",), question="Why does a rolling ball stop?")
    said = "rubbing against the floor takes its speed away"
    by_words, by_meaning = (grade(key, said, embed=embed) for embed in (None, text_embedding()))
    assert by_meaning.score > 2 * by_words.score
    assert by_meaning.verdict != "wrong"
    assert grade(key, "it is round and red", embed=text_embedding()).verdict == "wrong"
