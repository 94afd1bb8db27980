"""Lines of CSV that a spreadsheet program takes for what they are: words and numbers, never formulas."""

import csv
import io
import re
import unicodedata
from collections.abc import Iterable

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
LOOKED_AT = 64
"""Letters; whoever hides a formula behind more blanks than that sees them."""
_UNSEEN = re.compile(r"[\s\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]+")


def escape_formula(cell: object) -> object:
    """Return the cell as it may stand in a file: text that a program could take for a formula begins with an apostrophe.

    Numbers stay numbers. Wide letters such as `＝` count as what they look like, and blanks and marks before them do not
    hide them: programs fold the one and skip the other.
    """
    if not isinstance(cell, str):
        return cell
    text = unicodedata.normalize("NFKC", cell[:LOOKED_AT])
    seen = text[len(hidden[0]) :] if (hidden := _UNSEEN.match(text)) else text
    return f"'{cell}" if text.startswith(FORMULA_STARTS) or seen.startswith(FORMULA_STARTS) else cell


def csv_lines(rows: Iterable[Iterable[object]]) -> str:
    """Return the rows as CSV (RFC 4180), every cell defused."""
    lines = io.StringIO()
    csv.writer(lines).writerows([escape_formula(cell) for cell in row] for row in rows)
    return lines.getvalue()
