"""Types of the readers: pages, problems, limits."""

from dataclasses import dataclass
from enum import StrEnum

MAX_PAGES = 300
"""Maximum number of pages in a PDF; the frames of a picture have their own limit."""
MAX_SECTIONS = 3_000
"""Maximum number of sections in files without pages, such as books and long texts."""
PAGE_CHARACTERS = 20_000
"""Maximum length of a page; a longer one is split into several with the same number and heading."""
MAX_CHARACTERS = 4_000_000
"""Maximum number of characters in a document, about four times a 300-page book."""
HEADING_CHARACTERS = 300


def gettext_noop(message: str) -> str:
    """Mark a sentence for translation; this package does not import Django."""
    return message


class Problem(StrEnum):
    """Why a file was not read; `sentence` is a message for the person, in English until translated."""

    UNSUPPORTED = "unsupported"
    NO_MODULES = "no_modules"
    ENTITIES = "entities"
    UNSAFE_NAMES = "unsafe_names"
    TOO_LARGE = "too_large"
    TOO_LONG = "too_long"
    TOO_MANY_PAGES = "too_many_pages"
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
        "This type of file is not supported. You can add PNG, JPEG, WebP, GIF and TIFF pictures, PDF, DOCX, Markdown, "
        "plain text, and CNXML (also as a collection in a .tar.gz or .zip)."
    ),
    Problem.NO_MODULES: gettext_noop(
        "This archive contains no CNXML documents, and no others are read from archives. Unpack it, then add its files."
    ),
    Problem.ENTITIES: gettext_noop(
        "The XML in this file defines entities, which is not allowed. Save it without them, then add it again."
    ),
    Problem.UNSAFE_NAMES: gettext_noop(
        "This archive has links, or names that lead out of it, such as “../file”. Pack the folder again, then add it."
    ),
    Problem.TOO_LARGE: gettext_noop("The content of this file is too large. Try a smaller file."),
    Problem.TOO_LONG: gettext_noop(
        "This document is too long. A text can have about 4 million characters, in 3,000 sections. Add it in several parts."
    ),
    Problem.TOO_MANY_PAGES: gettext_noop(
        "This document is too long. A PDF can have at most 300 pages. Try adding only part of it."
    ),
    Problem.ENCRYPTED: gettext_noop(
        "This document is protected by a password. Save a copy without a password, then add the copy."
    ),
    Problem.NO_TEXT: gettext_noop(
        "There is no readable text in this document. Add a version in which the text can be selected, or a sharper picture."
    ),
    Problem.NO_EYES: gettext_noop(
        "This document contains only pictures, and this site can’t read text in pictures. Add a version in which the text can be selected."
    ),
    Problem.DAMAGED: gettext_noop("This file is damaged and could not be read completely."),
    Problem.TOO_SLOW: gettext_noop("Reading this document took too long. Try adding only part of it."),
    Problem.STOPPED: gettext_noop("This document was not read to the end, because reading was stopped."),
}


class Unreadable(Exception):
    """A file that is not accepted or cannot be read; `problem` says why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.problem = problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page, or a section if there are no pages."""

    number: int
    """A PDF's page, a picture's frame, or else the section, starting at 1. Parts of a long one share its number."""
    heading: str
    """The headings above the page, as "Chapter › Section"; empty if there are none."""
    text: str
    """Paragraphs are separated by a blank line, rows and list items by a line break. No control characters."""
    glossary: bool = False
    """Whether this is a list of terms, which is shown but not indexed because it would mislead searches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """Page `page` of `of` is about to be read; 0 if unknown."""

    page: int
    of: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Title:
    title: str


type ReaderOutput = Page | Progress | Title
"""What a reader yields."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadDocument:
    """A document that was read: all of its pages, or a problem and no page."""

    pages: tuple[Page, ...] = ()
    title: str = ""
    """The title found in the document; may be empty."""
    problem: Problem | None = None
