"""A question of a draft, as a value."""

from dataclasses import dataclass, field
from typing import Literal

type Kind = Literal["choice", "text", "match", "order"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftedQuestion:
    """A question of a draft. Texts are plain; `quote` is the sentence of the text that it rests on."""

    kind: Kind
    stem: str
    options: tuple[str, ...] = ()
    """Of a choice: the right one first. Of an order: in the right order."""
    pairs: tuple[tuple[str, str], ...] = ()
    accepted: tuple[str, ...] = ()
    """Of a text: the answers that are graded right."""
    quote: str
    passage: int
    section: int = 0
    source: Literal["text", "model", "person"] = "text"
    """Who worded it: code from the text, a language model, or the person."""
    is_kept: bool = True
    is_deleted: bool = False
    """Deleted questions are kept out of sight, so that the numbers of the others stay the same."""
    terms: tuple[str, ...] = field(default=())
    """The terms it is about."""
