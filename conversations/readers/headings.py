"""Tracks the headings above the current place, and numbers sections."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from conversations.readers.document import Page, ReaderOutput

SEPARATOR = " › "


class Headings:
    """The open headings, outermost first."""

    def __init__(self) -> None:
        self._open: list[tuple[int, str]] = []

    def enter(self, level: int, title: str) -> str:
        """Close headings at this level or deeper, open this one, and return the path to it."""
        self._open = [(depth, name) for depth, name in self._open if depth < level]
        self._open.append((level, title))
        return self.path

    @property
    def path(self) -> str:
        return heading_path(*(name for _, name in self._open))


def heading_path(*names: str) -> str:
    return SEPARATOR.join(filter(None, names))


def number_sections(parts: Iterable[ReaderOutput]) -> Iterator[ReaderOutput]:
    """Number the sections of documents without pages; sections without text are left out."""
    number = 0
    for part in parts:
        if not isinstance(part, Page):
            yield part
        elif part.text.strip():
            number += 1
            yield replace(part, number=number)
