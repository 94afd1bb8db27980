"""Answers of the board's fields, as a browser without JavaScript posts them."""

import re
from collections.abc import Iterable, Mapping

from tutoring.grading.boards import MAX_DEALT

PIECE_PREFIX = "piece-"
"""Prefix of each field with a number of pieces; the piece's size follows."""
_COUNT = re.compile(r"\d{1,4}")


def posted_construction(posted: Mapping[str, str], *, parts: Iterable[str]) -> str:
    """Return what was posted in the fields of a board as one answer; empty if nothing was."""
    return ",".join(parts) or _pieces(posted) or _combination(posted)


def _pieces(posted: Mapping[str, str]) -> str:
    """Return the answer of the fields `piece-1/3` and so on: how many of each piece."""
    laid: list[str] = []
    for name, count in posted.items():
        if name.startswith(PIECE_PREFIX) and _COUNT.fullmatch(count):
            laid += [name.removeprefix(PIECE_PREFIX)] * min(int(count), MAX_DEALT)
    return ",".join(laid)


def _combination(posted: Mapping[str, str]) -> str:
    """Return the answer of the fields `combine-parts`, `combine-first`, `combine-second` and `combine-result`."""
    names = ("parts", "first", "second", "result")
    parts, first, second, result = (posted.get(f"combine-{name}", "").strip() for name in names)
    if not (parts and result):
        return ""
    sign = "-" if posted.get("combine-sign") == "-" else "+"
    return f"{first}/{parts}{sign}{second}/{parts}={result}/{parts}" if first and second else f"{result}/{parts}"
