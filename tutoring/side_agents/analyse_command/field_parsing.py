"""Parses the fields of an input line."""

from collections.abc import Mapping
from typing import Any, Final

MAX_TEXT: Final = 10_000


def parse_bool(row: Mapping[str, Any], name: str) -> bool:
    """Return a boolean; raise ValueError for anything else, and if it is missing."""
    value = row.get(name)
    if not isinstance(value, bool):
        raise ValueError(f"{name} must be true or false")
    return value


def parse_text(row: Mapping[str, Any], name: str, *, needed: bool = True) -> str:
    """Return a text, or a number as text; raise ValueError for anything else, and if it is missing but required."""
    value = row.get(name)
    if value is None and not needed:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError(f"{name} must be text")
    text = str(value)
    if len(text) > MAX_TEXT:
        raise ValueError(f"{name} has more than {MAX_TEXT} characters")
    return text
