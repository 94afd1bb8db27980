"""Finds the claim of a sentence: "so we have x = 6" claims x = 6, "x is at most 4" claims x ≤ 4.

A sentence counts only if it makes one claim and retracts nothing; all else is left unread.
"""

import re

from tutoring.grading.language.vocabulary import ANSWERS, DOUBTS, UNIT_WORDS
from tutoring.grading.parsing.normalization import answer_part, normalize_answer, without_preface
from tutoring.grading.parsing.number_finder import located_number_spans
from tutoring.grading.parsing.tokenizer import FUNCTIONS

_IS = (
    r"(?:is|are|equals?|was|(?:must|should|would|will|can|could|might|has to|have to|needs to) (?:be|equal)|has the value"
    r"|(?:comes|came|turns|turned|works|worked) out (?:as|at|to be|to)|makes|gives|is the same as|is equal to)"
)
_MORE = r"(?:greater|bigger|larger|more|higher) than"
_LESS = r"(?:less|smaller|fewer|lower) than"
# The order matters: "or less" and "at most" before "less than", comparisons before a bare "is".
_IN_SIGNS = tuple(
    (re.compile(pattern, re.IGNORECASE), sign)
    for pattern, sign in (
        (rf"\b([A-Za-z])\s+{_IS}\s+([-+\d./]+)\s+or\s+(?:less|smaller|fewer|lower|below)\b", r"\1 ≤ \2"),
        (rf"\b([A-Za-z])\s+{_IS}\s+([-+\d./]+)\s+or\s+(?:more|greater|bigger|larger|higher|above)\b", r"\1 ≥ \2"),
        (rf"\b(?:{_MORE} or equal to|at least|(?:no|not) {_LESS})(?!\w)", "≥"),
        (rf"\b(?:{_LESS} or equal to|at most|(?:no|not) {_MORE})(?!\w)", "≤"),
        (rf"\b{_MORE}(?!\w)", ">"),
        (rf"\b{_LESS}(?!\w)", "<"),
        (r"\b(?:is|does|are)(?:n't| not) (?:equal(?: to)?\b)?|\b(?:cannot|can't|can not) (?:be|equal)\b", "≠"),
        (rf"\b{_IS}\s+(?=[<>≤≥≠])", ""),
        (r"\ball (?:real )?numbers (?:that are |which are )?(?=[<>≤≥])", "x "),
        (rf"(?<![\w'])([A-Za-z])\s+{_IS}\s+(?:equal to\s+|just\s+)?(?=[-+\d\\(.√∛|]|[a-z]+\b)", r"\1 = "),
    )
)
# "10 is the answer" answers; "10 is a factor" does not.
_SAYS_OF_NUMBER = re.compile(
    rf"[\d)]\s+(?:is|was|are|were)\b(?!.*\b(?:{'|'.join(ANSWERS)})\b)|\b(?:one|some|part|all|none) of the\b",
    re.IGNORECASE,
)
# Commands, numbers, words and signs; anything else is a piece that no run of mathematics contains.
_TOKEN = re.compile(
    r"\\[A-Za-z]+|\d+(?:[.,]\d+)*|[^\W\d_]+(?:'[^\W\d_]+)?|=/=|[<>!]=|[-+*/^=<>≤≥≠≈%()\[\]{}|√∛π∞±_]|\S", re.IGNORECASE
)
_SIGN = re.compile(r"=/=|[<>!]=|[-+*/^=<>≤≥≠≈%()\[\]{}|√∛π∞±_]|\\[A-Za-z]+")
# After these a letter is a variable: "= x", "2 * n".
_JOINING = re.compile(r"[-+*/^=<>≤≥≠≈(|√∛_]$|^$")


def find_claim(text: str) -> str | None:
    """Return the only claim of a sentence, as it would be typed alone; None if that would be a guess."""
    said = words_to_signs(without_preface(normalize_answer(answer_part(text))).lstrip("#* "))
    if not re.search(r"[^\W\d_]{2}", text) and "#" not in text:
        return None
    words = {word.casefold() for word in re.findall(r"[^\W\d_]+(?:'[^\W\d_]+)?", said)}
    if words & DOUBTS or _SAYS_OF_NUMBER.search(said):
        return None
    found = [run for run in maths_runs(said) if re.search(r"[\d=<>≤≥≠]", run) or located_number_spans(run)]
    return found[0] if len(found) == 1 else None


def words_to_signs(text: str) -> str:
    """Return a text with "is at most" as ≤, "x is 4" as x = 4, and the like."""
    for pattern, sign in _IN_SIGNS:
        text = pattern.sub(sign, text)
    return re.sub(r"\bleft over\b", "left", text, flags=re.IGNORECASE)


def maths_runs(text: str, *, also: str = "") -> list[str]:
    """Return the runs of a normalized text that could be mathematics, each with its unit; `also` is a further sign."""
    pieces = _pieces(text)
    runs: list[list[str]] = [[]]
    for index, piece in enumerate(pieces):
        if piece == also or _is_mathematical(pieces, index, runs[-1]):
            runs[-1].append(piece)
        else:
            if runs[-1] and piece.casefold() in UNIT_WORDS and re.search(r"[\d)]$", runs[-1][-1]):
                runs[-1].append(piece)
            runs.append([])
    return [balanced for run in runs if (balanced := _balanced(run))]


def _pieces(text: str) -> list[str]:
    """Return the numbers (as single pieces), words and signs of a text."""
    pieces: list[str] = []
    end = 0
    for place, span in located_number_spans(text):
        if place >= end:
            pieces += [*_TOKEN.findall(text[end:place]), span]
            end = place + len(span)
    return [*pieces, *_TOKEN.findall(text[end:])]


def _is_mathematical(pieces: list[str], index: int, run: list[str]) -> bool:
    piece = pieces[index]
    following = pieces[index + 1] if index + 1 < len(pieces) else ""
    if any(character.isdigit() for character in piece) or _SIGN.fullmatch(piece) or " " in piece:
        return True
    if piece == ":":
        return bool(run) and run[-1][-1].isdigit() and following[:1].isdigit()
    if piece.casefold() in FUNCTIONS or piece == "pi":
        return True
    if len(piece) > 1 or not piece.isalpha():
        return bool(located_number_spans(piece)) if len(piece) > 2 else False
    beside = (run and _beside_letter(run[-1])) or re.fullmatch(r"[-+*/^=<>≤≥≠≈]|[<>!]=", following)
    return bool(beside)


def _beside_letter(before: str) -> bool:
    return bool(_JOINING.search(before) or before[-1].isdigit() or before == ")" or before.casefold() in FUNCTIONS)


def _balanced(run: list[str]) -> str:
    """Return a run without unmatched brackets at its ends and without a leading "="."""
    while run and run[-1] in ("(", "[", "{"):
        run = run[:-1]
    while run and run[0] in (")", "]", "}", "="):
        run = run[1:]
    while run and run[-1] in (")", "]", "}") and _closings(run) > 0:
        run = run[:-1]
    while run and run[0] in ("(", "[", "{") and _closings(run) < 0:
        run = run[1:]
    return " ".join(run)


def _closings(run: list[str]) -> int:
    return sum((piece in (")", "]", "}")) - (piece in ("(", "[", "{")) for piece in run)
