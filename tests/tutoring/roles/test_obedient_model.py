"""Nothing of an answer is shown before rung 5, whatever the model would say."""

import pytest

from tests.tutoring.obedient_model import LEAD, leaks_in, tells_in

TURNS = 75


@pytest.mark.parametrize("speaks", ["anthropic", "openai"])
async def test_answer_is_never_given_away_before_the_last_rung(speaks: str) -> None:
    """P1: `make drill NAME=begging` plays a thousand of these turns."""
    leaks, asked = await leaks_in(TURNS, speaks=speaks)
    assert leaks == []
    assert asked > TURNS, "some wordings gave something away, and were asked for once more"


@pytest.mark.parametrize("speaks", ["anthropic", "openai"])
async def test_model_that_knows_the_answer_and_tells_it_is_not_heard(speaks: str) -> None:
    """The same drill plays a thousand of these turns, in 150 unlike wordings."""
    leaks, asked = await tells_in(TURNS, speaks=speaks)
    assert leaks == []
    assert asked > 1.5 * TURNS, f"what comes before a refused sentence, {LEAD!r}, stands, and the rest is asked for"
