"""Converts Markdown with formulas to safe HTML, for text from any author."""

import re
from collections.abc import MutableMapping, Sequence
from functools import partial
from html import escape
from typing import Any
from urllib.parse import urlsplit

import nh3
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_inline import StateInline
from markdown_it.rules_inline import escape as escape_rule
from markdown_it.token import Token
from markdown_it.utils import OptionsDict

from conversations.web import formulas
from conversations.web.formulas import BIDI_CONTROLS, Formula, find_formulas, latex_to_mathml

LONGEST = 10_000
"""Maximum length in characters; the cost of hostile Markdown grows with the square of its length."""
DEEPEST = 20
"""Maximum nesting; the parser drops deeper levels, so text that has them is shown as written."""
PLACES = ("http://", "https://", "mailto:", "/", "#")
"""Allowed beginnings of a link; any other would be relative to the current page."""

TAG_NAMES = "a p br hr em strong s code pre blockquote ul ol li table thead tbody tr th td h3 h4 h5 h6 bdi span"
TAGS = {*TAG_NAMES.split(), *formulas.TAGS}
ATTRIBUTES = {"a": {"href"}, "ol": {"start"}, "span": {"class", "data-top", "data-bottom"}}
FRACTION = re.compile(r"(?<![\w/])(?<!\d[.,])(\d{1,3})/(\d{1,3})(?![\w/]|[.,]\d)")
"""A fraction in a text; no date and no path."""
MINUS = re.compile(
    r"(?<![\w./,−-])-(?=\d|[a-z]\b)|(?<=[\d)²³]) - (?=[\w(−-])|(?<=(?<![A-Za-z])[a-z]) - (?=[\d(−-]|[a-z]\b)"
)
"""A hyphen that stands for a minus sign: before a number or a letter, or between two terms."""
BIDI_CLOSERS = {**dict.fromkeys("\u202a\u202b\u202d\u202e", "\u202c"), **dict.fromkeys("\u2066\u2067\u2068", "\u2069")}
# Placeholders for formulas while Markdown is parsed, so that nothing inside them is read as markup.
PLACE = re.compile("\ue000(\\d+)\ue001")
PLACE_MARKS = re.compile("[\ue000\ue001]")

type Environment = MutableMapping[str, Any]  # markdown-it's own type for what travels with one text

_clean = partial(
    nh3.clean,
    tags=TAGS,
    attributes=ATTRIBUTES | formulas.ATTRIBUTES,
    url_schemes={"http", "https", "mailto"},
    link_rel="noopener noreferrer nofollow ugc",
)


def to_html(markdown: str, *, stacks: bool = False) -> SafeString:
    """Return paragraphs, lists, tables, code and formulas as HTML; text over 10,000 characters as written.

    `stacks`: a fraction such as 3/5 is shown with its numbers above each other; its text stays "3/5".
    A hyphen in a sum is shown as a minus sign.
    """
    if len(markdown) > LONGEST:
        return _as_written(markdown)
    text, environment = _set_formulas_aside(markdown, stacks=stacks)
    tokens = _MARKDOWN.parse(text, environment)
    if any(token.level >= DEEPEST - 1 for token in tokens):
        return _as_written(markdown)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            # The page's own headings are above these.
            token.tag = f"h{min(6, int(token.tag[1]) + 2)}"
    return mark_safe(_clean(_MARKDOWN.renderer.render(tokens, _MARKDOWN.options, environment)))


def inline_to_html(markdown: str, *, stacks: bool = False) -> SafeString:
    """Return the HTML of one line without a paragraph, for a choice, a label or a cell; `stacks` as in `to_html`."""
    if len(markdown) > LONGEST:
        return _as_written(markdown)
    text, environment = _set_formulas_aside(markdown, stacks=stacks)
    return mark_safe(_clean(_MARKDOWN.renderInline(text, environment)))


def _as_written(text: str) -> SafeString:
    return mark_safe(f"<pre>{_isolated(text)}</pre>")


