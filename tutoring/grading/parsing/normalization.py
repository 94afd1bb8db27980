"""Normalizes plain typing, Unicode and LaTeX to one spelling before tokenizing."""

import re
import unicodedata
from functools import lru_cache

from tutoring.grading.algebra.nodes import Unparsable
from tutoring.grading.language.vocabulary import DOUBTS, FRACTION_WORDS, NUMBER_WORDS

# Answers are short; a longer text must announce its answer or box it.
MAX_LENGTH = 400
# A model's long solution may have the answer in a box at its end; nothing is searched beyond this.
MAX_SEARCHED = 20_000
# A solution boxes its last steps; earlier boxes are no answers.
MAX_BOXES = 8

_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ", "0123456789+-=()n")
_SUPERSCRIPT_RUN = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿ]+")
_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_SUBSCRIPT_RUN = re.compile("[₀₁₂₃₄₅₆₇₈₉]+")
_SIGNS = str.maketrans(
    {
        "−": "-", "–": "-", "—": "-", "‐": "-", "‑": "-", "×": "*", "·": "*", "⋅": "*", "∗": "*", "•": "*",
        "÷": "/", "⁄": "/", "∕": "/", "≤": "≤", "⩽": "≤", "≥": "≥", "⩾": "≥", "∞": "∞", "∶": ":",
        "“": " ", "”": " ", "\"": " ", "`": " ", "€": " ", "£": " ", "~": " ", "∅": " no solution ", "⌀": " no solution ", "ℝ": " all real numbers ", "⟨": "(", "⟩": ")", "’": "'", "‘": "'", "°": " degrees ",
        # Where case is ignored they are i, and in no table of words.
        "ı": "i", "İ": "I",
    }
)  # fmt: skip
# \boxed{…} marks the answer of a worked solution.
_BOX = re.compile(r"\\f?box(?:ed)?\s*\{")
# Two letters in a row are a word; "x and y" between boxes is none.
_PROSE = re.compile(r"[A-Za-z]{2}")
_BARE = re.compile(r"\\[A-Za-z]+|\b(?:and|or)\b")
_ANNOUNCEMENT = re.compile(r"answer\s*(?:is|:)", re.IGNORECASE)
_TEXT_COMMAND = re.compile(
    r"\\(?:text(?:normal|rm|bf|it|sf|tt|up)?|math(?:rm|bf|it|sf|tt|cal|bb)|operatorname\*?|mbox|hbox)\s*\{([^{}]*)\}"
)
_SPACING = re.compile(
    r"\\(?:left|right|bigg?l?r?|Bigg?l?r?|displaystyle|limits|quad|qquad|dots|ldots|hspace|phantom)(?![A-Za-z])\.?"
    r"|\\[,;:>/ ]|\\!\s*|&nbsp;"
)
# $…$, \(…\) and \[…\] only set the text in mathematics.
_DOLLARS = re.compile(r"\\?\$|\\[()\[\]](?!\d*pt)")
_REALS = re.compile(r"\\(?:mathbb|mathbf|Bbb)\s*\{?\s*R\s*\}?|\\R(?![A-Za-z])")
_ANGLES = re.compile(r"\\[lr]angle(?![A-Za-z])")
_NOT_EQUAL = re.compile(r"\\not\s*=")
# "$5" and "5$" as the whole answer are money.
_DOLLARS_BEFORE = re.compile(r"\s*\\?\$\s?(\d[\d.,]{0,15})\s*|\s*(\d[\d.,]{0,15})\s?\\?\$\s*")
_BROKEN_ROWS = re.compile(r"\[[^\[\]]{1,400}\]")
# "12 (three dozen)": words in brackets behind a number; four letters, so that "(x)" stays.
_ASIDE = re.compile(r"(?<=\d)\s+\(((?=[^)]*[A-Za-z]{4})[A-Za-z' ]{3,40})\)\W*$")
_EUROS = re.compile(r"\s*€\s?(\d[\d.,]{0,15})\s*")
# "<1, 2>" is a vector.
_COMPONENTS = re.compile(r"\s*<([^<>=]*,[^<>=]*)>\s*")
# "[1 2; 3 4]" is a matrix as calculators write it.
_ROWS = re.compile(r"\[([^\[\]();]*(?:;[^\[\]();]*)+)\]")
# "x: 3", "answer: 3" before anything without letters.
_LABEL = re.compile(r"\s*(?:[A-Za-z]|ans|answer|result|solution):\s+(?=(?:[^A-Za-z]|\\[A-Za-z]+)*$)", re.IGNORECASE)
# "x: 3, y: 4": more than one label before a number.
_LABELS = re.compile(r"(?<![\w)])([A-Za-z]{1,20}):(?=\s+-?[\d.(\\])")
# "win 20%, lose 80%": names with values, up to four words.
_PAIR = re.compile(r"\s*([A-Za-z]{2,20}(?: [A-Za-z]{2,20}){0,3})\s*[:=]?\s+([-+]?\d[\d./]{0,15}\s?%?)\s*")
_PERCENT = re.compile(r"(?<=\d)\s?per cent\b", re.IGNORECASE)
_RATIO = re.compile(r"^\s*(\d{1,6})\s+to\s+(\d{1,6})\s*$")
# "[1 2 3]" is a row of a matrix.
_ROW = re.compile(r"\[\s*([-\d./]+(?:\s+[-\d./]+)+)\s*\]")
# "3,5", "1.234,5": decimal commas; not "1,234,567" and not "1, 2".
_COMMA = re.compile(r"(?<![\d,.])(?P<whole>\d{1,3}(?:[. ]\d{3})+|\d{0,9}),(?P<part>\d{1,9})(?!\d|,\d)")
# "12 000 000", with any blank.
_GROUPED = re.compile(r"(?<![\d,./])\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?![\d,/]| \d)")
_DEGREES = re.compile(r"\^\s*(?:\{\s*\\circ\s*\}|\\circ(?![A-Za-z]))|\\degree(?![A-Za-z])")
_DOUBLED_BACKSLASH = re.compile(r"\\\\(?=[A-Za-z{}%$(\[])")
# "3/4ths", "3 4ths", "3-4ths".
_ORDINAL_PARTS = re.compile(r"\b(\d{1,9})(?:\s*/\s*|\s+|-)(\d{1,9})(?:ths?|rds?|nds?)\b", re.IGNORECASE)
_HYPHENED_PART = re.compile(rf"(?<=[a-z])-(?=(?:{'|'.join(FRACTION_WORDS)})\b)", re.IGNORECASE)
_TENS = "|".join(word for word, value in NUMBER_WORDS.items() if 20 <= value < 100)
_ONES = "|".join(word for word, value in NUMBER_WORDS.items() if 1 <= value < 10)
# "minus 2", but not "5 minus 2".
_SIGN_WORD = re.compile(
    rf"(?<![\w)])(?<![\w)]\s)(?:minus|negative)\s+(?=\d|(?:{'|'.join(NUMBER_WORDS)})\b)", re.IGNORECASE
)
# "8 below zero", "seven degrees under zero".
_BELOW_ZERO = re.compile(
    rf"(?<![\w/.,-])(\d[\d.,/]{{0,15}}|{'|'.join(NUMBER_WORDS)})\s+(?:degrees?\s+)?(?:below|under)\s+(?:zero|0)\b",
    re.IGNORECASE,
)
_TENS_AND_ONES = re.compile(rf"\b({_TENS})[\s-]({_ONES})\b", re.IGNORECASE)
# As children count on: "twenty-oneths", "thirty-fiveths".
_MADE_UP_PARTS = {"oneth": 1, "twoth": 2, "threeth": 3, "fiveth": 5, "eightth": 8, "nineth": 9}
_SMALL_PARTS = (
    {"first": 1, "second": 2}
    | _MADE_UP_PARTS
    | {word: value for word, value in FRACTION_WORDS.items() if 3 <= value <= 9}
)
# "seven twenty-fourths".
_MANY_PARTS = re.compile(
    rf"\b({'|'.join(NUMBER_WORDS)}|\d{{1,9}})[\s-]+({_TENS})[\s-]({'|'.join(_SMALL_PARTS)})s?\b", re.IGNORECASE
)
# "3/4 because the …": the reason is cut off.
_REASON = re.compile(r"[\s,]+(?:because|cause|cuz|bc|since)\b.*", re.IGNORECASE)
# "2 x 5", "2x5" where x can only be a sign; "xp" starts a word.
_TIMES = re.compile(r"(?:(?<=[\d)])|(?<=\b[A-Za-z]))\s*[xX](?!p\b)\s*(?=[\d(]|[A-Za-z]\b)")
# "3/4 of 12", "3/4 of n".
_PART_OF = re.compile(r"(\d\s*/\s*\d{1,9})\s*\bof\s+(?=\d|[A-Za-z]\b)")
# "3/4 i think", "6 lol": hedges behind an answer retract nothing.
_DOUBT = re.compile(
    r"[\s,]+\(?(?:i (?:think|guess|believe|suppose|hope)|maybe|perhaps|probably|right|obviously|lol|haha)(?:\W+(?:lol|haha|though|tho))*\W*$",
    re.IGNORECASE,
)
_OUT_OF = re.compile(r"\bout\s+of\b", re.IGNORECASE)
# "so the answer is", "i got", "its", "no,": taken off up to four times.
_PREFACE = re.compile(
    r"\s*(?:no\s*,\s*|matrix\s*(?=[(\[])|[a-z]\s+(?:is|can\s+be|could\s+be)\s+(?=(?:any|all)\b)|(?:so|then|thus|hence|therefore|ok|okay|well|um|hmm|yes|and|but|please)\b\s*,?\s*"
    r"|(?:i\s+(?:think|believe|guess|got|get|would\s+say|say|found)(?:\s+that)?)\b\s*:?\s*"
    r"|(?:(?:my|the|our|final|correct|right)\s+)*(?:final\s+)?(?:answer|ans|result|solution|value)\b\s*(?:is|=|:|would\s+be)\s*:?\s*"
    r"|(?:it\s+is|it's|its|that\s+is|that's|this\s+is|it\s+equals|equals|is|it\s+must\s+be|must\s+be|maybe)\b\s*:?\s*)",
    re.IGNORECASE,
)


