"""Cleaning of text from outside: removes invisible characters and limits the length."""

import re

# Characters invisible to people but read by models: controls, direction marks, zero widths, Unicode tags.
INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]"
)
CUT = " …"
CHARSETS = {
    *("utf-8", "utf8", "utf-16", "us-ascii", "ascii", "big5", "big5-hkscs", "euc-jp", "euc-kr", "gb18030", "gb2312"),
    *("gbk", "koi8-r", "koi8-u", "macintosh", "shift_jis", "shift-jis", "windows-31j", "windows-874", "iso-2022-jp"),
    *(f"iso-8859-{number}" for number in range(1, 17)),
    *(f"windows-125{number}" for number in range(9)),
}
"""Charsets of the web (encoding.spec.whatwg.org). Python knows more; some of those take minutes for a page."""


def decode_body(body: bytes, charset: str) -> str:
    """Return a body's text; undecodable bytes become the replacement character."""
    if charset not in CHARSETS:
        charset = "utf-8"
    try:
        return body.decode(charset, "replace")
    except LookupError:
        return body.decode("utf-8", "replace")


def single_line(text: str, *, characters: int) -> str:
    """Return a text on one line without invisible characters, cut to this many characters."""
    line = " ".join(INVISIBLE.sub("", text).split())
    return truncate(line, characters=characters)


def truncate(text: str, *, characters: int) -> str:
    """Return the beginning of a text, cut at a space if one is near, with a mark if it was cut."""
    if len(text) <= characters:
        return text
    kept = text[: characters - len(CUT)]
    at_space = max(kept.rfind(" "), kept.rfind("\n"))
    return (kept[:at_space] if at_space > len(kept) * 0.8 else kept).rstrip() + CUT
