"""Reader for PDF: the text of each page, with headings from the outline; OCR for pages that are only pictures."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Generator, Iterator
from typing import Any, BinaryIO

from PIL import Image
from pypdf import PageObject, PdfReader
from pypdf.errors import DependencyError, LimitReachedError, PyPdfError
from pypdf.generic import DictionaryObject

from conversations.readers import ocr
from conversations.readers.document import (
    MAX_PAGES,
    MAX_SECTIONS,
    Page,
    Problem,
    Progress,
    ReaderOutput,
    Title,
    Unreadable,
)
from conversations.readers.headings import Headings
from conversations.readers.images import MAX_PIXELS, pixel_limits, shrink

PICTURES = 8
"""Maximum number of pictures read on one page; a scan may come in strips."""
PICTURE_SIDE = 100
"""In pixels; smaller pictures are lines or ornaments."""
FEW = 50
"""Minimum length of a page's text in characters; a page number or a scanner's name is shorter."""
FAULTS = (
    PyPdfError,
    DependencyError,
    ArithmeticError,
    AttributeError,
    LookupError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
)
"""Errors raised by a malformed page; one such page does not make the whole book unreadable."""
_HYPHEN = re.compile(r"(?<=[a-zß-ÿ])[-\u2010]\n(?=[a-zß-ÿ])")
_LIGATURES = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"})


def parts(file: BinaryIO) -> Iterator[ReaderOutput]:
    """Yield the pages. Raises Unreadable: ENCRYPTED, TOO_LONG, TOO_LARGE, DAMAGED, NO_EYES."""
    try:
        yield from _pages(PdfReader(file))
    except LimitReachedError as error:
        raise Unreadable(Problem.TOO_LARGE) from error


def _pages(reader: PdfReader) -> Iterator[ReaderOutput]:
    if reader.is_encrypted:
        raise Unreadable(Problem.ENCRYPTED)
    count = page_count(reader)
    yield Title(title=title_of(reader))
    begins = [*outline(reader)]
    failed = unseen = read = 0
    for index in range(count):
        yield (at := Progress(page=index + 1, of=count))
        try:
            page = reader.pages[index]
            text = page_text(page)
            if len(text) < FEW:
                text = "\n\n".join(filter(None, [text, (yield from ocr_text(page, at=at))]))
            unseen += not text and not ocr.is_installed() and bool(pictures(page))
        except LimitReachedError:
            raise
        except FAULTS:
            failed += 1
            continue
        read += bool(text)
        yield Page(number=index + 1, heading=heading_of(index, begins), text=text)
    if not read and (failed or unseen):
        raise Unreadable(Problem.DAMAGED if failed else Problem.NO_EYES)


def page_count(reader: PdfReader) -> int:
    """Return the number of pages; the file's own count is trusted only if it is too high."""
    tree: Any = reader.root_object["/Pages"]
    said = tree.get("/Count", 0)
    if isinstance(said, int) and said > MAX_PAGES:
        raise Unreadable(Problem.TOO_MANY_PAGES)
    count = len(reader.pages)
    if count > MAX_PAGES:
        raise Unreadable(Problem.TOO_MANY_PAGES)
    return count


def title_of(reader: PdfReader) -> str:
    try:
        return str((reader.metadata and reader.metadata.title) or "")
    except FAULTS:
        return ""


def page_text(page: PageObject) -> str:
    """Return a page's text, with words split at line ends joined and ligatures as letters."""
    return _HYPHEN.sub("", page.extract_text().translate(_LIGATURES)).strip()


def outline(reader: PdfReader) -> Iterator[tuple[int, str]]:
    """Yield the page index and heading path of each outline entry, in page order; nothing if the outline is broken."""
    try:
        found = [*_entries(reader, reader.outline, Headings(), level=1)]
    except FAULTS:
        return
    # A stable sort: headings of one page stay in outline order.
    yield from sorted(found[:MAX_SECTIONS], key=lambda entry: entry[0])


def _entries(reader: PdfReader, items: list[Any], headings: Headings, *, level: int) -> Iterator[tuple[int, str]]:
    for item in items:
        if isinstance(item, list):
            yield from _entries(reader, item, headings, level=level + 1)
            continue
        path = headings.enter(level, str(item.title).strip())
        index = reader.get_destination_page_number(item)
        if index is not None and index >= 0:
            yield index, path


def heading_of(index: int, begins: list[tuple[int, str]]) -> str:
    """Return the first heading that starts on the page, else the last one before it."""
    first = bisect_left(begins, index, key=lambda entry: entry[0])
    if first < len(begins) and begins[first][0] == index:
        return begins[first][1]
    before = bisect_right(begins, index, key=lambda entry: entry[0])
    return begins[before - 1][1] if before else ""


def pictures(page: PageObject) -> list[str]:
    """Return the names of a page's pictures that may contain text and are not too large."""
    resources: Any = page.get("/Resources", DictionaryObject()).get_object()
    objects: Any = resources.get("/XObject", DictionaryObject()).get_object()
    found = []
    for name in objects:
        picture = objects[name]
        if picture.get("/Subtype") == "/Image" and may_hold_text(picture.get("/Width"), picture.get("/Height")):
            found.append(name)
    return found[:PICTURES]


def may_hold_text(width: object, height: object) -> bool:
    if not (isinstance(width, int) and isinstance(height, int)):
        return False
    return min(width, height) >= PICTURE_SIDE and width * height <= MAX_PIXELS


def ocr_text(page: PageObject, *, at: Progress) -> Generator[Progress, None, str]:
    """Return the text of the page's pictures; pictures that cannot be opened are left out."""
    found = []
    for name in pictures(page) if ocr.is_installed() else []:
        image = open_picture(page, name)
        if image:
            found.append((yield from ocr.text_of(image, at=at)))
    return "\n\n".join(filter(None, found))


def open_picture(page: PageObject, name: str) -> Image.Image | None:
    try:
        with pixel_limits():
            image = page.images[name].image
            return image and shrink(image.rotate(-page.rotation, expand=True))
    except LimitReachedError:
        raise
    except FAULTS:
        return None
