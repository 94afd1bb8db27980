"""Detects texts that disclose the answer to a question about a program."""

import re

from tutoring.grading.programs.keys import CodeKey, LinesKey, ProgramKey, TraceKey
from tutoring.grading.programs.outcomes import comparable_output

_SIGNS = re.compile(r"[`\s]+")
_HEADS = ("def ", "class ", "import ", "from ", "#")
"""What lines begin with that say little about the answer."""


def says_program(text: str, key: ProgramKey, stem: str) -> bool:
    """Tell whether a text says what a program prints, gives the lines of a right program, or their order."""
    match key:
        case TraceKey(prints=prints):
            return _says_output(text, prints) and not _says_output(stem, prints)
        case CodeKey():
            return _says_code(text, key, stem)
        case LinesKey(lines=lines, options=options):
            named = {line.strip(): letter for letter, line in options}
            letters = [named.get(line.strip(), "?") for line in lines]
            in_order = rf"\b{'[^A-Za-z]{1,4}'.join(letters)}\b"
            return _has(text, "".join(lines)) or re.search(in_order, text) is not None


def _says_output(text: str, prints: str) -> bool:
    """Tell whether all lines of the output stand in a text, as words of their own."""
    lines = [line.strip() for line in comparable_output(prints).split("\n") if line.strip()]
    if {*lines} <= {"True", "False"} and all(re.search(rf"\b{each}\b", text) for each in ("True", "False")):
        return False  # "== gives True or False" names both, and says nothing of this program.
    return bool(lines) and all(re.search(rf"(?<![\w.]){re.escape(line)}(?![\w]|\.\w)", text) for line in lines)


def _says_code(text: str, key: CodeKey, stem: str) -> bool:
    """Tell whether a text has all lines of the solution that neither the start nor the question shows."""
    shown = _bare(key.starter) + _bare(stem)
    lines = [_bare(line) for line in key.solution.split("\n") if line.strip() and not line.strip().startswith(_HEADS)]
    telling = [line for line in lines if line not in shown]
    return bool(telling) and all(line in _bare(text) for line in telling)


def _has(text: str, code: str) -> bool:
    return _bare(code) in _bare(text)


def _bare(text: str) -> str:
    return _SIGNS.sub("", text)