def answer_part(text: str) -> str:
    """Return the part of a text that is the answer: its last boxes if there is prose around them, else its last line.

    Raises Unparsable for an empty or overlong answer.
    """
    text = _BROKEN_ROWS.sub(lambda rows: rows.group().replace("\n", ";"), text[:MAX_SEARCHED])
    boxed = _boxed_part(text)
    text = (boxed if boxed is not None else text).strip()
    if len(text) > MAX_LENGTH:
        text = _announced_part(text)
    lines = [line for line in text.splitlines() if line.strip()] if "\\begin" not in text else [text]
    if not lines:
        raise Unparsable("empty")
    return lines[-1]


def _boxed_part(text: str) -> str | None:
    """Return the last box of a text, with boxes joined to it by "and" or commas; None without prose."""
    starts = list(_BOX.finditer(text))[-MAX_BOXES:]
    boxes = [(match.start(), end) for match in starts if (end := _end_of_group(text, match.end()))]
    if not boxes or (len(text) <= MAX_LENGTH and not _PROSE.search(_BARE.sub(" ", text))):
        return None
    start, end = boxes.pop()
    while boxes and end - start < MAX_LENGTH and not _PROSE.search(_BARE.sub(" ", text[boxes[-1][1] : start])):
        start = boxes.pop()[0]
    return text[start:end]


