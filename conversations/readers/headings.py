"""Where in a document one is: the headings above, and the number of the section."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from conversations.readers.document import Page, ReaderOutput

SEPARATOR = " › "


class Headings:
    """The headings that are open, from the outermost."""

    def __init__(self) -> None:
        self._open: list[tuple[int, str]] = []

    def enter(self, level: int, title: str) -> str:
        """Close what is at this level or deeper, open this, and return the way to it."""
        self._open = [(depth, name) for depth, name in self._open if depth < level]
        self._open.append((level, title))
        return self.path

    @property
    def path(self) -> str:
        return heading_path(*(name for _, name in self._open))


def heading_path(*names: str) -> str:
    return SEPARATOR.join(filter(None, names))


def number_sections(parts: Iterable[ReaderOutput]) -> Iterator[ReaderOutput]:
    """Give the sections of what has no pages of its own their numbers; one without text is left out."""
    number = 0
    for part in parts:
        if not isinstance(part, Page):
            yield part
        elif part.text.strip():
            number += 1
            yield replace(part, number=number)
