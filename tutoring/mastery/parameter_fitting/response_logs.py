"""Reader of external response logs: one answer per line, in order."""

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, TextIO

if TYPE_CHECKING:
    import _csv

COLUMNS = ("user", "item", "skill", "correct")
"""Required columns. Others, `time` included, are ignored."""
LONGEST_LINE = 131_072
"""Characters; a longer line is no answer."""
_CORRECT = {"0": False, "1": True, "0.0": False, "1.0": True}
_SHOWN = 40


class UnreadableLog(Exception):
    """An unreadable log, with the number (from 1) of the faulty line."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line


class LoggedResponse(NamedTuple):
    """One logged answer."""

    user: str
    item: str
    skill: str
    correct: bool


def read_responses(lines: Iterable[str]) -> Iterator[LoggedResponse]:
    """Yield the answers of a log line by line.

    The first line names the columns, in any order, separated by tabs or commas; values with a separator are quoted.
    Empty lines are skipped. Raises UnreadableLog at the first line that is no answer.
    """
    lines = iter(lines)
    first = next(lines, "")
    rows = csv.reader(chain([first], lines), delimiter="\t" if "\t" in first else ",", strict=True)
    header = next(_numbered(rows), (1, []))[1]
    places = _places(header)
    wanted, width = tuple(places[name] for name in COLUMNS), len(header)
    for line, row in _numbered(rows):
        try:
            user, item, skill, correct = (row[place] for place in wanted)
            answer = LoggedResponse(user, item, skill, _CORRECT[correct.strip()])
        except (IndexError, KeyError):
            if any(map(str.strip, row)):
                raise UnreadableLog(line, _missing(row, places)) from None
            continue
        if len(row) > width or not (user.strip() and item.strip() and skill.strip()):
            raise UnreadableLog(line, _unfit(row, places, width=width))
        yield answer


def read_lines(file: TextIO) -> Iterator[str]:
    """Yield a text's lines with their endings, one in memory at a time. Raises UnreadableLog for an overlong line."""
    number = 0
    while line := file.readline(LONGEST_LINE + 1):
        number += 1
        if len(line) > LONGEST_LINE:
            raise UnreadableLog(number, f"longer than {LONGEST_LINE:,} characters")
        yield line


def _numbered(rows: "_csv.Reader") -> Iterator[tuple[int, list[str]]]:
    """Yield each row with the line on which it begins."""
    while True:
        line = rows.line_num + 1
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            raise UnreadableLog(line, str(error)) from None
        yield line, row


def _places(header: Sequence[str]) -> Mapping[str, int]:
    names = [name.strip().lower() for name in header]
    if missing := [name for name in COLUMNS if names.count(name) != 1]:
        found = ", ".join(names)[:_SHOWN] or "nothing"
        raise UnreadableLog(
            1, f"each of {', '.join(COLUMNS)} must be a column exactly once; {missing[0]} is not, in {found!r}"
        )
    return {name: names.index(name) for name in COLUMNS}


def _missing(row: Sequence[str], places: Mapping[str, int]) -> str:
    for name, place in places.items():
        if place >= len(row):
            return f"no {name}"
    return f"correct must be 0 or 1, not {row[places['correct']][:_SHOWN]!r}"


def _unfit(row: Sequence[str], places: Mapping[str, int], *, width: int) -> str:
    if len(row) > width:
        return f"{len(row)} values, but the header names {width}"
    return f"no {next(name for name, place in places.items() if not row[place].strip())}"
