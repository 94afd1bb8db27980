"""What a model says of whose a message is: its reason is told only where it is fit to be shown."""

import pytest

from tutoring.roles import coordinator
from tutoring.roles.coordinator import CoordinatorAnswer, reason_of, single_line


@pytest.mark.parametrize(
    ("reason", "shown"),
    [
        ("  asks\nfor\tthe way\x00 ", "asks for the way"),
        ("word " * 100, "word " * 23 + "word…"),
        ("", "This is how a language model understood the message."),
        ("<b>asks</b>", "This is how a language model understood the message."),
        ("see https://example.com", "This is how a language model understood the message."),
        ("You have mastered this.", "This is how a language model understood the message."),
        (coordinator.ROLE.prompt.text[:100], "This is how a language model understood the message."),
    ],
)
def test_reason_is_one_plain_line(reason: str, shown: str) -> None:
    assert reason_of(CoordinatorAnswer(agent="tutor", reason=single_line(reason))) == shown
    assert single_line(single_line(reason)) == single_line(reason)
