"""Finds the license that a document states for itself, not the one of a picture or another work in it."""

import re
from collections.abc import Iterable
from typing import Final

from tutoring.document_courses.source_text import SEPARATOR, SourcePassage

MAX_LENGTH: Final = 300
_CREATIVE_COMMONS: Final = re.compile(r"https?://creativecommons\.org/licenses/([a-z-]+)/(\d\.\d)\S*")
_LICENSED: Final = re.compile(
    r"(?P<work>[^.]{3,120}?)\s(?:is|are)\s(?:made\savailable\s|distributed\s|released\s)?(?:licensed\s)?under\s"
    r"(?:an?\s|the\s)?(?P<license>[^;,\n]{2,120}?\b(?i:licen[sc]e))\b"
)
_SELF: Final = re.compile(r"(?i)\bthis (?:work|book|textbook|text|document|course|article|module|guide)$")


def stated_license(passages: Iterable[SourcePassage], *, title: str) -> str:
    """Return the license in a few words, with its address if there is one; empty if the document states none."""
    for passage in passages:
        if passage.heading.split(SEPARATOR)[-1].strip().casefold() in ("license", "licence"):
            text = " ".join(passage.text.split())
            return _CREATIVE_COMMONS.sub(lambda found: f"CC {found[1].upper()} {found[2]} ({found[0]})", text)[
                :MAX_LENGTH
            ]
        for found in _LICENSED.finditer(passage.text):
            work = " ".join(found["work"].split())
            if _SELF.search(work) or (title and work.endswith(title)):
                return " ".join(found["license"].split())
    return ""
