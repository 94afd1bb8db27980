"""What a page says: its title, headings and text, without menus, scripts, and what no reader would see."""

import re
from collections.abc import Iterator
from typing import Any

from lxml import etree

from agents.net import Fetched
from agents.net.texts import UNSEEN, decoded, shown
from agents.values import value

LEFT_OUT = frozenset(
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
        "dd",
        "details",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "form",
        "header",
        "hr",
        "html",
        "main",
        "ol",
        "p",
        "pre",
        "section",
        "summary",
        "table",
        "tbody",
        "tfoot",
        "thead",
        "tr",
        "ul",
    }
)
HEADINGS = {f"h{level}": "#" * level for level in range(1, 7)}
MAIN = ".//main | .//*[@role='main']"
MAIN_CHARACTERS = 200
"""A main part with less than this is a frame that scripts would fill."""
MENU_SHARE = 0.7
"""A list with more of its letters in links than this is a menu."""
MENU_LINKS = 4
HIDING = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
NAMED_CHARSET = re.compile(rb"""<meta[^>]{0,200}charset\s*=\s*["']?([a-zA-Z0-9_-]{1,20})""", re.IGNORECASE)
TITLE_CHARACTERS = 200
SPACES = re.compile(r"[ \t\n\r\f\v]+")
KEPT_SPACE = "\xa0"
"""Stands for the spaces of preformatted text until lines are tidied."""

Element = Any
"""lxml has no types."""


@value
class Page:
    title: str
    """Empty where the page has none."""
    text: str
    """In lines: headings begin with `#`, points of lists with `-`, cells of tables stand between `|`."""


def read_page(fetched: Fetched) -> Page:
    """Return what a page or a text says."""
    charset = fetched.charset
    if fetched.media_type not in ("text/html", "application/xhtml+xml"):
        text = UNSEEN.sub("", decoded(fetched.body, charset).replace("\r\n", "\n"))
        return Page(title="", text=text.strip())
    if not charset and (named := NAMED_CHARSET.search(fetched.body[:2_000])):
        charset = named.group(1).decode("ascii").lower()
    return read_html(decoded(fetched.body, charset))


def read_html(html: str) -> Page:
    """Return what an HTML page says, however broken it is."""
    parser = etree.HTMLParser(encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True)
    root = etree.fromstring(html.replace("\0", "").encode("utf-8", "replace") or b" ", parser)
    if root is None:
        return Page(title="", text="")
    title = shown("".join(root.xpath("string(.//title)")), characters=TITLE_CHARACTERS)
    heading = shown(root.xpath("string(.//h1)"), characters=TITLE_CHARACTERS)
    return Page(title=title or heading, text=tidied("".join(pieces(main_part(root)))))


def main_part(root: Element) -> Element:
    """Return the element that says what the page is about; the whole page where none is marked."""
    marked = root.xpath(MAIN)
    if not marked:
        articles = root.xpath(".//article")
        marked = articles if len(articles) == 1 else []
    for element in marked[:1]:
        if len("".join(element.itertext()).strip()) >= MAIN_CHARACTERS:
            return element
    return root


def pieces(element: Element, *, in_list: bool = False) -> Iterator[str]:
    """Yield the text of an element and all in it, with the breaks between its parts."""
    tag = element.tag
    if tag in LEFT_OUT or is_hidden(element):
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
    before, after = around(tag)
    yield before
    yield SPACES.sub(" ", element.text or "")
    for child in element:
        yield from pieces(child, in_list=in_list)
        yield SPACES.sub(" ", child.tail or "")
    yield after


def around(tag: Any) -> tuple[str, str]:
    """Return what stands before and after an element's text."""
    if tag in HEADINGS:
        return f"\n\n{HEADINGS[tag]} ", "\n\n"
    if tag == "li":
        return "\n- ", ""
    if tag in ("td", "th"):
        return "", " | "
    if tag == "br":
        return "\n", ""
    if tag == "p":
        return "\n\n", "\n\n"
    return ("\n", "\n") if tag in BLOCKS else ("", "")


def is_hidden(element: Element) -> bool:
    """Tell whether the page itself shows an element to nobody."""
    if "hidden" in element.attrib or element.get("aria-hidden", "").lower() == "true":
        return True
    return HIDING.search(element.get("style", "")) is not None


def is_menu(element: Element) -> bool:
    """Tell whether a list is there to lead elsewhere."""
    links = element.findall(".//a")
    letters = len("".join(element.itertext()).strip())
    in_links = sum(len("".join(link.itertext()).strip()) for link in links)
    return len(links) >= MENU_LINKS and in_links > MENU_SHARE * letters


def tidied(text: str) -> str:
    """Return a text with single spaces, and never more than one empty line."""
    lines = re.sub(r" +", " ", UNSEEN.sub("", text)).split("\n")
    whole = "\n".join(line.strip(" ").removesuffix(" |") for line in lines)
    # A point whose text is a block of its own stands with its sign.
    whole = re.sub(r"\n-\n+(?=[^\s-])", "\n- ", whole)
    return re.sub(r"\n{3,}", "\n\n", whole).replace(KEPT_SPACE, " ").strip()
