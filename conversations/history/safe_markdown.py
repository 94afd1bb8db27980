"""Safe Markdown from text of people and models: no HTML, no external pictures, only links to the web.

Uses entities, not backslashes: a backslash in the text could undo an added one.
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
    """Return Markdown that shows the text exactly as typed, line by line."""
    return "  \n".join(escape_line(line) for line in _lines(text))


def escape_line(line: str) -> str:
    """Return Markdown that shows one line exactly as typed, without surrounding blanks."""
    line = MARKUP.sub(r"\\\1", " ".join(CONTROLS.sub("\ufffd", line).split()))
    return LINE_MARKUP.sub(r"\1\\\2", line)


def disarm_markdown(markdown: str) -> str:
    """Return the Markdown with only emphasis, lists, formulas and links to the web."""
    text = "\n".join(CONTROLS.sub("\ufffd", line) for line in _lines(markdown))
    text = ENTITY.sub("&amp;", text)
    text = PICTURE.sub("&#33;", TAG.sub("&lt;", text))
    text = LINK_ELSEWHERE.sub("]&#40;", text)
    return _with_fences_closed(DEFINITION.sub("]&#58;", text))


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _with_fences_closed(markdown: str) -> str:
    """Close a code block that the text leaves open, so that it does not affect what follows."""
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