def _end_of_group(text: str, start: int) -> int | None:
    depth = 1
    for position in range(start, min(len(text), start + MAX_LENGTH)):
        depth += {"{": 1, "}": -1}.get(text[position], 0)
        if depth == 0:
            return position + 1
    return None


def _announced_part(text: str) -> str:
    announced = [match.end() for match in _ANNOUNCEMENT.finditer(text)]
    if not announced:
        raise Unparsable("too_long")
    part = re.split(r"\.\s|\n|\.$", text[announced[-1] : announced[-1] + MAX_LENGTH].strip(), maxsplit=1)[0]
    return part.strip()


def normalize_fractions(text: str) -> str:
    """Return a text with ½ as 1/2, "3 ½" as 3 1/2, and other signs in their plain form."""
    spaced = re.sub(r"(?<=\d)(?=[¼-¾⅐-⅞])", " ", text)
    return unicodedata.normalize("NFKC", spaced).replace("⁄", "/").translate(_SIGNS)


@lru_cache(maxsize=512)
def normalize_answer(text: str) -> str:
    """Return the answer in the normalized spelling for the tokenizer; the input has at most 400 characters."""
    if not (text.isascii() and text.isprintable()):
        text = "".join(_plain(character) for character in text)
    if euros := _EUROS.fullmatch(text):
        text = f"{euros[1]} euros"
    text = _SUPERSCRIPT_RUN.sub(lambda run: "^{" + run.group().translate(_SUPERSCRIPTS) + "}", text)
    text = _SUBSCRIPT_RUN.sub(lambda run: "_{" + run.group().translate(_SUBSCRIPTS) + "}", text)
    text = unicodedata.normalize("NFKC", text.translate(_SIGNS)).translate(_SIGNS)
    return _without_latex_dress(text).strip()


def _plain(character: str) -> str:
    if character.isascii() and character.isprintable():
        return character
    kind = unicodedata.category(character)
    if kind == "Cf":  # Direction marks and zero-width signs are invisible to the learner.
        return ""
    if kind[0] in "CZ":
        return " "
    if kind == "Nd":
        return str(unicodedata.decimal(character))
    if kind == "No" and "FRACTION" in unicodedata.name(character, ""):
        top, _, bottom = unicodedata.normalize("NFKC", character).partition("⁄")
        return f"\\frac{{{top}}}{{{bottom}}}" if bottom else character
    return character


