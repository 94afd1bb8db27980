"""Reads HTML: title, headings and text, without menus, scripts and hidden elements."""

import re
from collections.abc import Iterator
from typing import Any

from lxml import etree

from agents.net.text_cleaning import INVISIBLE, single_line

SKIPPED_TAGS = frozenset(
    {
        "script",
        "style",
        "noscript",
        "template",
        "svg",
        "canvas",
        "head",
        "nav",
        "footer",
        "aside",
        "button",
        "select",
        "input",
        "textarea",
        "iframe",
        "object",
        "embed",
        "audio",
        "video",
        "dialog",
        "menu",
    }
)
BLOCKS = frozenset(
    {
        "address",
        "article",
        "blockquote",
        "body",
        "caption",
        "details",
        "div",
        "dl",
        "fieldset",
        "figcaption",
        "figure",
        "form",
        "header",
        "hr",
        "html",
        "main",
        "ol",
        "pre",
        "section",
        "summary",
        "table",
        "tbody",
        "tfoot",
        "thead",
        "ul",
    }
)
HEADINGS = {f"h{level}": "#" * level for level in range(1, 7)}
LINE_TAGS = {"li": "\n- ", "tr": "\n", "dt": "\n", "dd": "\n"}
MAIN_XPATH = ".//main | .//*[@role='main']"
MAIN_CHARACTERS = 200
"""A main part with fewer characters is an empty frame for scripts to fill."""
MENU_SHARE = 0.7
"""A list with more of its letters in links than this share is a menu."""
MENU_LINKS = 4
CELL_CHARACTERS = 300
MOST_CHARACTERS = 500_000
MOST_PARTS = 200_000
HIDING = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
TITLE_CHARACTERS = 200
SPACES = re.compile(r"[ \t\n\r\f\v]+")
KEPT_SPACE = "\xa0"
"""Placeholder for spaces of preformatted text until lines are tidied."""

Element = Any
"""lxml has no types."""


def read_html(html: str) -> tuple[str, str]:
    """Return the title and text of an HTML page, however broken; see `agents.net.pages.Page`."""
    parser = etree.HTMLParser(encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True)
    root = etree.fromstring(html.replace("\0", "").encode("utf-8", "replace") or b" ", parser)
    if root is None:
        return "", ""
    title = single_line(root.xpath("string(.//title)"), characters=TITLE_CHARACTERS)
    heading = single_line(root.xpath("string(.//h1)"), characters=TITLE_CHARACTERS)
    text = "".join(take_beginning(text_pieces(main_part(root))))
    return title or heading, tidy_text(text[:MOST_CHARACTERS])


def take_beginning(parts: Iterator[str]) -> Iterator[str]:
    """Yield parts until there are enough: the rest of an oversized page is not needed."""
    characters = 0
    for number, part in enumerate(parts):
        if number > MOST_PARTS or characters > MOST_CHARACTERS:
            return
        characters += len(part)
        yield part


def main_part(root: Element) -> Element:
    """Return the element with the main content; the whole page if none is marked."""
    marked = root.xpath(MAIN_XPATH)
    if not marked:
        articles = root.xpath(".//article")
        marked = articles if len(articles) == 1 else []
    for element in marked[:1]:
        if len("".join(element.itertext()).strip()) >= MAIN_CHARACTERS:
            return element
    return root


def text_pieces(element: Element, *, in_list: bool = False) -> Iterator[str]:
    """Yield the text of an element and its descendants, with the breaks between its parts."""
    tag = element.tag
    if tag in SKIPPED_TAGS or is_hidden(element):
        return
    if tag in ("ul", "ol") and not in_list:
        if is_menu(element):
            return
        in_list = True
    if tag == "math":
        yield element.get("alttext", "") or "".join(element.itertext())
        return
    if tag == "pre":
        yield "\n" + "".join(element.itertext()).expandtabs(4).replace(" ", KEPT_SPACE) + "\n"
        return
    before, after = breaks_around(tag)
    yield before
    if tag in ("td", "th"):
        yield cell_text(element, in_list=in_list)
    else:
        yield from inner_pieces(element, in_list=in_list)
    yield after


def inner_pieces(element: Element, *, in_list: bool) -> Iterator[str]:
    """Yield the text inside an element."""
    yield SPACES.sub(" ", element.text or "")
    for child in element:
        yield from text_pieces(child, in_list=in_list)
        yield SPACES.sub(" ", child.tail or "")


def cell_text(element: Element, *, in_list: bool) -> str:
    """Return the text of a table cell: on one line, unless the table is used for layout."""
    text = "".join(inner_pieces(element, in_list=in_list))
    return SPACES.sub(" ", text) if len(text) <= CELL_CHARACTERS else text


def breaks_around(tag: Any) -> tuple[str, str]:
    """Return the breaks before and after an element's text."""
    if tag in HEADINGS:
        return f"\n\n{HEADINGS[tag]} ", "\n\n"
    if tag in LINE_TAGS:
        return LINE_TAGS[tag], ""
    if tag in ("td", "th"):
        return " ", " | "
    if tag == "br":
        return "\n", ""
    if tag == "p":
        return "\n\n", "\n\n"
    return ("\n", "\n") if tag in BLOCKS else ("", "")


def is_hidden(element: Element) -> bool:
    """Return whether the page hides this element."""
    if "hidden" in element.attrib or element.get("aria-hidden", "").lower() == "true":
        return True
    return HIDING.search(element.get("style", "")) is not None


def is_menu(element: Element) -> bool:
    """Return whether a list is a menu."""
    links = element.findall(".//a")
    letters = len("".join(element.itertext()).strip())
    in_links = sum(len("".join(link.itertext()).strip()) for link in links)
    return len(links) >= MENU_LINKS and in_links > MENU_SHARE * letters


def tidy_text(text: str) -> str:
    """Return a text with single spaces and at most one empty line in a row."""
    lines = re.sub(r" +", " ", INVISIBLE.sub("", text)).split("\n")
    whole = "\n".join(line.strip(" ").removesuffix(" |") for line in lines)
    # A list item whose text is a block of its own stays on the line of its mark.
    whole = re.sub(r"\n-\n+(?=[^\s-])", "\n- ", whole)
    return re.sub(r"\n{3,}", "\n\n", whole).replace(KEPT_SPACE, " ").strip()
