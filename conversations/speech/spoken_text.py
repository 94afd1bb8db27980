"""Text as it is read aloud: signs and formulas in words, without Markdown."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token

from conversations.speech.fractions import speak_fractions
from conversations.web.formulas import Formula, find_formulas
from conversations.web.markup import DEEPEST, LONGEST, PLACE, PLACE_MARKS

# XML, and so TwiML, cannot hold the others, not even escaped.
_UNSPEAKABLE: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_VULGAR: Final = re.compile("[¼-¾⅐-⅞]")
_ADDRESS: Final = re.compile(r"<?https?://[^\s<>]+>?")
_SIGNS: Final[tuple[tuple[re.Pattern[str], str], ...]] = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        (r"\s*≠\s*", " is not equal to "),
        (r"\s*≤\s*", " is at most "),
        (r"\s*≥\s*", " is at least "),
        (r"\s*≈\s*", " is about "),
        (r"\s*=+\s*", " equals "),
        # Other angle brackets belong to names and markup.
        (r"(?<=[\w)%])\s*<\s*(?=[\w(−-])(?![a-z]{2})", " is less than "),
        (r"(?<=[\w)%])\s*>\s*(?=[\w(−-])(?![a-z]{2})", " is greater than "),
        (r"\s*\+\s*", " plus "),
        (r"\s*[×⋅]\s*", " times "),
        (r"(?<=[\d)])\s*[·*∙]\s*(?=[\d(])", " times "),
        # "2 x 3" and "2x3"; elsewhere x is a variable.
        (r"(?<=\d)\s*[xX]\s*(?=\d)", " times "),
        (r"\s*÷\s*", " divided by "),
        (r"(?<=[\w)%])\s*−\s*(?=[\w(])", " minus "),
        # A hyphen is a minus between two terms, and between two numbers that are no part of a date or phone number.
        (r"(?:(?<=[\d)%])|(?<=\b[A-Za-z]))\s+-\s+(?=[\d(]|[A-Za-z]\b)", " minus "),
        (r"(?<![\d-])(\d{1,9})-(?=\d{1,9}(?![\d-]))", r"\1 minus "),
        (r"(?<=\d)\s?–\s?(?=\d)", " to "),
        (r"(?<![\w.)%])[−-]\s?(?=\.?\d|[A-Za-z]\b|\()", "minus "),
        (r"_{2,}", " blank "),
        (r"(?<=[\w)])\s*%", " percent"),
        (r"(?<=[\w)])\s*\^\s*2\b|²", " squared"),
        (r"(?<=[\w)])\s*\^\s*3\b|³", " cubed"),
        (r"(?<=[\w)])\s*\^\s*(\w+)", r" to the power of \1"),
        (r"√\s*", " the square root of "),
        (r"π", " pi "),
        (r"(?<=\d)\s*°", " degrees"),
        (r"\s&\s", " and "),
        (r"\s*[→⇒]\s*", ", then "),
        (r"[*_#`|<>{}\\$^~]+", " "),
    )
)
"""Sign → words, in this order."""
_LATEX_FRACTION: Final = re.compile(r"(?P<whole>\d*)\s*\\[dtc]?frac\s*(?:\{([^{}]*)\}|(\d))\s*(?:\{([^{}]*)\}|(\d))")
_LATEX_ROOT: Final = re.compile(r"\\sqrt\s*\{([^{}]*)\}")
_LATEX_WORDS: Final = re.compile(r"\\(?:text|mathrm|mathbf|mathit|operatorname|mbox)\s*\{([^{}]*)\}")
_LATEX_SIGNS: Final = {
    "times": "×", "cdot": "×", "div": "÷", "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥", "lt": "<", "gt": ">", "ne": "≠",
    "neq": "≠", "approx": "≈", "pi": "π", "circ": "°", "pm": " plus or minus ", "to": "→", "left": "", "right": "",
    "quad": " ", "qquad": " ", "displaystyle": "", "ldots": "…", "dots": "…",
}  # fmt: skip
_ATOM: Final = re.compile(r"\s*(?:\d{1,9}|[A-Za-z])\s*")
_SENTENCE_ENDS: Final = (".", "?", "!", "…", ":", ";", ",", "”", '"', "’")
_FRACTIONS_DEEP: Final = 5
"""Nested fractions beyond this depth are read sign by sign."""


def speak_text(text: str) -> str:
    """Return plain text on one line as a voice reads it, with signs and fractions in words."""
    text = _UNSPEAKABLE.sub("", text)
    text = _VULGAR.sub(lambda found: f" {unicodedata.normalize('NFKC', found.group())}", text)
    text = _ADDRESS.sub(lambda found: _host(found.group()), text)
    for sign, words in _SIGNS:
        text = sign.sub(words, text)
    return speak_fractions(" ".join(text.split()))


def speak_formula(latex: str) -> str:
    """Return a LaTeX formula as a voice reads it."""
    text = _LATEX_WORDS.sub(r" \1 ", latex)
    for _ in range(_FRACTIONS_DEEP):
        text, replaced = _LATEX_FRACTION.subn(_plain_fraction, _LATEX_ROOT.sub(r" √ \1 ", text))
        if not replaced:
            break
    text = re.sub(r"\\([A-Za-z]+)", lambda found: _LATEX_SIGNS.get(found[1], f" {found[1]} "), text)
    text = re.sub(r"\\([%$#&])", r"\1", re.sub(r"\\[,;:! \\]", " ", text))
    text = re.sub(r"\^\s*\{([^{}]*)\}", r"^\1", re.sub(r"\^\s*\{?°\}?", "°", text)).replace("-", "−")
    return speak_text(re.sub(r"[{}]", " ", text))


def speak_markdown(markdown: str) -> str:
    """Return Markdown with formulas as a voice reads it: links by their text, pictures by their description.

    Each paragraph, list item and row of a table ends like a sentence. Text over 10,000 characters is read sign by sign.
    """
    if len(markdown) > LONGEST:
        return speak_text(markdown)
    markdown = PLACE_MARKS.sub("", _UNSPEAKABLE.sub("", markdown))
    formulas = list(find_formulas(markdown))
    tokens = _MARKDOWN.parse(_without_formulas(markdown, formulas))
    if any(token.level >= DEEPEST - 1 for token in tokens):
        return speak_text(markdown)
    sentences = (speak_block(each, formulas) for each in _blocks(tokens))
    return " ".join(_ended(each) for each in sentences if each)


def speak_block(block: str, formulas: Sequence[Formula]) -> str:
    """Return one block's text as a voice reads it, its formulas in their places."""
    pieces = PLACE.split(block)
    # What stands around a formula is part of the same sum: "$3$ + $4$".
    pieces[1::2] = [f" {speak_formula(formulas[int(at)].latex)} " for at in pieces[1::2]]
    return speak_text("".join(pieces))


