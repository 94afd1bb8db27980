"""Which sentences of the passages found answer a question, as a model chooses them. Only what stands there is taken."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from agents.tools import Source
from conversations.panel.results import ResearchResult
from conversations.search.sentences import sentence_spans

MOST_PASSAGES: Final = 8
PASSAGE_CHARACTERS: Final = 2_000
"""What of the passages a model reads. Chosen by hand: 4,000 tokens, half of the smallest window."""
SHORTEST_QUOTE: Final = 4
"""Words of a quotation that can be found again; fewer stand in many places. Chosen by hand."""
LONGEST_QUOTE: Final = 500
"""Characters of a quotation. Chosen by hand: three sentences."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundSentence:
    """A sentence or more of a source."""

    source: Source
    text: str
    passage: str
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadPassage:
    """A passage that a tool has found, whole."""

    source: Source
    text: str


def passages_for_model(read: Sequence[ReadPassage]) -> str:
    """Return the passages as JSON lines, each with the id of its source: no words in them look like the next one."""
    return "\n".join(
        json.dumps({"source_id": each.source.id, "text": each.text[:PASSAGE_CHARACTERS]}, ensure_ascii=False)
        for each in read[:MOST_PASSAGES]
    )


def sentences_chosen(told: ResearchResult, read: Sequence[ReadPassage]) -> Iterator[FoundSentence]:
    """Yield the sentences of the passages that a model has quoted, each whole: half of one may say the contrary."""
    for fact in told.facts:
        for each in read[:MOST_PASSAGES]:
            span = _span_of(fact.statement, each.text) if each.source.id == fact.source_id else None
            if span is not None:
                start, end = span
                yield FoundSentence(
                    source=each.source, text=each.text[start:end], passage=each.text, start=start, end=end
                )
                break


def _span_of(quote: str, passage: str) -> tuple[int, int] | None:
    """Return where the sentences begin and end that hold a quotation; None if it does not stand there."""
    words = re.findall(r"\w+", quote)
    if len(words) < SHORTEST_QUOTE or len(quote) > LONGEST_QUOTE:
        return None
    found = re.search(rf"(?<!\w){r'\W+'.join(map(re.escape, words))}(?!\w)", passage, re.IGNORECASE)
    if found is None:
        return None
    held = [(start, end) for start, end in sentence_spans(passage) if start < found.end() and end > found.start()]
    if not held or held[-1][1] - held[0][0] > LONGEST_QUOTE:
        return None
    return held[0][0], held[-1][1]
