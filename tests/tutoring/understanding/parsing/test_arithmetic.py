"""What is claimed with numbers, whether it holds, and which rules make an answer."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tutoring.mastery.diagnosis.calibration import fractions
from tutoring.mastery.diagnosis.malrules import answer_claim, find_malrules
from tutoring.understanding.parsing.arithmetic import claim_descriptions, claims_hold, describe_claims
from tutoring.understanding.parsing.assertions import plain_text
from tutoring.understanding.parsing.written_numbers import numbers_to_digits


@pytest.mark.parametrize(
    ("said", "claim"),
    [
        ("1/4 + 2/4 = 3/8", "untrue sum: top added, bottom added"),
        ("two fifths and one fifth make three fifths", "true sum"),
        ("1/2 + 1/3 = 3/6 + 1/6", "untrue sum: tops changed and kept, bottoms least common"),
        ("5/6 minus 1/2 is 4/4", "untrue difference: top subtracted, bottom subtracted"),
        ("3 1/5 - 1 4/5 = 1 2/5", "true difference"),
        ("three quarters of 20 is 5", "untrue share: divided by the bottom alone"),
        ("half of 7 is 3 and a half", "true share"),
        ("1/8 is bigger than 1/4", "untrue order: same top, bigger bottom, smaller gap"),
        ("1/10 isn't bigger than 1/5", "true order"),
        ("eighths are smaller than quarters", "true order"),
        ("4/8 is more than 1/2", "untrue order: equals"),
        ("2/3 = 4/5", "untrue name: same added to both and one part missing each"),
        ("1 3/4 is 13/4", "untrue name: digits side by side"),
        ("6/8 is the same as 3/4", "true name"),
        ("2/4 is not 1/2", "untrue: equals called different"),
        ("3 cuts make 4 pieces", "one part more than cuts"),
        ("four cuts so four parts", "as many parts as cuts"),
        ("2 dark and 3 light so 2/3", "untrue count: part beside part"),
        ("2 dark and 3 light so 2/5", "true count of all"),
        ("the common bottom of 3 and 4 is 7", "for both: sum"),
        ("fourths and sixths, so twelfths", "for both: least common"),
        ("she has 12 and he has 4 so she gives 8", "untrue move: whole difference"),
        ("if one third is 4 the whole is 12", "true whole"),
        ("1/4 is gone so 3/4 is left", "true rest"),
        ("12 shared by 3 is 9", "untrue share: bottom taken away"),
        ("1/\n2 is bigger than 1\u2003/\u20034", "true order"),
    ],
)
def test_claim_in_numbers_is_read_and_checked(said: str, claim: str) -> None:
    assert claim in claim_descriptions(said)
    assert describe_claims(said).endswith(f"({'; '.join(claim_descriptions(said))})")


@pytest.mark.parametrize("said", ["you add the bottoms", "1/2", "it is one of two pieces", "3/4 and 5/6", ""])
def test_what_claims_nothing_stays_as_it_is(said: str) -> None:
    assert describe_claims(said) == said
    assert claims_hold(said) is None


def test_numbers_in_words_are_numbers() -> None:
    assert numbers_to_digits("three quarters and a half of seven") == "3/4 and 1/2 of 7"


@settings(max_examples=25, deadline=None)
@given(said=st.text("0123456789 \n/+-=.abdefhilnostuw><½", max_size=160))
def test_any_text_is_read(said: str) -> None:
    words = plain_text(said)
    assert describe_claims(words).startswith(words)
    assert isinstance(find_malrules(words, words, fractions().misconceptions.values()), dict)


@pytest.mark.parametrize(
    ("question", "answer", "behind"),
    [
        ("Work out 1/4 + 2/4.", "3/8", "add_tops_bottoms"),
        ("3 of 8 equal parts are dark. What fraction is dark?", "8/3", "top_bottom_swapped"),
        ("1 dark part and 3 light ones. What fraction is dark?", "1/3", "part_to_part"),
        ("What is 3/4 of 20?", "5", "stops_at_one_part"),
        ("Write 2 1/5 as one fraction.", "21/5", "glued_digits"),
        ("Simplify 6/8.", "it is 3/5", "simplify_by_subtracting"),
    ],
)
def test_rule_is_found_that_makes_the_answer(question: str, answer: str, behind: str) -> None:
    found = find_malrules(question, answer, fractions().misconceptions.values())
    assert behind in found
    assert sum(found.values()) == pytest.approx(1)


@pytest.mark.parametrize(
    ("question", "answer"),
    [("Work out 1/4 + 2/4.", "apples"), ("", "3/8"), ("Work out 1/0 + 2/4.", "1/0"), ("9/9 of 9", "/")],
)
def test_no_rule_is_behind_what_has_no_numbers(question: str, answer: str) -> None:
    assert find_malrules(question, answer, fractions().misconceptions.values()) == {}


@pytest.mark.parametrize(
    ("question", "answer", "claim"),
    [
        ("Work out 1/4 + 2/4.", "3/8", "1/4 + 2/4 = 3/8"),
        ("Add 2/7 and 3/7.", "5/14", "2/7 + 3/7 = 5/14"),
        ("Which is bigger, 1/4 or 1/8?", "1/8", "1/8 is bigger than 1/4"),
        ("Compare 3/4 and 7/8.", "equal", "3/4 and 7/8 are the same"),
        ("Simplify 6/8.", "3/5", "6/8 = 3/5"),
        ("What is 2/3 of 12?", "four", "2/3 of 12 = 4"),
        ("Is it fair?", "No", "is it fair? no"),
    ],
)
def test_answer_is_a_claim(question: str, answer: str, claim: str) -> None:
    assert answer_claim(question, answer) == claim


@pytest.mark.parametrize("text", [" " * 10_000, "1/2 + " * 2_000, "1 is 2 " * 1_500, "1/" * 5_000, "½" * 5_000])
def test_long_texts_are_read_in_part(text: str) -> None:
    assert len(answer_claim(text, text)) <= 1_000
    assert find_malrules(text, text, fractions().misconceptions.values()).keys() <= fractions().misconceptions.keys()
    assert len(claim_descriptions(plain_text(text))) <= 4


@pytest.mark.parametrize(
    ("question", "answer", "true"),
    [
        ("3/5*2=", "6/10", False),
        ("Work out 1/2 + 1/3 + 1/6.", "1/2", False),
        ("What is -3 - 5?", "2", False),
        ("0.3 + 0.25 =", "0.55", True),
        ("Work out 1/4 + 2/4.", "3/4", True),
    ],
)
def test_what_an_answer_claims_is_the_whole_calculation(question: str, answer: str, true: bool) -> None:
    assert claims_hold(answer_claim(question, answer)) is true


def test_a_part_of_a_longer_calculation_claims_nothing() -> None:
    assert claim_descriptions("1/2 + 1/3 + 1/6 = 1/2") == []
    assert claims_hold("1/2 + 1/3 + 1/6 = 1/2") is False


def test_a_true_side_calculation_does_not_make_a_sentence_true() -> None:
    assert claims_hold("i did 18 - 6 = 12") is None
    assert claims_hold("quarter of 20 is 16") is False