def _without_latex_dress(text: str) -> str:
    # In a matrix two backslashes end a row.
    text = text.replace("\\\\", "⏎") if "\\begin" in text else _DOUBLED_BACKSLASH.sub(r"\\", text)
    for _ in range(3):  # \text{\textbf{…}} occurs, deeper nesting never did.
        text, replaced = _TEXT_COMMAND.subn(r" \1 ", text)
        if not replaced:
            break
    text = _NOT_EQUAL.sub("≠", _REALS.sub(" all real numbers ", text))
    text = _ANGLES.sub(lambda angle: "(" if "l" in angle.group()[:2] else ")", text)
    text = _DEGREES.sub(" degrees ", text)
    text = _BOX.sub("{", text)
    if money := _DOLLARS_BEFORE.fullmatch(text):
        text = f"{money[1] or money[2]} dollars"
    text = _DOLLARS.sub(" ", text)
    text = _SPACING.sub(lambda match: "" if match.group().startswith("\\!") else " ", text)
    text = _spelled_numbers(text)
    text = text.replace("{,}", ",").replace("\\%", "%").replace("\\#", "#")
    text = _COMPONENTS.sub(r"(\1)", text) if _COMPONENTS.fullmatch(text) else text
    text = _ROW.sub(lambda row: f"[{','.join(row[1].split())}]", text)
    return _ROWS.sub(_with_rows, text)


def _with_rows(matrix: re.Match[str]) -> str:
    """Return [1 2; 3 4] as [[1,2],[3,4]]; unchanged with one entry a row, which may be an interval."""
    rows = [re.split(r"\s*,\s*|\s+", row.strip()) for row in matrix[1].split(";")]
    if len({len(row) for row in rows}) > 1 or len(rows[0]) < 2:
        return matrix.group()
    return "[" + ",".join(f"[{','.join(row)}]" for row in rows) + "]"


def _spelled_numbers(text: str) -> str:
    """Return the text with "minus 2", "2 below zero", "3 out of 4", "3/4ths", "three-fourths" and "twenty-one" normalized."""
    text = _BELOW_ZERO.sub(r"-\1", _SIGN_WORD.sub("-", text))
    text = _ORDINAL_PARTS.sub(r"\1/\2", _OUT_OF.sub("/", text))
    text = _HYPHENED_PART.sub(" ", _MANY_PARTS.sub(_over_many, text))
    return _TENS_AND_ONES.sub(lambda match: str(NUMBER_WORDS[match[1].lower()] + NUMBER_WORDS[match[2].lower()]), text)


def normalize_decimals(text: str) -> str:
    """Return the text with 3,5 and 1.234,5 and 12 000 as 3.5, 1234.5 and 12000; in brackets a comma separates."""
    text = text.replace("\u00a0", " ").replace("\u202f", " ")
    if not re.search(r"[(\[{]", text) or ";" in text:
        text = _COMMA.sub(lambda found: f"{re.sub('[. ]', '', found['whole'])}.{found['part']}", text)
    return _GROUPED.sub(lambda found: found.group().replace(" ", ""), text)


def normalize_products(text: str, *, key: str) -> str:
    """Return the text with "2 x 5" and "3/4 of n" as products; x stays a variable if the key has one."""
    said = text if "x" in key.casefold() else _TIMES.sub("*", text)
    return _PART_OF.sub(r"\1 *", said)


def _pairs(text: str) -> str | None:
    """Return "win 20%, lose 80%" as equations; None unless the text is a list of names with values."""
    found = [_PAIR.fullmatch(piece) for piece in re.split(r"[,;]|\band\b", text)]
    pairs = [match.groups() for match in found if match is not None]
    if len(pairs) < max(2, len(found)) or len({name.casefold() for name, _ in pairs}) < len(pairs):
        return None
    return ", ".join(f"{name} = {value}" for name, value in pairs)


def _over_many(match: re.Match[str]) -> str:
    """Return "seven twenty-fourths" as 7/24."""
    over, tens, ones = (part.lower() for part in match.groups())
    return f"{NUMBER_WORDS.get(over, over)}/{NUMBER_WORDS[tens] + _SMALL_PARTS[ones]}"


def without_preface(text: str) -> str:
    """Return the text without prefaces such as "the answer is", and without a reason or a hedge behind it."""
    text = _PERCENT.sub("%", _RATIO.sub(r"\1:\2", text))
    text = _pairs(text) or (_LABELS.sub(r"\1 =", text) if len(_LABELS.findall(text)) > 1 else text)
    for _ in range(4):
        match = _LABEL.match(text) or _PREFACE.match(text)
        if not match or not text[match.end() :].strip():
            break
        text = text[match.end() :]
    aside = _ASIDE.search(text)
    if aside and DOUBTS.isdisjoint(aside[1].casefold().split()):
        text = text[: aside.start()]
    return _DOUBT.sub("", _REASON.sub("", text)).strip().rstrip(".?,;: ").strip()
