import pytest

from tutoring.understanding.parsing.requested_calculation import find_requested_calculation, is_only_calculation


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("3/8 + 1/4 = ?", "3/8 + 1/4"),
        ("what is 7/10 take away 4/10?", "7/10- 4/10"),
        ("What is the difference between 4/5 and 3/4, exactly?", "4/5 - 3/4"),
        ("2/3 of 3/4 of 60?", "2/3*3/4*60"),
        ("1/5 + 1/10?", "1/5 + 1/10"),
        ("does 1/2 + 1/4 equal 3/4?", "1/2 + 1/4 = 3/4"),
    ],
)
def test_a_calculation_that_is_asked_for_is_found_and_is_all_of_the_message(text, wanted):
    assert find_requested_calculation(text) == wanted
    assert is_only_calculation(text)


def test_two_fractions_in_a_row_are_compared():
    assert find_requested_calculation("why is 1/2 + 1/3 5/6") == "1/2 + 1/3 = 5/6"
    assert find_requested_calculation("what is 1/2 + 1 1/2?") == "1/2 + 1 1/2"


@pytest.mark.parametrize(
    "text", ["3/8", "1/2 + 1/3", "is it 3/4?", "my sister says 1/2 + 1/4 is a trick?", "why is 1/2 + 1/4 not 2/6?"]
)
def test_an_answer_or_another_question_is_no_request_for_a_calculation(text):
    assert not is_only_calculation(text)
