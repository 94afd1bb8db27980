"""Text files of tables, in the encodings and with the separators that school programs and spreadsheets write."""

import codecs
import csv
import io
import re
from collections import Counter
from typing import Final

from django.utils.translation import gettext as _

from conversations.validators import is_storable

MAX_BYTES: Final = 1_000_000
MAX_ROWS: Final = 10_000
MAX_COLUMNS: Final = 100
MAX_CELL: Final = 2_000
"""Characters."""
SEPARATORS: Final = (",", ";", "\t", "|")
LOOKED_AT: Final = 50
"""Lines by which the separator is recognized."""
_BYTE_ORDER_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

_TOLD_SEPARATOR: Final = re.compile(r"sep=([,;\t|])\r?\n", re.IGNORECASE)
"""How Excel is told the separator."""

type Table = list[list[str]]


class UnreadableRoster(ValueError):
    """The file cannot be read; its words say why and what to do."""


def decode(data: bytes) -> str:
    """Return the text in UTF-8, UTF-16 or Windows-1252, with or without a byte order mark. Raises UnreadableRoster."""
    for encoding in _encodings(data):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if is_storable(text):
            return text
    raise UnreadableRoster(
        _("This file is not readable as text. In your spreadsheet program, save it as CSV (UTF-8) and try again.")
    )


def _encodings(data: bytes) -> tuple[str, ...]:
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return (encoding,)
    # In UTF-16, every other byte of most names is zero.
    start = data[:1000]
    if b"\x00" in start:
        return ("utf-16-le",) if start[1::2].count(0) > start[::2].count(0) else ("utf-16-be",)
    return ("utf-8", "cp1252")


def read_table(text: str, *, most: int = MAX_ROWS) -> Table:
    """Return the rows that have something in them, each cell without blanks around it. Raises UnreadableRoster."""
    text = text.removeprefix("\ufeff")
    if told := _TOLD_SEPARATOR.match(text):
        text = text[told.end() :]
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=told[1] if told else separator_of(text))
    table: Table = []
    try:
        for cells in lines:
            row = [" ".join(cell.split())[:MAX_CELL] for cell in cells]
            if any(row):
                table.append(row[:MAX_COLUMNS])
            if len(table) > most + 1:  # One may be the header.
                raise UnreadableRoster(
                    _("A roster can have up to %(rows)d rows. Split the file and import its parts.") % {"rows": most}
                )
    except csv.Error as error:
        raise UnreadableRoster(
            _("Line %(line)d cannot be read. Check its quotation marks and try again.") % {"line": lines.line_num}
        ) from error
    if not table:
        raise UnreadableRoster(_("There are no rows in this file."))
    return table


def separator_of(text: str) -> str:
    """Return what separates the cells: what most of the first lines have, the same number of times."""
    lines = [line for line in text.splitlines()[:LOOKED_AT] if line.strip()]

    def agreement(separator: str) -> tuple[int, int]:
        counts = Counter(found for line in lines if (found := _outside_quotes(line).count(separator)))
        number, times = max(counts.items(), key=lambda each: (each[1], each[0]), default=(0, 0))
        return times, number

    return max(SEPARATORS, key=agreement)


def _outside_quotes(line: str) -> str:
    return "".join(line.split('"')[::2])
