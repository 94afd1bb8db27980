"""Texts that others wrote, made fit to be read: nothing unseen in them, and no longer than there is room for."""

import re

# What no reader sees and a model reads all the same: controls, turns of direction, zero widths, Unicode's tags.
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
"""Of the web (encoding.spec.whatwg.org). Python knows others besides: some of those take minutes for a page."""


def decode_body(body: bytes, charset: str) -> str:
    """Return a body's text; what is no letter in its charset becomes the sign for that."""
    if charset not in CHARSETS:
        charset = "utf-8"
    try:
        return body.decode(charset, "replace")
    except LookupError:
        return body.decode("utf-8", "replace")


def single_line(text: str, *, characters: int) -> str:
    """Return a text in one line, cut to so many characters, without what nobody sees."""
    line = " ".join(INVISIBLE.sub("", text).split())
    return truncate(line, characters=characters)


def truncate(text: str, *, characters: int) -> str:
    """Return the beginning of a text, up to a space if there is one near, with a mark where it goes on."""
    if len(text) <= characters:
        return text
    kept = text[: characters - len(CUT)]
    at_space = max(kept.rfind(" "), kept.rfind("\n"))
    return (kept[:at_space] if at_space > len(kept) * 0.8 else kept).rstrip() + CUT
