"""Words of right answers, as teachers write them: one idea a line, other words for it after a slash."""

import re
from typing import Any

_SLASH = re.compile(r"\s+/\s+|\s*//\s*")
_PLAIN = re.compile(r"[\w' -]+")


def ideas_of(text: str) -> list[dict[str, Any]]:
    """Return the ideas of a text: `bigger / larger` is one idea that is said in two ways."""
    lines = (line.strip() for line in text.splitlines())
    rows = ([each for each in map(str.strip, _SLASH.split(line)) if each] for line in lines)
    return [{"any": list(map(_pattern, words))} for words in rows if words]


def words_of(ideas: object) -> str | None:
    """Return ideas as text; None for ideas that `ideas_of` would not write."""
    if not isinstance(ideas, list):
        return None
    lines = []
    for idea in ideas:
        if not isinstance(idea, dict) or idea.keys() != {"any"} or not isinstance(idea["any"], list):
            return None
        lines.append(" / ".join(_word(each) for each in idea["any"]))
    text = "\n".join(lines)
    return text if ideas_of(text) == ideas else None


def _pattern(words: str) -> str:
    """Return a pattern for the words themselves: plain words as they are, others literally."""
    return words if _PLAIN.fullmatch(words) else re.escape(words)


def _word(pattern: object) -> str:
    written = str(pattern)
    return written if _PLAIN.fullmatch(written) else re.sub(r"\\(.)", r"\1", written, flags=re.DOTALL)
