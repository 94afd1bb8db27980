"""What a name of the program on a card is."""

from dataclasses import replace

import pytest

from tests.tutoring.understanding.replies.test_program_answers import ASKED
from tutoring.roles.explanation.program_names import explain_name

PROGRAM = """```python
def area(width):
    return width * 4

price = 5
for size in [1, 2]:
    print(area(size), price)
```"""
CARD = replace(ASKED, stem=f"What does it show?\n\n{PROGRAM}")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("what is price", "gives it a value: `price = 5`"),
        ("wait what does price = 5 mean", "gives it a value: `price = 5`"),
        ("where does size come from i didnt write size", "a new value in every round: `for size in [1, 2]:`"),
        ("whats width", "an input of the function `area`"),
        ("what is `area`?", "a function. It begins with this line: `def area(width):`"),
    ],
)
def test_a_name_is_explained_by_the_line_that_gives_it(text: str, said: str) -> None:
    assert said in explain_name(text, CARD)


@pytest.mark.parametrize(
    "text", ["what is a variable", "what is cost", "price is 5", "what is the answer", "why price"]
)
def test_other_questions_are_not_about_a_name(text: str) -> None:
    assert explain_name(text, CARD) == ""


def test_without_a_program_no_name_is_explained() -> None:
    assert explain_name("what is price", None) == ""
    assert explain_name("what is price", replace(ASKED, stem="```python\nprice = = 5\n```")) == ""
