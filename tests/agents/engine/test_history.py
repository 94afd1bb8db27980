"""What goes into a prompt of what was said."""

from hypothesis import given
from hypothesis import strategies as st

from agents.engine.history import prompt_history
from agents.engine.roles import ChatMessage


def messages(*texts):
    return [ChatMessage(author="learner", text=text) for text in texts]


def test_first_message_and_the_last_ones_are_kept():
    said = messages(*map(str, range(50)))
    assert [each.text for each in prompt_history(said, keep=3)] == ["0", "47", "48", "49"]


def test_nothing_said_is_nothing():
    assert prompt_history([]) == ()


def test_short_conversation_is_kept_whole():
    said = messages("a", "b")
    assert prompt_history(said, keep=5) == tuple(said)


def test_message_too_long_for_the_room_and_all_before_it_are_left_out():
    said = messages("a", "b", "x" * 100, "c")
    assert [each.text for each in prompt_history(said, characters=50)] == ["a", "c"]


@given(st.lists(st.text(max_size=20), min_size=1, max_size=40), st.integers(1, 30), st.integers(0, 200))
def test_room_is_kept_and_order_too(texts, keep, characters):
    said = messages(*texts)
    kept = prompt_history(said, keep=keep, characters=characters)
    assert kept[0] is said[0]
    assert len(kept) <= keep + 1
    assert list(kept[1:]) == said[len(said) - len(kept) + 1 :]
    assert sum(len(each.text) for each in kept[1:]) <= max(0, characters - len(texts[0]))