def _without_formulas(markdown: str, formulas: Sequence[Formula]) -> str:
    """Return the text with a mark in each formula's place, so that no sign in it is read as Markdown."""
    pieces, position = [], 0
    for number, formula in enumerate(formulas):
        pieces += [markdown[position : formula.start], f"\ue000{number}\ue001"]
        position = formula.end
    return "".join([*pieces, markdown[position:]])


def _blocks(tokens: Sequence[Token]) -> Iterator[str]:
    """Yield the text of each paragraph, heading, list item, line of code and row of a table."""
    row: list[str] | None = None
    number = ""
    for token in tokens:
        match token.type:
            case "list_item_open":
                number = f"{token.info}. " if token.info else ""
            case "tr_open":
                row = []
            case "tr_close":
                yield ", ".join(filter(None, row or ()))
                row = None
            case "inline":
                text = "".join(_inline_text(token.children or ()))
                if row is None:
                    yield f"{number}{text}"
                else:
                    row.append(text)
                number = ""
            case "code_block" | "fence":
                yield from token.content.splitlines()


def _inline_text(tokens: Sequence[Token]) -> Iterator[str]:
    for token in tokens:
        match token.type:
            case "softbreak" | "hardbreak":
                yield " "
            case "image" | "text" | "code_inline" | "text_special":
                yield token.content


def _ended(sentence: str) -> str:
    """Return a sentence with a full stop, so that the voice pauses."""
    return sentence if sentence.endswith(_SENTENCE_ENDS) else f"{sentence}."


def _plain_fraction(found: re.Match[str]) -> str:
    top, bottom = found[2] or found[3] or "", found[4] or found[5] or ""
    whole = f"{found['whole']} " if found["whole"] else ""
    if _ATOM.fullmatch(top) and _ATOM.fullmatch(bottom):
        return f" {whole}{top.strip()}/{bottom.strip()} "
    return f" {whole}{top} over {bottom} "


def _host(address: str) -> str:
    try:
        return f" {urlsplit(address.strip('<>')).hostname or ''} "
    except ValueError:
        return " "


_MARKDOWN: Final = MarkdownIt("js-default", {"html": False, "linkify": False, "maxNesting": DEEPEST}).disable(
    "reference"
)
