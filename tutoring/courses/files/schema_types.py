"""Types of values in course files: ids, words, expressions and patterns."""

import re
from collections.abc import Mapping
from typing import Annotated

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    StringConstraints,
    Tag,
)

# Patterns run against every message; the longest of Fractions has about 360 characters.
MAX_PATTERN = 600
_REPEATED_GROUP = re.compile(r"\((?:[^()\\]|\\.)*[*+}](?:[^()\\]|\\.)*\)\s*[*+{]")


def _pattern(text: str) -> str:
    """Reject patterns that do not compile or could be slow, since they run against every message."""
    if len(text) > MAX_PATTERN:
        raise ValueError(f"a pattern can have at most {MAX_PATTERN} characters")
    if _REPEATED_GROUP.search(text):
        raise ValueError("a repeated group must not contain another repetition, as in (a+)+")
    try:
        re.compile(text)
    except re.error as error:
        raise ValueError(f"not a regular expression: {error}") from None
    return text


def number_as_text(value: object) -> object:
    """Return a number as the text an author meant: `value: 3` is the expression 3."""
    return str(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else value


def value_shape(value: object) -> str:
    """Discriminate a union's members by the form of the value, so that a fault is about the intended one."""
    if isinstance(value, (Mapping, BaseModel)):
        return "table"
    return "list" if isinstance(value, (list, tuple)) else "text"


Id = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$")]
Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=4000)]
StandardCode = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9.:_-]{0,39}$")]
Letter = Annotated[str, StringConstraints(pattern=r"^[A-H]$")]
Pattern = Annotated[Words, AfterValidator(_pattern)]
Expression = Annotated[str, BeforeValidator(number_as_text), StringConstraints(min_length=1, max_length=400)]
Amounts = Annotated[
    Annotated[Expression, Tag("text")] | Annotated[tuple[Expression, ...], Tag("list")], Discriminator(value_shape)
]
Code = Annotated[str, BeforeValidator(number_as_text), StringConstraints(min_length=1, max_length=4000)]
"""A program, or what it prints: the spaces at its beginning count."""
CodeLine = Annotated[str, BeforeValidator(number_as_text), StringConstraints(min_length=1, max_length=400)]
Share = Annotated[float, Field(ge=0, le=1, strict=True)]


class FileModel(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")
