"""CSV export that is safe in spreadsheet programs: cells are never read as formulas."""

import csv
import io
import re
import unicodedata
from collections.abc import Iterable

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
LOOKED_AT = 64
"""Most leading characters checked; a formula behind more blanks is visible to the reader."""
_UNSEEN = re.compile(r"[\s\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]+")


def escape_formula(cell: object) -> object:
    """Return the cell for a CSV file: text that a program could read as a formula gets an apostrophe in front.

    Numbers stay numbers. Wide letters such as `＝` count as their normal forms, and leading blanks and marks are
    skipped, because spreadsheet programs do the same.
    """
    if not isinstance(cell, str):
        return cell
    text = unicodedata.normalize("NFKC", cell[:LOOKED_AT])
    seen = text[len(hidden[0]) :] if (hidden := _UNSEEN.match(text)) else text
    return f"'{cell}" if text.startswith(FORMULA_STARTS) or seen.startswith(FORMULA_STARTS) else cell


def csv_lines(rows: Iterable[Iterable[object]]) -> str:
    """Return the rows as CSV (RFC 4180), with every cell escaped."""
    lines = io.StringIO()
    csv.writer(lines).writerows([escape_formula(cell) for cell in row] for row in rows)
    return lines.getvalue()
