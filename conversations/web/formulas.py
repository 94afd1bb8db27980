"""Formulas in text: finds them by their delimiters, and converts LaTeX to MathML."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from xml.etree import ElementTree

LONGEST_FORMULA = 1_000
"""Maximum number of characters between two delimiters; longer text is skipped, so that hostile text stays cheap."""

ARITY = {"mfrac": 2, "msup": 2, "msub": 2, "munder": 2, "mover": 2, "mroot": 2, "msubsup": 3, "munderover": 3}
TAG_NAMES = "math mi mn mo mtext mspace mrow mstyle msqrt mtable mtr mtd mphantom mpadded menclose"
TAGS = frozenset(TAG_NAMES.split()) | ARITY.keys()
ATTRIBUTES = {
    "math": {"display", "alttext"},
    "mi": {"mathvariant"},
    "mo": {"stretchy", "fence", "form", "accent", "minsize", "maxsize"},
    "mtd": {"columnalign"},
    "mspace": {"width"},
    "mstyle": {"displaystyle", "scriptlevel"},
    "mfrac": {"linethickness"},
    "menclose": {"notation"},
}
SMALL_LENGTH = re.compile(r"-?[0-2]?(\.\d+)?(em|ex)?")
NAMESPACE = "{http://www.w3.org/1998/Math/MathML}"

BIDI_CONTROLS = re.compile("[\u202a-\u202e\u2066-\u2069]")
BLANK_LINE = re.compile(r"\n[ \t]*\n")
STOP = re.compile(
    r"^ {0,3}(?P<fence>`{3,}|~{3,})|(?P<ticks>`+)|\]\([^()\s]*\)|<[a-z]+:[^\s<>]*>|(?P<slash>\\.)|(?P<dollars>\$\$?)",
    re.MULTILINE,
)
ONE_DOLLAR = re.compile(rf"\$((?:\\.|[^\\$]){{1,{LONGEST_FORMULA}}}?)\$", re.DOTALL)
"""A formula between single dollars; `\\$` in it is a sign of money."""
CLOSERS = {"\\(": "\\)", "\\[": "\\]"}
PRICE = re.compile(r"\d[\d.,]*(?:\s*[–—/-])?\s+[^\W\d_]{2,}[^\\^_={}]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Formula:
    """A part of a text that is LaTeX between delimiters."""

    start: int
    end: int
    """Where the closing delimiter ends in the text."""
    source: str
    """As written, with its delimiters."""
    latex: str
    display: bool


def find_formulas(text: str) -> Iterator[Formula]:
    """Yield the formulas of a Markdown text in order: `$`, `$$`, `\\(`, `\\[`, across lines but not across paragraphs.

    Code, link targets, prices ("$5 and $6") and delimiters whose partner has not arrived yet are skipped.
    """
    position = 0
    while stop := STOP.search(text, position):
        formula = _formula_at(text, stop)
        if formula:
            yield formula
        position = formula.end if formula else _skip_non_formula(text, stop)


def latex_to_mathml(latex: str, *, display: bool) -> str:
    """Return `<math>` for LaTeX; its source in `<code>` if the converter fails or its output is invalid."""
    latex = BIDI_CONTROLS.sub("", latex).strip()
    return _converted(latex, display) or f"<code>{escape(latex)}</code>"


def _formula_at(text: str, stop: re.Match[str]) -> Formula | None:
    opener = stop["slash"] or stop["dollars"]
    if opener == "$":
        return _between_dollars(text, stop.start())
    closer = "$$" if opener == "$$" else CLOSERS.get(opener)
    if not closer:
        return None
    return _between(text, stop.start(), opener=opener, closer=closer, display=opener in ("$$", "\\["))


def _between(text: str, start: int, *, opener: str, closer: str, display: bool) -> Formula | None:
    inner = start + len(opener)
    end = text.find(closer, inner, inner + LONGEST_FORMULA)
    if end < 0:
        return None
    latex = text[inner:end]
    if not latex.strip() or BLANK_LINE.search(latex):
        return None
    end += len(closer)
    return Formula(start=start, end=end, source=text[start:end], latex=latex, display=display)


def _between_dollars(text: str, start: int) -> Formula | None:
    """Find a formula between single dollars, which are mostly money: the next dollar must look like a closing one."""
    found = ONE_DOLLAR.match(text, start)
    if not found or BLANK_LINE.search(found[1]):
        return None
    latex = found[1]
    formula = Formula(start=start, end=found.end(), source=found[0], latex=latex, display=False)
    glued = text[start - 1 : start].isalnum() or text[formula.end : formula.end + 1].isdigit()
    loose = latex[0].isspace() or latex[-1].isspace() or latex[-1] in "\\–—-/,;:("
    return None if glued or loose or PRICE.match(latex) else formula


def _skip_non_formula(text: str, stop: re.Match[str]) -> int:
    if stop["fence"]:
        closing = re.compile(rf"^ {{0,3}}{re.escape(stop['fence'])}", re.MULTILINE).search(text, stop.end())
        return closing.end() if closing else len(text)
    if stop["ticks"]:
        closing = re.compile(rf"(?<!`){stop['ticks']}(?!`)").search(text, stop.end(), stop.end() + LONGEST_FORMULA)
        return closing.end() if closing else stop.end()
    return stop.end()


@lru_cache(maxsize=2_048)
def _converted(latex: str, display: bool) -> str:
    """Return checked MathML, or nothing: the converter sometimes emits broken markup without an error."""
    try:
        # Imported at first use, because most management commands never need it.
        from latex2mathml.converter import convert

        markup: str = convert(latex, display="block" if display else "inline")
        root = ElementTree.fromstring(markup)
    except Exception:  # the converter raises whatever its parser trips over, RecursionError included
        return ""
    if not all(_is_allowed(element) for element in root.iter()):
        return ""
    return markup.replace("<math ", f'<math alttext="{escape(latex)}" ', 1)


def _is_allowed(element: ElementTree.Element) -> bool:
    name = element.tag.removeprefix(NAMESPACE)
    return (
        name in TAGS
        and len(element) == ARITY.get(name, len(element))
        and "\\" not in (element.text or "")
        and SMALL_LENGTH.fullmatch(element.get("width", "")) is not None
        and not (name in {"mi", "mn", "mo"} and (element.text or "") in {"{", "}"} and not element.attrib)
    )
