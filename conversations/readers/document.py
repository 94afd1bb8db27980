"""What reading is about: pages, the problems that a file can have, and how much is taken."""

from dataclasses import dataclass
from enum import StrEnum

MAX_PAGES = 300
"""Pages of a PDF; frames of a picture have a limit of their own."""
MAX_SECTIONS = 3_000
"""Pages of what has none: sections of a book, stretches of a text."""
PAGE_CHARACTERS = 20_000
"""What is longer is handed on as several pages of the same number and heading."""
MAX_CHARACTERS = 4_000_000
"""A whole document: some four times a book of 300 pages."""
HEADING_CHARACTERS = 300


def gettext_noop(message: str) -> str:
    """Mark a sentence for translation; this room knows no Django."""
    return message


class Problem(StrEnum):
    """Why a file was not read; `sentence` says it to a person, in English until translated."""

    UNSUPPORTED = "unsupported"
    TOO_LARGE = "too_large"
    TOO_LONG = "too_long"
    ENCRYPTED = "encrypted"
    NO_TEXT = "no_text"
    NO_EYES = "no_eyes"
    DAMAGED = "damaged"
    TOO_SLOW = "too_slow"
    STOPPED = "stopped"

    @property
    def sentence(self) -> str:
        return _SENTENCES[self]


_SENTENCES = {
    Problem.UNSUPPORTED: gettext_noop(
        "This kind of file is not taken. Taken are PNG, JPEG, WebP, GIF and TIFF pictures, PDF, DOCX, Markdown, "
        "plain text, and CNXML, alone or as a collection in a .tar.gz or .zip."
    ),
    Problem.TOO_LARGE: gettext_noop("What is inside this file is too large to be opened. Try a smaller one."),
    Problem.TOO_LONG: gettext_noop("This document is too long to be read: a PDF may have 300 pages. Try a part of it."),
    Problem.ENCRYPTED: gettext_noop("This document is locked with a password. Save it without one and add it again."),
    Problem.NO_TEXT: gettext_noop("There is no readable text in this document."),
    Problem.NO_EYES: gettext_noop(
        "There are only pictures in this document, and reading text off pictures is not installed here."
    ),
    Problem.DAMAGED: gettext_noop("This file is damaged: it could not be read to its end."),
    Problem.TOO_SLOW: gettext_noop("Reading this document took too long and was given up. Try a part of it."),
    Problem.STOPPED: gettext_noop("Reading was stopped."),
}


class Unreadable(Exception):
    """A file that is not taken, or not to be read; `problem` says why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.problem = problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page, or a section of what has no pages."""

    number: int
    """From 1. A PDF's page, a picture's frame; else the how-manieth section. Long ones come in parts of one number."""
    heading: str
    """The way to it, as "Chapter › Section"; empty where the document names none."""
    text: str
    """Paragraphs are separated by a blank line, rows and list items by a line break. No control characters."""
    glossary: bool = False
    """A list of terms: good to look at, misleading in an index."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """Page `page` is about to be read, `of` so many; 0 where that is not known."""

    page: int
    of: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Title:
    title: str


type ReaderOutput = Page | Progress | Title
"""What a reader yields."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadDocument:
    """A document read: all of its pages, or one problem and no page."""

    pages: tuple[Page, ...] = ()
    title: str = ""
    """As the document itself has it; may be empty."""
    problem: Problem | None = None
