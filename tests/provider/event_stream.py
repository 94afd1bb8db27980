"""An answer as bytes of an event stream, split where a fault can strike."""

import json
import re
from dataclasses import dataclass
from typing import Any

_WORD = re.compile(r"\s*\S+\s*?(?=\s|$)|\s+$")


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderedAnswer:
    opening: bytes
    pieces: tuple[bytes, ...]
    ending: bytes
    """What makes the answer whole: the reason why it stopped, and the tokens it took."""


def words_in(text: str) -> list[str]:
    """Split a text into pieces of one word, which together are the text."""
    return _WORD.findall(text)


def halves_of(text: str) -> list[str]:
    """Split a tool's arguments in two, as models stream them."""
    middle = len(text) // 2
    return [half for half in (text[:middle], text[middle:]) if half]


def compact(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
