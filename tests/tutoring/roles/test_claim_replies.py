"""What is said to a claim in numbers: whether it is true, and what is true."""

import pytest

from tutoring.lesson.response_plan import ResponsePlan
from tutoring.roles.explanation.conversation_replies import claim_reply
from tutoring.understanding.parsing.numeric_claims import find_numeric_claims


@pytest.mark.parametrize(
    ("claim", "reply"),
    [
        ("4/4 is less than 1", "Not quite. 4/4 and 1 are the same amount. With the same bottom number, both are 4/4."),
        ("so 6/5 is between 1 and 2", "Yes, that’s true: 6/5 is between 1 and 2."),
        (
            "2/3 is between 1/8 and 1/2",
            "Not quite. 2/3 is bigger than 1/2. With the same bottom number, they are 4/6 and 3/6.",
        ),
        ("3/4, 6/8 and 7/8 are all the same", "Not quite. 6/8 is smaller than 7/8."),
        ("1/2 + 1/3 = 5/6", "Yes, that’s true: `1/2 + 1/3 = 5/6`."),
    ],
)
def test_a_claim_is_answered_with_what_is_true(claim: str, reply: str) -> None:
    (found,) = find_numeric_claims(claim)
    assert (
        claim_reply(ResponsePlan(statement=found.statement, holds=found.holds, quote=found.text), is_open=False)
        == reply
    )


def test_true_claim_beside_a_question_is_no_praise():
    said = claim_reply(ResponsePlan(statement="8 + 4 = 12", holds=True, quote="8 + 4 is 12"), is_open=True)
    assert said == "It’s true that `8 + 4 = 12`. Does that answer the question on the card?"


def test_chain_of_calculations_that_does_not_hold_is_said_to_be_wrong():
    chain = "4 × 3 + 3 = 12 = 15"
    said = claim_reply(ResponsePlan(statement=chain, holds=False, quote=chain), is_open=True)
    assert said == f"Not quite: `{chain}` isn’t true. Work out both sides and compare them."
