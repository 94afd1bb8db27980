"""Words about parts: how many equal parts a text names, and what it claims about a drawing."""

import re
from typing import Final

PART_WORDS: Final = {
    "half": 2,
    "halves": 2,
    "third": 3,
    "quarter": 4,
    "fourth": 4,
    "fifth": 5,
    "sixth": 6,
    "seventh": 7,
    "eighth": 8,
    "ninth": 9,
    "tenth": 10,
    "twelfth": 12,
}
NUMBERS: Final = {
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
}
MAX_PARTS: Final = 24
# Texts are case-folded before: where a pattern ignores case, "thırd" is "third", and in no table.
_NAME = re.compile(rf"\b({'|'.join(PART_WORDS)})s?\b")
_FRACTION = re.compile(r"(?<![\d/.])\d{1,2}\s?/\s?(\d{1,2})(?![\d/])")
_EQUAL_PARTS = re.compile(rf"\b(\d{{1,2}}|{'|'.join(NUMBERS)}) (?:(?:equal|same[- ]sized?) )?(?:parts|pieces)\b")
_COUNT = re.compile(
    rf"\b(\d{{1,2}}|{'|'.join(NUMBERS)}) (?:[\w-]+ ){{0,3}}?"
    r"(?:parts|pieces|shapes|rectangles|squares|circles|ovals|ellipses|triangles|sections|regions|bars)\b"
)
_UNEQUAL = re.compile(
    r"\b(unequal|uneven|not (quite |exactly )?(equal|even|the same)|differ\w*|(larger|bigger|smaller|wider|narrower) than)\b"
)
_EQUAL = re.compile(r"\b(equal|equally|the same size|same-sized?|identical|congruent|even(ly)?)\b")


def parts_in_text(text: str) -> int | None:
    """Return how many parts of a whole a text names ("halves" 2, "1/3" 3, "four equal parts" 4); None for none."""
    text = text.casefold().replace("½", " half ").replace("⅓", " third ").replace("¼", " quarter ")
    if name := _NAME.search(text):
        return PART_WORDS[name[1]]
    if fraction := _FRACTION.search(text):
        below = int(fraction[1])
        return below if 2 <= below <= MAX_PARTS else None
    parts = _EQUAL_PARTS.search(text)
    return _number(parts[1]) if parts else None


def parts_claimed(description: str) -> tuple[int | None, bool | None]:
    """Return how many parts or shapes a description counts, and whether it calls them equal; None if it does not say.

    A description that names several counts, or both, claims neither.
    """
    description = description.casefold()
    counts = {_number(found[1]) for found in _COUNT.finditer(description)}
    unequal = bool(_UNEQUAL.search(description))
    equal = bool(_EQUAL.search(_UNEQUAL.sub("", description)))
    return counts.pop() if len(counts) == 1 else None, None if unequal == equal else equal


def _number(word: str) -> int:
    return NUMBERS.get(word) or int(word)
