"""A request to a model, in either wire format, as the stand-in sees it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

CHARACTERS_PER_TOKEN = 4
_NOTE = re.compile(r"\s*<turn_note>\n(.*?)\n</turn_note>\s*\Z", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderRequest:
    wire: Literal["anthropic", "openai"]
    model: str
    system: str
    """What the program tells: the system prompt, and the note of the turn at the end of the learner's last message."""
    history: tuple[str, ...]
    """Everything said and every tool's result, oldest first, without the note."""
    last: str
    """What the person said last."""
    stream: bool
    counts_usage: bool
    """Whether the client wants tokens counted; Anthropic's always does."""
    shape: Literal["", "json", "schema"]
    """The shape that the request's parameters ask for."""
    schema: dict[str, Any] | None
    """The answer's schema, from the parameters or from the words of the prompt."""
    tools: Mapping[str, dict[str, Any]]
    """Name → schema of the arguments, of the tools on offer."""
    images: int

    @property
    def everything(self) -> str:
        return "\n".join((self.system, *self.history))

    @property
    def input_tokens(self) -> int:
        return tokens_of(self.everything)


def note_in(messages: list[dict[str, Any]]) -> str:
    """Return the note of the turn, from the last message that ends with one; empty without any."""
    found = (_NOTE.search(words_of(message.get("content"))) for message in reversed(messages))
    return next((note[1] for note in found if note), "")


def without_note(text: str) -> str:
    """Return what somebody said, without the note of the turn after it."""
    return _NOTE.sub("", text).rstrip()


def tokens_of(text: str) -> int:
    """Return a count that depends on nothing but the text's length; never 0."""
    return max(1, -(-len(text) // CHARACTERS_PER_TOKEN))


def words_of(content: Any) -> str:
    """Return the words of a message's content: a string, or blocks of which some hold text."""
    if isinstance(content, str):
        return content
    return "\n".join(_words_of_block(block) for block in content or ())


def _words_of_block(block: dict[str, Any]) -> str:
    if block.get("type") == "tool_result":
        return words_of(block.get("content"))
    return str(block.get("text", ""))


def blocks_of(messages: list[dict[str, Any]], *kinds: str) -> int:
    """Count the blocks of these types."""
    contents = (message.get("content") for message in messages)
    return sum(block.get("type") in kinds for content in contents if isinstance(content, list) for block in content)
