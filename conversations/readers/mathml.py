"""Converts MathML to one line of readable, searchable text: 3/4, x^2, √(a+b)."""

import re
from collections.abc import Sequence
from xml.etree.ElementTree import Element

NAMESPACE = "{http://www.w3.org/1998/Math/MathML}"
SIGNS = {"+", "−", "-", "±"}
BEFORE_A_SIGN = "=<>≤≥≠≈+−-±×·÷([{,;|"
_INVISIBLE = dict.fromkeys(map(ord, "\u2061\u2062\u2063\u2064"))
_SPACED = re.compile(r"[=≠<>≤≥≈≡≅∼→⇒⇔+−±∓×÷·∗∪∩∈∉⊂⊆∧∨-]")
_WHOLE = re.compile(r"[\w.√°′%]+")


def as_text(element: Element) -> str:
    """Return a formula's text; unknown or incomplete elements give their contents in a row."""
    return " ".join(_text(element).split())


def _text(element: Element) -> str:
    name = element.tag.removeprefix(NAMESPACE)
    inner = [*element]
    match name:
        case "mi" | "mn" | "mtext" | "ms":
            return " ".join((element.text or "").translate(_INVISIBLE).split(" "))
        case "mo":
            return _operator((element.text or "").translate(_INVISIBLE).strip())
        case "mfrac" if len(inner) == 2:
            return f"{_grouped(inner[0])}/{_grouped(inner[1])}"
        case "msup" | "mover" if len(inner) == 2:
            return _superscript(inner)
        case "msub" | "munder" if len(inner) == 2:
            return f"{_grouped(inner[0])}_{_grouped(inner[1])}"
        case "msubsup" | "munderover" if len(inner) == 3:
            return f"{_grouped(inner[0])}_{_grouped(inner[1])}^{_grouped(inner[2])}"
        case "msqrt":
            return f"√({_row(inner).strip()})"
        case "mroot" if len(inner) == 2:
            return f"root {_grouped(inner[1])} of {_grouped(inner[0])}"
        case "mfenced":
            return _fenced(element)
        case "mtable":
            return "; ".join(filter(None, (" ".join(_row([*line]).split()) for line in inner)))
        case "mtd" | "mtr":
            return f" {_row(inner)} "
        case "annotation" | "annotation-xml":
            return ""
        case "mspace":
            return " "
        case _:
            return _row(inner)


def _fenced(element: Element) -> str:
    between = f"{(element.get('separators') or ',').strip()[:1]} "
    listed = between.join(_text(each).strip() for each in element)
    return f"{element.get('open', '(')}{listed}{element.get('close', ')')}"


def _operator(sign: str) -> str:
    if sign in {",", ";"}:
        return f"{sign} "
    return f" {sign} " if _SPACED.fullmatch(sign) else sign


def _row(elements: Sequence[Element]) -> str:
    """Return the text of a row; a mixed number keeps its parts apart (2 3/4), a sign stays with its number (−3)."""
    text = ""
    for element in elements:
        said = _text(element)
        if element.tag == f"{NAMESPACE}mfrac" and text[-1:].isalnum() and said[:1].isalnum():
            text += " "
        is_sign = said.strip() in SIGNS and (not text.strip() or text.rstrip()[-1] in BEFORE_A_SIGN)
        text += said.strip() if is_sign else said
    return text


def _superscript(inner: Sequence[Element]) -> str:
    base, above = _grouped(inner[0]), _text(inner[1]).strip()
    if above in {"°", "∘", "′", "″"}:
        return f"{base}{above}"
    return f"{base}^{_grouped(inner[1])}"


def _grouped(element: Element) -> str:
    said = " ".join(_text(element).split())
    return said if not said or _WHOLE.fullmatch(said) or (said[0], said[-1]) == ("(", ")") else f"({said})"
