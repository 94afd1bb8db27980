"""The worked example of a hint, with the line that the learner completes."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tutoring.grading import NumericKey, grade

TRIES_AT_A_LINE = 2
"""Tries after which the line is completed for the learner."""
_NUMBER = r"\d+(?: \d+/\d+|/\d+|\.\d+)?"
# A minus between two numbers is no sign.
_SIGNED = rf"(?:(?<![\d)])(?<![\d)]\s)[-−])?{_NUMBER}"
_RESULT = re.compile(rf"=\s*({_SIGNED})(?![\d/]|\s*[-+×÷·*/=])(?!.*=)")
_ONLY_NUMBER = re.compile(rf"(?<!\d)(?<!\d[:/.])({_SIGNED})(?![\w/])")
_CHECK = re.compile(r"check\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenLine:
    """A worked example up to the line with its result, which the learner fills in, and what follows it."""

    lines: tuple[str, ...]
    before: str
    value: str
    after: str
    rest: tuple[str, ...]

    def is_right(self, typed: str) -> bool:
        """Tell whether what was typed is the result, worked out: not the line's own left side again."""
        left = self.before.rstrip(" =").rpartition(":")[2].strip()
        return typed.strip() != left and grade(NumericKey(value=self.value), typed).is_correct


def open_line(example: str) -> OpenLine | None:
    """Return the example with its result left open; None if no line of it has a number to fill in.

    The result is the number in which the last line sums up; it is left open where it is first worked out.
    """
    if "```" in example:  # Its lines are those of a program.
        return None
    lines = [line for line in example.split("\n\n") if line.strip()]
    worked = [(place, line) for place, line in enumerate(lines) if place and _may_be_open(line)]
    results = [(place, found) for place, line in worked if (found := _RESULT.search(line))]
    last = _only_number(lines) or (results[-1] if results else None)
    if last is None:
        return None
    place, found = next((each for each in results if each[1][1] == last[1][1]), last)
    line = lines[place]
    return OpenLine(
        lines=tuple(lines[:place]),
        before=line[: found.start(1)],
        value=found[1],
        after=line[found.end(1) :],
        rest=tuple(lines[place + 1 :]),
    )


def _may_be_open(line: str) -> bool:
    return not line.startswith("- ") and "$" not in line and "\n" not in line and not _CHECK.match(line)


def _only_number(lines: list[str]) -> tuple[int, re.Match[str]] | None:
    """Return the number in which the last line sums up: the result on its right, or its only number."""
    last = lines[-1]
    if len(lines) < 2 or not _may_be_open(last):
        return None
    numbers = [_RESULT.search(last)] if "=" in last else list(_ONLY_NUMBER.finditer(last))
    found = numbers[0] if len(numbers) == 1 else None
    return (len(lines) - 1, found) if found else None


def check_line(public: Mapping[str, Any], example: OpenLine, typed: str) -> dict[str, Any]:
    """Return what a question keeps of its example's line after one more try."""
    tries = public.get("line", {}).get("tries", 0) + 1
    is_right = example.is_right(typed)
    return {"tries": tries, "typed": typed, "right": is_right, "done": is_right or tries >= TRIES_AT_A_LINE}
