"""The messages that go into a prompt: the first one and the last ones. Stored messages are never deleted."""

from collections.abc import Sequence

from agents.engine.roles import ChatMessage

MESSAGES = 20
"""Messages kept besides the first."""
CHARACTERS = 50_000


def prompt_history(
    messages: Sequence[ChatMessage], *, keep: int = MESSAGES, characters: int = CHARACTERS
) -> tuple[ChatMessage, ...]:
    """Return the first message and the last `keep`, oldest first; fewer if they hold too many characters."""
    if not messages:
        return ()
    first, *others = messages
    kept: list[ChatMessage] = []
    room = characters - len(first.text)
    for message in reversed(others[-keep:]):
        room -= len(message.text)
        if room < 0:
            break
        kept.append(message)
    return (first, *reversed(kept))
