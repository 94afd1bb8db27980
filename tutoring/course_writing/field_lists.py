"""Lists in the fields of forms: one entry a line, or one `name = value` a line."""

from collections.abc import Mapping
from typing import Any


def lines_of(text: str) -> list[str]:
    """Return the lines that are not empty."""
    return [line.strip() for line in text.split("\n") if line.strip()]


def text_lines(value: Any) -> str | None:
    """Return a list of texts as lines; None for anything that `lines_of` would not give back."""
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        return None
    text = "\n".join(value)
    return text if lines_of(text) == value else None


def pairs_of(text: str) -> dict[str, str]:
    """Return `name = value` lines as a mapping. A line without a value has an empty one; a repeated name is marked."""
    found: dict[str, str] = {}
    for line in lines_of(text):
        name, _sign, value = line.partition("=")
        name = name.strip()
        while name in found:
            name += "'"
        found[name] = value.strip()
    return found


def pairs_text(pairs: Mapping[str, str]) -> str:
    return "\n".join(f"{name} = {value}" for name, value in pairs.items())
