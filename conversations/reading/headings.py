"""Where in a document one is: the headings above, and the number of the section."""

from collections.abc import Iterable, Iterator

from conversations.reading.values import Page

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
        return SEPARATOR.join(name for _, name in self._open if name)


def numbered(sections: Iterable[tuple[str, str]]) -> Iterator[Page]:
    """Yield pages for the headings and texts of what has no pages of its own; a section without text has none."""
    number = 0
    for heading, text in sections:
        if text.strip():
            number += 1
            yield Page(number=number, heading=heading, text=text)
