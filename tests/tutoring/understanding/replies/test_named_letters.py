"""The letter of a choice, given among other words."""

import pytest

from tutoring.understanding.replies.named_letters import (
    find_begun_choice,
    find_choice_by_place,
    find_listed_choice,
    find_named_letter,
    find_told_choice,
)


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("I checked it twice: B", "B"),
        ("My answer is A.", "A"),
        ("prob B", "B"),
        ("prob c", "C"),
        ("A but its probably wrong", "A"),
        ("D but i dont know why", "D"),
        ("ok so C because the pieces are equal", "C"),
        ("c cuz its bigger", "C"),
        ("B, I hope", "B"),
        ("I'd go for (D)", "D"),
        ("after a long think, a", "A"),
        ("my teacher would say b!", "B"),
    ],
)
def test_letter_is_found_among_words(text: str, letter: str) -> None:
    assert find_named_letter(text, "ABCD") == letter


@pytest.mark.parametrize(
    "text",
    [
        "why is B wrong",
        "what does C mean",
        "is B right?",
        "not B",
        "B or C",
        "A half is bigger",
        "a half is bigger",
        "I have a cat",
        "this is hard D:",
        "got it :D",
        "A fraction has two numbers",
        "give me a hint",
        "my plan b",
        "c u later",
        "E is mine",
        "I got vitamin c",
        "A and also B",
        "she got a B in maths last year and I was so jealous of her for weeks",
    ],
)
def test_letter_in_other_words_is_no_answer(text: str) -> None:
    assert find_named_letter(text, "ABCD") == ""


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("is it the second one?", "B"),
        ("the last one", "D"),
        ("i think it's the first answer", "A"),
        ("the fifth one", ""),
        ("wait a second", ""),
        ("can you do the second one again", ""),
        ("the second", ""),
    ],
)
def test_choice_is_found_by_its_place(text: str, letter: str) -> None:
    assert find_choice_by_place(text, "ABCD") == letter


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("No, because Sam gets more", "C"),
        ("no because sam gets more cheese!", "C"),
        ("no because", ""),
        ("Yes, because", ""),
        ("because Sam gets more", ""),
        ("no because sam gets all of it", ""),
    ],
)
def test_a_choice_is_named_by_the_beginning_of_its_text(text: str, letter: str) -> None:
    choices = {
        "A": "Yes, because there are two pieces for two people.",
        "C": "No, because Sam gets more cheese.",
        "D": "No, because one cut makes only one part.",
    }
    assert find_begun_choice(text, choices) == letter


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("23 because 14 + 9 is 23", "C"),
        ("i think it's 23", "C"),
        ("both the same, since they are equal", "A"),
        ("14 + 9 is 23", ""),
        ("2", ""),
    ],
)
def test_a_choice_is_told_by_its_text_before_a_reason(text: str, letter: str) -> None:
    choices = {"A": "Both the same.", "B": "2 3", "C": "23"}
    assert find_told_choice(text, choices) == letter


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("the second and third", "A"),
        ("A weight of zero means it doesn't count at all, so the second and third ones.", "A"),
        ("No, I said the second and the third, not C!", "A"),
        ("the second one and the third one", "A"),
        ("one", "D"),
        ("only the second", "B"),
        ("the second", ""),
    ],
)
def test_a_choice_of_places_is_told_with_or_without_articles(text: str, letter: str) -> None:
    choices = {"A": "The second and the third", "B": "Only the second", "C": "Only the first", "D": "One"}
    assert find_told_choice(text, choices) == letter


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("[0, 2, 1]", "B"),
        ("0 2 1", "B"),
        ("I would say 0 exclamation marks, 2 links and then 1 for known.", "B"),
        ("2, 0 and 1", "A"),
        ("0, -2, 1", "C"),
        ("1, 2, 0", ""),
        ("2", ""),
    ],
)
def test_a_list_is_told_by_its_numbers_in_their_order(text: str, letter: str) -> None:
    assert find_listed_choice(text, {"A": "[2, 0, 1]", "B": "[0, 2, 1]", "C": "[0, −2, 1]"}) == letter
    assert find_listed_choice(text, {"A": "[2, 0, 1]", "B": "no list"}) == ""
