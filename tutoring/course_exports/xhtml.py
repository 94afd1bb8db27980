"""Converts Markdown of questions to XHTML for other programs; formulas stay LaTeX between `\\(` and `\\)`."""

import re
from collections.abc import Callable
from functools import cache

from django.utils.html import escape
from markdown_it import MarkdownIt

from conversations.web.formulas import find_formulas


def xhtml_of(markdown: str) -> str:
    """Return the text as XHTML blocks, without HTML of its own."""
    return _rendered(markdown, _parser().render)


def inline_xhtml_of(markdown: str) -> str:
    """Return a short text without the paragraph around it."""
    return xhtml_of(markdown) if "\n\n" in markdown else _rendered(markdown, _parser().renderInline)


def _rendered(markdown: str, render: Callable[[str], str]) -> str:
    text = re.sub("[\ue200\ue201\x00-\x08\x0b\x0c\x0e-\x1f]", "", markdown)
    formulas = list(find_formulas(text))
    for number, formula in reversed(list(enumerate(formulas))):
        text = f"{text[: formula.start]}\ue200{number}\ue201{text[formula.end :]}"
    return re.sub(
        r"\ue200(\d+)\ue201", lambda found: f"\\({escape(formulas[int(found[1])].latex)}\\)", render(text)
    ).strip()


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False, "maxNesting": 20}).disable(["image", "link", "autolink"])
