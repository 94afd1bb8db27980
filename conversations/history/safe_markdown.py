"""Words of people and models as Markdown that does nothing: no HTML, no picture from elsewhere, no link but to the web.

Entities, not backslashes, stand for what is taken away from replies: a backslash before it would free it again.
"""

import re

CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
MARKUP = re.compile(r"([\\`*_\[\]<>&|~])")
LINE_MARKUP = re.compile(r"^(\d*)([-+=#.)])")
TAG = re.compile(r"<(?=[A-Za-z/!?])")
ENTITY = re.compile(r"&(?=#?\w+;)")
PICTURE = re.compile(r"!(?=\[)")
LINK_ELSEWHERE = re.compile(r"\]\((?!\s*(?:https?://|mailto:))", re.IGNORECASE)
DEFINITION = re.compile(r"\]:")
FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})(.*)$")


def escape_text(text: str) -> str:
    """Return Markdown that shows the text as it was typed, line for line."""
    return "  \n".join(escape_line(line) for line in _lines(text))


def escape_line(line: str) -> str:
    """Return Markdown that shows one line as it was typed, without the blanks around it."""
    line = MARKUP.sub(r"\\\1", " ".join(CONTROLS.sub("\ufffd", line).split()))
    return LINE_MARKUP.sub(r"\1\\\2", line)


def disarm_markdown(markdown: str) -> str:
    """Return the Markdown with its emphasis, lists, formulas and links to the web, and nothing else that does things."""
    text = "\n".join(CONTROLS.sub("\ufffd", line) for line in _lines(markdown))
    text = ENTITY.sub("&amp;", text)
    text = PICTURE.sub("&#33;", TAG.sub("&lt;", text))
    text = LINK_ELSEWHERE.sub("]&#40;", text)
    return _with_fences_closed(DEFINITION.sub("]&#58;", text))


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _with_fences_closed(markdown: str) -> str:
    """Close a block of code that the text leaves open: what follows it is not its own."""
    fence = ""
    for line in markdown.split("\n"):
        found = FENCE.match(line)
        if not found:
            continue
        if not fence:
            fence = found[1]
        elif found[1].startswith(fence) and not found[2].strip():
            fence = ""
    return f"{markdown}\n{fence}" if fence else markdown
