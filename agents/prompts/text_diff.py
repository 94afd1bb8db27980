"""Differences between two texts: by lines first, then by words in similar lines."""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import groupby
from typing import Literal

from agents.values import value

SIMILARITY_THRESHOLD = 0.5
"""Share of common words (0–1) above which two passages are compared word by word."""
_WORDS = re.compile(r"\S+|\s+")


@value
class DiffPart:
    kind: Literal["same", "removed", "added"]
    text: str


def diff_texts(before: str, after: str) -> list[DiffPart]:
    """Return the parts in reading order: without the added ones they are `before`, without the removed ones `after`."""
    parts = _by_line(before.splitlines(keepends=True), after.splitlines(keepends=True))
    return [
        DiffPart(kind=kind, text="".join(part.text for part in run))
        for kind, run in groupby(parts, lambda part: part.kind)
    ]


def _by_line(before: list[str], after: list[str]) -> Iterator[DiffPart]:
    for tag, start, end, to_start, to_end in SequenceMatcher(None, before, after).get_opcodes():
        old, new = "".join(before[start:end]), "".join(after[to_start:to_end])
        if tag == "equal":
            yield DiffPart(kind="same", text=old)
        else:
            yield from _by_word(old, new)


def _by_word(old: str, new: str) -> Iterator[DiffPart]:
    if SequenceMatcher(None, old.split(), new.split()).ratio() <= SIMILARITY_THRESHOLD:
        yield from _replaced(old, new)
        return
    before, after = _WORDS.findall(old), _WORDS.findall(new)
    for tag, start, end, to_start, to_end in SequenceMatcher(None, before, after).get_opcodes():
        if tag == "equal":
            yield DiffPart(kind="same", text="".join(before[start:end]))
        else:
            yield from _replaced("".join(before[start:end]), "".join(after[to_start:to_end]))


def _replaced(old: str, new: str) -> Iterator[DiffPart]:
    if old:
        yield DiffPart(kind="removed", text=old)
    if new:
        yield DiffPart(kind="added", text=new)
