"""Nothing of an answer is shown before rung 5, whatever the model would say."""

import pytest

from tests.tutoring.gullible import leaks_in

TURNS = 120


@pytest.mark.parametrize("speaks", ["anthropic", "openai"])
async def test_answer_is_never_given_away_before_the_last_rung(speaks: str) -> None:
    """P1: `make drill NAME=begging` plays a thousand of these turns."""
    leaks, asked = await leaks_in(TURNS, speaks=speaks)
    assert leaks == []
    assert asked > 1.5 * TURNS, "most wordings gave something away, and were asked for once more"
