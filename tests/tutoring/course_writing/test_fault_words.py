"""Faults of drafts in the words of the forms."""

import pytest

from tutoring.course_writing.fault_words import in_plain_words


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        ("concepts › 1 › summary: is empty", "Fill this in."),
        ("is missing", "Fill this in."),
        ("seed 0: unknown name 'so' in '12 or so'", "“so” is not one of the values."),
        ("one: seed 3: unexpected '*' in 'n**n'", "This cannot be calculated: something is wrong at “*”."),
        (
            "no exercise within 1 tries: the conditions under 'where' are met too rarely",
            "It cannot be asked like this: two options are the same, or a condition is not met.",
        ),
        (
            "no exercise within 1000 tries: the conditions under 'where' are met too rarely",
            "The conditions are met too rarely. Loosen them, or allow more values.",
        ),
        (
            "'adds-instead' gives the right answer 4; add distinct_malrules() or another condition",
            "A wrong answer is right: the one of “adds-instead”. Change it, or add a condition that rules it out.",
        ),
        ("hint 1 gives the answer away: 'It is 12.'", "Hint 1 gives the answer away."),
        ("freezing is its own prerequisite, directly or indirectly", "This topic needs itself first."),
        ("seed 4: its own answer 'b' is graded wrong", "its own answer 'b' is graded wrong"),
        ("concepts › 1: must be a list", "This must be a list: lines that begin with “-”."),
        (
            "not YAML: did not find expected ',' or ']'",
            "This is not valid YAML. Check the brackets, quotes and indents here and just before.",
        ),
        ("line 1 a: tags are not allowed", "line 1 a: tags are not allowed"),
    ],
)
def test_what_is_wrong_is_said_in_the_words_of_the_form(reason, told):
    assert in_plain_words(reason) == told
