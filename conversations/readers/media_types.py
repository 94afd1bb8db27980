"""Detects a file's media type from its content, never from its name or the browser's claim."""

import codecs
import io
import re
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import BinaryIO
from xml.etree.ElementTree import ParseError

from conversations.readers.archives import tar_entries, zip_entries
from conversations.readers.document import Problem, Unreadable

DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
PDF = "application/pdf"
MARKDOWN = "text/markdown"
TEXT = "text/plain"
CNXML = "application/cnxml+xml"
ZIPPED_CNXML = "application/zip"
TARRED_CNXML = "application/gzip"
IMAGES = frozenset({"image/png", "image/jpeg", "image/webp", "image/gif", "image/tiff"})
MEDIA_TYPES = IMAGES | {DOCX, PDF, MARKDOWN, TEXT, CNXML, ZIPPED_CNXML, TARRED_CNXML}

MAX_TEXT_BYTES = 20 * 1024 * 1024
LOOKED_AT = 100_000
"""Number of characters used to detect a text's type."""
PIECE = 1 << 16
CNXML_ROOT = "{http://cnx.rice.edu/cnxml}document"
_BEGINNINGS = (
    (re.compile(rb"\x89PNG\r\n\x1a\n"), "image/png"),
    (re.compile(rb"\xff\xd8\xff"), "image/jpeg"),
    (re.compile(rb"GIF8[79]a"), "image/gif"),
    (re.compile(rb"RIFF....WEBP", re.DOTALL), "image/webp"),
    (re.compile(rb"II\*\0|MM\0\*"), "image/tiff"),
    (re.compile(rb"(?:\xef\xbb\xbf)?\s{0,64}%PDF-\d"), PDF),
    (re.compile(rb"PK\x03\x04|PK\x05\x06"), ZIPPED_CNXML),
    (re.compile(rb"\x1f\x8b"), TARRED_CNXML),
)
_BOMS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_CONTROL = re.compile(r"[\0-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f]")
_COMMENTS = re.compile(r"(?:\s|<!--.{0,10000}?-->)*", re.DOTALL)
_MARKUP = re.compile(
    r"<\?xml|<!doctype|<(?:html|head|body|script|style|svg|iframe|object|embed|title|meta|link|math)\b"
    r"|mime-version:|from:[^\n]{0,200}\n(?:[^\n]{0,200}\n){0,20}?(?:mime-version|content-type):"
    r"|#!|%!|%pdf|\{\\rtf",
    re.IGNORECASE,
)
"""Starts of text files that are programs, pages or pictures: shebangs, PostScript, HTML, MHTML, XML, RTF."""
_MARKS = (
    re.compile(r"^ {0,3}#{1,6} +\S", re.MULTILINE),
    re.compile(r"^ {0,3}(?:```|~~~)", re.MULTILINE),
    re.compile(r"^\S[^\n]*\n(?:={3,}|-{3,}) *$", re.MULTILINE),
    re.compile(r"\[[^\]\n]{1,200}\]\([^)\s]{1,500}\)"),
    re.compile(r"^ {0,3}[-*+] +\S", re.MULTILINE),
    re.compile(r"\*\*\S[^*\n]{0,200}\*\*|(?<!\w)__\S[^_\n]{0,200}__(?!\w)"),
    re.compile(r"^\|[^\n]+\|\s*\n\|[ :|-]+\|\s*$", re.MULTILINE),
)


def media_type_of(path: Path) -> str:
    """Return the media type, one of `MEDIA_TYPES`. Raises Unreadable for anything else.

    Archives are listed within limits and not decompressed beyond them; pictures and PDFs are not decoded.
    """
    with path.open("rb") as file:
        start = file.read(256)
        for beginning, media_type in _BEGINNINGS:
            if beginning.match(start):
                return _archive(file, media_type) if media_type in {ZIPPED_CNXML, TARRED_CNXML} else media_type
        file.seek(0)
        return _text_kind(decode_text(file, most=LOOKED_AT))


def _archive(file: BinaryIO, media_type: str) -> str:
    entries = zip_entries(file) if media_type == ZIPPED_CNXML else tar_entries(file)
    names = [entry.name for entry in entries]
    if media_type == ZIPPED_CNXML and "[Content_Types].xml" in names:
        # A document with macros is a program.
        is_document = any(re.fullmatch(r"word/document\d*\.xml", name) for name in names)
        if not is_document or "word/vbaProject.bin" in names:
            raise Unreadable(Problem.UNSUPPORTED)
        return DOCX
    if not any(name.endswith(".cnxml") for name in names):
        raise Unreadable(Problem.NO_MODULES)
    return media_type


def decode_text(file: BinaryIO, *, most: int = MAX_TEXT_BYTES) -> str:
    """Return a text file's text: UTF-8, UTF-16 with a byte order mark, else Windows-1252.

    Returns about `most` characters, but checks the whole text, in pieces. Raises Unreadable for bytes that are not
    text, TOO_LARGE above MAX_TEXT_BYTES.
    """
    if file.seek(0, 2) > MAX_TEXT_BYTES:
        raise Unreadable(Problem.TOO_LARGE)
    file.seek(0)
    start = file.read(4)
    marked = [encoding for mark, encoding in _BOMS if start.startswith(mark)]
    for encoding in marked or ["utf-8", "cp1252"]:
        with suppress(UnicodeDecodeError):
            return _decode(file, encoding, most=most).replace("\r\n", "\n").replace("\r", "\n")
    raise Unreadable(Problem.UNSUPPORTED)


def _decode(file: BinaryIO, encoding: str, *, most: int) -> str:
    file.seek(0)
    taken: list[str] = []
    length = 0
    for piece in codecs.iterdecode(iter(partial(file.read, PIECE), b""), encoding):
        if _CONTROL.search(piece):
            raise Unreadable(Problem.UNSUPPORTED)
        if length < most:
            taken.append(piece)
            length += len(piece)
    return "".join(taken)


def _text_kind(text: str) -> str:
    start = _COMMENTS.match(text, 0, 20_000)
    begin = start.end() if start else 0
    if text.startswith("<", begin) and _is_cnxml(text):
        return CNXML
    if _MARKUP.match(text, begin) or _MARKUP.match(text):
        raise Unreadable(Problem.UNSUPPORTED)
    return MARKDOWN if is_markdown(text) else TEXT


def is_markdown(text: str) -> bool:
    """Return whether a text starts with a heading, or uses two other features of Markdown."""
    return bool(_MARKS[0].match(text.lstrip())) or sum(bool(mark.search(text)) for mark in _MARKS) > 1


def _is_cnxml(text: str) -> bool:
    """Check only the root element. Raises Unreadable for other XML, and if entities are declared."""
    from defusedxml import DefusedXmlException, ElementTree

    # The XML declaration may name an encoding that the decoded text no longer has.
    source = re.sub(r"\A\s*<\?xml[^>]*\?>", "", text)
    try:
        for _, element in ElementTree.iterparse(io.StringIO(source), events=("start",)):
            if element.tag == CNXML_ROOT:
                return True
            raise Unreadable(Problem.UNSUPPORTED)
    except DefusedXmlException as error:
        raise Unreadable(Problem.ENTITIES) from error
    except ParseError:
        return False
    return False
