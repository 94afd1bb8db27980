"""Markdown of a course as blocks: texts, and pictures on lines of their own."""

import re
from dataclasses import dataclass

_PICTURE = re.compile(r"[ \t]*!\[(?P<alt>[^\]\n]{0,300})\]\((?P<name>[a-z0-9_-]{1,64})\)[ \t]*")
_SENTENCE_END = re.compile(r"(?<=[.?!:])[\"'”’)*_]*\s+|\n\s*\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureUse:
    """A picture named in a text, and on which of its lines (from 0)."""

    alt: str
    name: str
    line: int


def split_blocks(text: str) -> tuple[str | PictureUse, ...]:
    """Split at picture lines; texts are stripped, empty ones dropped."""
    blocks: list[str | PictureUse] = []
    gathered: list[str] = []

    def close() -> None:
        if said := "\n".join(gathered).strip():
            blocks.append(said)
        gathered.clear()

    for number, line in enumerate(text.splitlines()):
        if matched := _PICTURE.fullmatch(line):
            close()
            blocks.append(PictureUse(alt=matched["alt"].strip(), name=matched["name"], line=number))
        else:
            gathered.append(line)
    close()
    return tuple(blocks)


def last_sentence(text: str) -> str:
    """Return the last sentence of a text."""
    sentences = [sentence for sentence in _SENTENCE_END.split(text.strip()) if sentence and sentence.strip()]
    return sentences[-1].strip() if sentences else ""
