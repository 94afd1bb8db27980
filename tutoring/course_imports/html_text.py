"""Converts HTML of imported questions to Markdown; scripts, styles and attributes are dropped."""

import re
from html.parser import HTMLParser
from typing import Final

from django.utils.translation import gettext as _

from conversations.web.formulas import find_formulas
from tutoring.course_imports.questions import QuestionRefused

_DROPPED: Final = frozenset({"script", "style", "template", "noscript", "title", "head"})
_MEDIA: Final = frozenset({"img", "svg", "audio", "video", "object", "embed", "iframe", "canvas", "math", "picture"})
_PARAGRAPHS: Final = frozenset({"p", "div", "table", "ul", "ol", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6"})
_MARKS: Final = {"b": "**", "strong": "**", "i": "*", "em": "*", "code": "`", "tt": "`"}
_BREAK: Final = "\ue100"
_PARAGRAPH: Final = "\ue101"
_FORMULA: Final = re.compile(r"\$\$(.+?)\$\$|\\\((.+?)\\\)|\\\[(.+?)\\\]", re.DOTALL)
_LITERAL: Final = re.compile(
    r"(?<!\\)(?:[\\`*\]<]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|^[ ]*(?:>|(?:#{1,6}|[+-]|\d+[.)])(?:[ ]|$)))", re.M
)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self.hidden = 0
        self.media = False
        self.code = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        name = tag.rpartition(":")[2]
        self.media = self.media or name in _MEDIA
        if name in _DROPPED:
            self.hidden += 1
        elif name in _MARKS:
            self.code += _MARKS[name] == "`"
            self.pieces.append(_MARKS[name])
        elif name == "br":
            self.pieces.append(_BREAK)
        elif name == "li":
            self.pieces.append(f"{_BREAK}- ")
        elif name in ("td", "th", "sup", "sub"):
            self.pieces.append({"sup": "^", "sub": "_"}.get(name, " "))
        elif name == "tr":
            self.pieces.append(_BREAK)
        elif name in _PARAGRAPHS:
            self.pieces.append(_PARAGRAPH)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag.rpartition(":")[2] in _MEDIA | {"br"}:
            self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        name = tag.rpartition(":")[2]
        if name in _DROPPED:
            self.hidden = max(0, self.hidden - 1)
        elif name in _MARKS:
            self.code -= _MARKS[name] == "`"
            self.pieces.append(_MARKS[name])
        elif name in _PARAGRAPHS:
            self.pieces.append(_PARAGRAPH)

    def handle_data(self, data: str) -> None:
        if not self.hidden:
            self.pieces.append(data if self.code else literal(data))


def markdown_of_html(html: str) -> str:
    """Return the HTML as Markdown. Raises QuestionRefused if it shows a picture, sound or film."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    if reader.media:
        raise QuestionRefused(_("It shows a picture, a sound or another object, which a course cannot hold."))
    text = "".join(reader.pieces)
    lines = [" ".join(line.split()) for line in re.split(_BREAK, text.replace(_PARAGRAPH, f"{_BREAK}{_BREAK}"))]
    joined = "\n".join(re.sub(r"(\*\*|`)\s*\1", "", line) for line in lines)
    return re.sub(r"(?<=\S)\n(?=[^\n-])", "  \n", re.sub(r"\n{2,}", "\n\n", joined)).strip()


def literal(text: str) -> str:
    """Return plain text as Markdown that shows it unchanged; formulas between `$$`, or `\\(` and `\\)`, stay formulas."""
    formulas: list[str] = []

    def put(match: re.Match[str]) -> str:
        formulas.append(" ".join(next(filter(None, match.groups())).split()))
        return f"\ue200{len(formulas) - 1}\ue201"

    text = _FORMULA.sub(put, text)
    text = _LITERAL.sub(
        lambda found: f"{found[0][:-1]}\\{found[0][-1]}" if found[0] in "\\`*]<_" else _escaped(found[0]), text
    )
    text = text.replace("$", "\\$").replace("\\\\$", "\\$")
    return re.sub(r"(?P<glued>\w?)\ue200(\d+)\ue201(?=(?P<digit>\d?))", lambda found: _shown(found, formulas), text)


def _shown(found: re.Match[str], formulas: list[str]) -> str:
    """Return a formula between dollars, or between `\\(` and `\\)` where dollars would be taken for money."""
    latex = formulas[int(found[2])]
    is_plain = not found["glued"] and not found["digit"] and any(find_formulas(f"${latex}$"))
    return found["glued"] + (f"${latex}$" if is_plain else f"\\({latex}\\)")


def _escaped(opening: str) -> str:
    """Return the beginning of a line, such as "1. ", with the sign escaped that makes it a list or heading."""
    sign = opening.strip()
    return opening.replace(sign, f"{sign[:-1]}\\{sign[-1]}")


class _PlainReader(HTMLParser):
    def reset(self) -> None:
        super().reset()
        self.pieces: list[str] = []

    def handle_data(self, data: str) -> None:
        self.pieces.append(data)


def plain_text(text: str) -> str:
    """Return the text of an answer to type, without markup: `<p>Paris</p>` is Paris."""
    reader = _PlainReader(convert_charrefs=True)
    reader.feed(text)
    reader.close()
    return " ".join("".join(reader.pieces).split())
