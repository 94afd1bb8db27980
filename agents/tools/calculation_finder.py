"""Finds the calculation inside a sentence."""

import re
from collections.abc import Sequence

from agents.tools.arithmetic import FUNCTIONS, CannotCalculate
from agents.tools.calculator import MAX_CHARACTERS, calculate, tokenize

PIECES = (
    rf"(?:{'|'.join(FUNCTIONS)})\s*(?=\()",
    r"pi\b",
    r"(?:x|of\b)(?=\s*[\d(.])",
    r"\d+(?:\.\d+)?|\.\d+",
    r"[-+*/%^()!,²³°√×·⋅÷−–π]",
)
CALCULATION_RUN = re.compile(rf"(?:(?:{'|'.join(PIECES)})\s*)+", re.IGNORECASE)
NO_CALCULATION = re.compile(
    r"^\s*(?:[-–*]|\(?\w{1,2}[.)])\s+"  # A list marker.
    r"|\b(?:\d{4}[-–/]\d{1,2}[-–/]\d{1,2}|\d{1,2}[-–/]\d{1,2}[-–/]\d{4})\b"  # A date.
    r"|\b\d{3}[-–]\d{3}[-–]\d{4}\b|\b[12]\d{3}[-–][12]\d{3}\b",  # A telephone number, a range of years.
    re.MULTILINE,
)
UNFINISHED = re.compile(r"(?:[-+*/^×·⋅÷−–√]|\bx|\bof)\s*$", re.IGNORECASE)
LETTER_ALONE = re.compile(r"(?:^|[^A-Za-z])[A-Za-z]\s*$")
NEAR = 20
"""Characters before a calculation that are checked."""
MAX_RUN_CHARACTERS = 2 * MAX_CHARACTERS
"""Most characters of a run that may contain one, including brackets and blanks to fill."""
SIGNS = {"+", "-", "*", "x", "/", "//", "^", "**", "%", "²", "³", "!"}


def find_calculation(text: str) -> str | None:
    """Return the first part of a sentence that the calculator can read and that needs computing; None if there is none.

    "what is (3+4)*2^5?" gives "(3+4)*2^5". "2x + 3*4 = 7" gives None because it contains a letter; so do dates, ranges
    of years, single numbers, and what ends in an operator. A single fraction counts, 1/2, and so does a range, "pages
    3-5": the caller, who knows the topic, decides whether anybody wants it computed.
    """
    text = NO_CALCULATION.sub(lambda found: ";" * len(found[0]), text)
    for run in CALCULATION_RUN.finditer(text):
        if is_part_of_more(text, run):
            continue
        for part in (run[0], *re.split(r",\s+", run[0])):
            found = (
                trim_calculation(part, is_asked=text[run.end() : run.end() + 1] == "?")
                if len(part) <= MAX_RUN_CHARACTERS
                else ""
            )
            if len(found) <= MAX_CHARACTERS and is_calculation(found):
                return found
    return None


def is_part_of_more(text: str, run: re.Match[str]) -> bool:
    """Return whether a letter, a code bracket or a blank to fill comes directly before or after."""
    before, found, after = text[max(0, run.start() - NEAR) : run.start()], run[0], text[run.end() : run.end() + 1]
    if UNFINISHED.search(found) or (not found[-1:].isspace() and re.match(r"[\w\[]", after)):
        return True
    if found[0] in "-−":
        return found[1:2].isspace() or bool(LETTER_ALONE.search(before)) or bool(re.search(r"[\w)\]]$", before))
    return found[0] in "+*/^%×·⋅÷" or bool(re.search(r"[\w\[\]]$", before))


def trim_calculation(found: str, *, is_asked: bool) -> str:
    """Return it without the sentence's own brackets, commas and exclamation mark."""
    found = found.strip(" \t\r\n,")
    if found.endswith("!") and found.count("!") == 1 and not is_asked:
        found = found[:-1]
    while found.endswith(")") and found.count(")") > found.count("("):
        found = found[:-1].rstrip()
    while found.startswith("(") and found.count("(") > found.count(")"):
        found = found[1:].lstrip()
    return found


def is_calculation(found: str) -> bool:
    """Return whether the calculator can read it and it is more than a number with a sign or a percentage."""
    try:
        tokens = tokenize(found)
        calculate(found)
    except CannotCalculate as cannot:
        if cannot.kind == "unreadable":
            return False
    return _has_operation(tokens)


def _has_operation(tokens: Sequence[str]) -> bool:
    pairs = zip(["(", *tokens], tokens, [*tokens[1:], ""], strict=False)
    return any(
        token in FUNCTIONS
        or token == "√"
        or (token == "of" and before == "%")
        or (token in SIGNS and before not in {"(", ","} and not (token == "%" and after in {"", ")"}))
        for before, token, after in pairs
    )
