"""Converts Markdown of questions to XHTML for other programs; formulas stay LaTeX between `\\(` and `\\)`."""

import re
from functools import cache

from django.utils.html import escape
from markdown_it import MarkdownIt

_FORMULA = re.compile(r"(?<![\\$])\$(?=[^\s$])([^$\n]*[^\s$\\])\$(?![\d$])")


def xhtml_of(markdown: str) -> str:
    """Return the text as XHTML blocks, without HTML of its own."""
    formulas: list[str] = []

    def put(found: re.Match[str]) -> str:
        formulas.append(found[1])
        return f"\ue200{len(formulas) - 1}\ue201"

    html: str = _parser().render(_FORMULA.sub(put, re.sub("[\ue200\ue201\x00-\x08\x0b\x0c\x0e-\x1f]", "", markdown)))
    return re.sub(r"\ue200(\d+)\ue201", lambda found: f"\\({escape(formulas[int(found[1])])}\\)", html).strip()


def inline_xhtml_of(markdown: str) -> str:
    """Return a short text without the paragraph around it."""
    html = xhtml_of(markdown)
    inner = html.removeprefix("<p>").removesuffix("</p>")
    return html if "<p>" in inner else inner


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False, "maxNesting": 20}).disable(["image", "link", "autolink"])
