"""`manage.py analyse concepts`: what a message is about, as the panel's analysis agent finds it."""

from typing import Any

from conversations.panel.text_analysis import analyse_text

LONGEST = 10_000
"""Characters of a message."""


def analysis(row: dict[str, Any]) -> dict[str, Any]:
    """Return the analysis of a line's text. Raises ValueError for a line without one."""
    text = row.get("text")
    if not isinstance(text, str) or len(text) > LONGEST:
        raise ValueError(f"text must be a string of up to {LONGEST} characters")
    return analyse_text(text).model_dump(mode="json")