def _set_formulas_aside(markdown: str, *, stacks: bool) -> tuple[str, dict[str, Any]]:
    markdown = PLACE_MARKS.sub("\ufffd", markdown)
    found = list(find_formulas(markdown))
    pieces, position = [], 0
    for number, formula in enumerate(found):
        pieces += [markdown[position : formula.start], f"\ue000{number}\ue001"]
        position = formula.end
    pieces.append(markdown[position:])
    return "".join(pieces), {"formulas": found, "hosts": [], "stacks": stacks}


def _isolated(text: str) -> str:
    """Return escaped text with its direction controls closed, so that they do not affect the text around it."""
    if not BIDI_CONTROLS.search(text):
        return escape(text)
    balanced, open_ones = [], []
    for character in text:
        if character in BIDI_CLOSERS:
            open_ones.append(BIDI_CLOSERS[character])
        elif character in "\u202c\u2069":
            if not open_ones or open_ones[-1] != character:
                continue
            open_ones.pop()
        balanced.append(character)
    return f"<bdi>{escape(''.join(balanced + open_ones[::-1]))}</bdi>"


def _stacked(fraction: re.Match[str]) -> str:
    """Return a fraction whose numbers the style sheet draws; what is read aloud and copied is its text."""
    top, bottom = fraction.groups()
    return f'<span class="frac" data-top="{top}" data-bottom="{bottom}"><span>{fraction[0]}</span></span>'


def _restored(text: str, environment: Environment) -> str:
    found: list[Formula] = environment["formulas"]
    return PLACE.sub(lambda place: found[int(place[1])].source, text)


def _text(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, environment: Environment
) -> str:
    pieces = PLACE.split(tokens[index].content)
    for at in range(0, len(pieces), 2):
        pieces[at] = _isolated(pieces[at])
        if environment["stacks"]:
            pieces[at] = FRACTION.sub(_stacked, MINUS.sub(lambda sign: sign[0].replace("-", "−"), pieces[at]))
    for at in range(1, len(pieces), 2):
        formula: Formula = environment["formulas"][int(pieces[at])]
        pieces[at] = latex_to_mathml(formula.latex, display=formula.display)
    return "".join(pieces)


def _code_inline(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, environment: Environment
) -> str:
    return f"<code>{_isolated(_restored(tokens[index].content, environment))}</code>"


def _code_block(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, environment: Environment
) -> str:
    return f"<pre><code>{_isolated(_restored(tokens[index].content, environment))}</code></pre>\n"


def _link_open(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, environment: Environment
) -> str:
    address = str(tokens[index].attrGet("href") or "")
    if address.startswith("//"):
        address = f"https:{address}"
    environment["hosts"].append(_foreign_host(address))
    return f'<a href="{escape(address)}">' if address.startswith(PLACES) else "<a>"


def _link_close(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, environment: Environment
) -> str:
    host = environment["hosts"].pop()
    return f'</a> <span class="host">({escape(host)})</span>' if host else "</a>"


def _foreign_host(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def _escape(state: StateInline, silent: bool) -> bool:
    r"""Keep an unpaired formula delimiter visible: Markdown would read the backslash of `\(` as an escape."""
    delimiter = state.src[state.pos : state.pos + 2]
    if delimiter not in ("\\(", "\\)", "\\[", "\\]"):
        return escape_rule(state, silent)
    if not silent:
        state.pending += delimiter
    state.pos += 2
    return True


def _markdown() -> MarkdownIt:
    parser = MarkdownIt("js-default", {"html": False, "linkify": False, "maxNesting": DEEPEST})
    # Link references disappear from the page, and an external picture tells its host who reads.
    parser.disable(["image", "reference"])
    parser.inline.ruler.at("escape", _escape)
    rules = {
        "text": _text,
        "code_inline": _code_inline,
        "code_block": _code_block,
        "fence": _code_block,
        "link_open": _link_open,
        "link_close": _link_close,
    }
    for name, rule in rules.items():
        parser.add_render_rule(name, rule)
    return parser


_MARKDOWN = _markdown()
