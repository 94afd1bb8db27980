"""Splits a passage into sentences, and finds the one nearest in meaning to a question."""

import re
from collections.abc import Sequence
from itertools import pairwise

from pydantic import BaseModel

from agents.errors import EmbeddingModelMissing
from agents.local_models import embeddings

SENTENCES_COMPARED = 40
"""Sentences of one passage that are compared, from its beginning; a passage has a hundred words."""
_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"”’)\]]*\s+(?=[\"“‘(\[]?[A-Z0-9])|\n{1,}")


class NearestSentence(BaseModel):
    """The sentence of a passage that is nearest in meaning to a query."""

    start: int
    end: int
    likeness: float
    """Cosine similarity to the query."""


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Return the start and end of each sentence of a text, without surrounding white space."""
    ends = [0, *(match.end() for match in _SENTENCE_END.finditer(text)), len(text)]
    spans = []
    for start, end in pairwise(ends):
        part = text[start:end]
        if part.strip():
            spans.append((start + len(part) - len(part.lstrip()), start + len(part.rstrip())))
    return spans


def nearest_sentences(query: str, texts: Sequence[str]) -> list[NearestSentence | None]:
    """Return each text's sentence that is nearest to the query; None for all without the sentence model."""
    spans = [sentence_spans(text)[:SENTENCES_COMPARED] for text in texts]
    told = [text[start:end] for text, each in zip(texts, spans, strict=True) for start, end in each]
    if not told:
        return [None for _text in texts]
    try:
        asked, *vectors = embeddings.embed([query, *told])
    except EmbeddingModelMissing:
        return [None for _text in texts]
    likeness = iter(float(vector @ asked) for vector in vectors)
    return [_nearest([(span, next(likeness)) for span in each]) for each in spans]


def _nearest(scored: list[tuple[tuple[int, int], float]]) -> NearestSentence | None:
    if not scored:
        return None
    (start, end), likeness = max(scored, key=lambda each: each[1])
    return NearestSentence(start=start, end=end, likeness=min(1.0, likeness))
