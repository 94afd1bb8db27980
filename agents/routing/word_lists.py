"""Reading and writing of word lists as people edit them: one word or phrase per line, with `= 2` for another weight."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from agents.routing.keywords import split_words

MOST_WORDS, LONGEST, HIGHEST_WEIGHT = 300, 60, 5.0
"""Words of a list, characters of a word, and the highest weight."""
SHORTEST_STEM: Final = 3
"""Letters before an asterisk: "a*" would be nearly every word."""
_LINE = re.compile(r"(?P<word>[^=]+?)\s*(?:=\s*(?P<weight>\d+(?:[.,]\d+)?)\s*)?")


class WordListError(ValueError):
    """A line of a word list cannot be used. `code` says why, and `line` is the line."""

    def __init__(self, code: str, line: str) -> None:
        super().__init__(f"{code}: {line}")
        self.code, self.line = code, line


def parse_words(lines: Sequence[str]) -> dict[str, float]:
    """Return word → weight; lines that are blank are left out.

    Raises WordListError with the code `form`, `short`, `long`, `stem`, `weight`, `twice` or `many`.
    """
    words: dict[str, float] = {}
    for line in filter(str.strip, lines):
        word, weight = _parse_line(line.strip())
        if word in words:
            raise WordListError("twice", line.strip())
        words[word] = weight
    if len(words) > MOST_WORDS:
        raise WordListError("many", str(len(words)))
    return words


def format_words(words: Mapping[str, float]) -> str:
    """Return a list as it is edited; `parse_words` reads it again."""
    return "\n".join(word if weight == 1 else f"{word} = {weight:g}" for word, weight in words.items())


def _parse_line(line: str) -> tuple[str, float]:
    found = _LINE.fullmatch(line)
    if found is None:
        raise WordListError("form", line)
    said = found["word"].strip()
    parts, has_star = split_words(said), said.endswith("*")
    word = " ".join(parts) + ("*" if has_star else "")
    if "*" in said[:-1] or not parts or (len(parts) > 1 and has_star):
        raise WordListError("form", line)
    if len("".join(parts)) < 2:
        raise WordListError("short", line)
    if len(word) > LONGEST:
        raise WordListError("long", line)
    if has_star and len(parts[0]) < SHORTEST_STEM:
        raise WordListError("stem", line)
    weight = float((found["weight"] or "1").replace(",", "."))
    if weight > HIGHEST_WEIGHT:
        raise WordListError("weight", line)
    return word, weight
