"""What a model says of whose a message is: its reason is told only where it is fit to be shown."""

import pytest

from tutoring.roles import coordinator
from tutoring.roles.coordinator import CoordinatorAnswer, reason_of, single_line


@pytest.mark.parametrize(
    ("reason", "shown"),
    [
        ("  asks\nfor\tthe way\x00 ", "asks for the way"),
        ("word " * 100, "word " * 23 + "word…"),
        ("", "A language model understood the message this way."),
        ("<b>asks</b>", "A language model understood the message this way."),
        ("see https://example.com", "A language model understood the message this way."),
        ("You have mastered this.", "A language model understood the message this way."),
        (coordinator.ROLE.prompt.text[:100], "A language model understood the message this way."),
    ],
)
def test_reason_is_one_plain_line(reason: str, shown: str) -> None:
    assert reason_of(CoordinatorAnswer(agent="tutor", reason=single_line(reason))) == shown
    assert single_line(single_line(reason)) == single_line(reason)
