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
        (
            "ice is its own prerequisite, in the circle: Ice, Water",
            "Topics need each other in a circle: Ice, Water. Take away what one of them needs first.",
        ),
        ("seed 4: its own answer 'b' is graded wrong", "“b” is not taken as a right answer."),
        (
            'its own answer "It\'s dark." is graded partial, without the ideas: light, sugar',
            "“It's dark.” is not taken as a right answer. This is not found in it: light, sugar.",
        ),
        ("the wrong answer '4' is graded right", "The wrong answer “4” is taken as right."),
        ("a choice question needs answer: {value: letter}", "Mark the right option."),
        ("a multi question needs answer: {values: [letters]}", "Mark at least one right option."),
        ("a numeric question needs answer: {value: …}", "Write the right number."),
        ("there is no choice 'D'", "Option D is marked, but it is empty."),
        ("only a wrong choice can have 'says'", "This option is right. Only wrong options can have a reply."),
        (
            "water-p1: asks 0 questions; it must ask exactly one, at its end",
            "Ask exactly one question, with a question mark, at the end.",
        ),
        ("water-p1: must end with its question", "The question must be at the end."),
        ("water-p1: 90 words; at most 60 are allowed before the learner's turn", "90 words; at most 60 are allowed."),
        ("water has 0 exercise templates; at least 3 are needed", "Write at least 3 exercises. So far there are 0."),
        ("one: seed 0: the solution says 2 + 2 = 5", "The solution says “2 + 2 = 5”, which is not true."),
        ("the solution does not contain the answer 24", "The right answer, 24, is missing in the solution."),
        ("line 1 a: tags are not allowed", "line 1 a: tags are not allowed"),
    ],
)
def test_what_is_wrong_is_said_in_the_words_of_the_form(reason, told):
    assert in_plain_words(reason) == told
