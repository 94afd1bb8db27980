"""Finds planner rows by their words, by meaning, and both: duplicates merged, the best first."""

import re
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any, Final, Literal

from django.db.models import Q

from agents.errors import EmbeddingModelMissing
from agents.local_models import embeddings
from tutoring.models import CalendarEvent, Meal, Note, Task
from tutoring.planner.records.limits import COMPARED, EMBEDDED_AT_ONCE, KEPT_VECTORS, PAGE_SIZE

type SearchMode = Literal["words", "meaning", "hybrid"]
# Chosen by hand on pairs of titles: unrelated ones are at .45 to .65, "dentist" and "tooth doctor" at .78.
CLOSE: Final = 0.75
"""Cosine from which two texts are about the same."""
MOST_READ: Final = 1_000
"""Rows with a word of the query that are ranked, the latest first."""
_WORD: Final = re.compile(r"\w+")
_IDLE: Final = frozenset(
    [
        "a",
        "all",
        "an",
        "and",
        "any",
        "at",
        "by",
        "do",
        "find",
        "for",
        "from",
        "have",
        "i",
        "in",
        "is",
        "it",
        "me",
        "my",
        "of",
        "on",
        "or",
        "our",
        "please",
        "some",
        "that",
        "the",
        "this",
        "to",
        "was",
        "what",
        "when",
        "which",
        "with",
        "your",
        "event",
        "task",
        "tasks",
        "reminder",
        "meeting",
        "appointment",
        "homework",
        "note",
    ]
)
"""Words that tell no rows apart; they count if a query has no others."""
_vectors: OrderedDict[str, bytes] = OrderedDict()
_keeping = Lock()


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundRow:
    row: Any
    score: float
    """0–1."""
    by: Literal["words", "meaning", "both"]


def text_of(row: Any) -> str:
    """Return what a row is found by."""
    match row:
        case Task():
            return str(row.title)
        case CalendarEvent():
            return f"{row.title} {row.place}".strip()
        case Meal():
            return " ".join([row.kind, *row.foods, *row.tags])
        case Note():
            return str(row.text)
    raise TypeError(f"{row!r} is no planner row")


def find_rows(rows: Any, words: str, *, mode: SearchMode = "hybrid", limit: int = PAGE_SIZE) -> list[FoundRow]:
    """Return the rows of a queryset that fit the words, the best first.

    By meaning, the latest rows are compared (`limits`). Without the embedded model, words alone count. Raises
    InferenceNeeded inside a transaction.
    """
    found: dict[int, FoundRow] = {}
    if mode in ("words", "hybrid"):
        found = {each.row.pk: each for each in _by_words(rows, words)}
    if mode in ("meaning", "hybrid"):
        for near in _by_meaning(rows, words):
            other = found.get(near.row.pk)
            both = (
                FoundRow(row=near.row, score=min(1.0, max(near.score, other.score) + 0.05), by="both")
                if other
                else near
            )
            found[near.row.pk] = both
    return sorted(found.values(), key=lambda each: (-each.score, -each.row.pk))[:limit]


def rows_with_words(rows: Any, words: str, *, every: bool = False) -> list[Any]:
    """Return the rows that have most of the words, all as well as the best one; empty if none has half of them.

    With `every`, a row that says more than the words is as good as one that does not.
    """
    worded = [each for each in _by_words(rows, words) if each.score >= 0.5]
    # Brevity adds up to a tenth to a row's score.
    return [each.row for each in worded if each.score >= worded[0].score - (0.1 if every else 0.01)]


def rows_near(rows: Any, words: str) -> list[Any]:
    """Return the rows closest in meaning, at most five: somebody who is about to change one should be asked first."""
    near = _by_meaning(rows, words)
    return [each.row for each in near if each.score >= near[0].score - 0.03][:5]


def meaningful_words(text: str) -> list[str]:
    """Return the words by which rows are told apart, folded and cut to their stems."""
    words = _WORD.findall(text.casefold())
    kept = [each for each in words if each not in _IDLE] or words
    return [_stem(each) for each in kept]


def _stem(word: str) -> str:
    for ending in ("ing", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word.removesuffix(ending)
    return word


def _by_words(rows: Any, words: str) -> list[FoundRow]:
    wanted = meaningful_words(words)
    if not wanted:
        return []
    condition = Q()
    for stem in wanted:
        for field in _fields(rows.model):
            condition |= Q(**{f"{field}__icontains": stem})
    found = []
    for row in rows.filter(condition).order_by("-pk")[:MOST_READ]:
        own = _WORD.findall(text_of(row).casefold())
        share = sum(any(each.startswith(stem) for each in own) for stem in wanted) / len(wanted)
        if share:
            # Of two rows with all the words, the one that says little else is meant.
            brevity = min(1.0, len(wanted) / len(meaningful_words(text_of(row))))
            found.append(FoundRow(row=row, score=round(0.9 * share + 0.1 * brevity, 4), by="words"))
    return sorted(found, key=lambda each: (-each.score, -each.row.pk))


def _fields(model: type[Any]) -> tuple[str, ...]:
    return {Task: ("title",), CalendarEvent: ("title", "place"), Meal: ("foods", "tags", "kind"), Note: ("text",)}[
        model
    ]


def _by_meaning(rows: Any, words: str) -> list[FoundRow]:
    if not words.strip() or not embeddings.is_available():
        return []
    latest = list(rows.order_by("-pk")[:COMPARED])
    if not latest:
        return []
    import numpy as np

    try:
        wanted = embeddings.embed([words])[0]
        compared = _with_vectors(latest)
    except EmbeddingModelMissing:
        return []
    scores = np.stack([np.frombuffer(vector, dtype=np.float32) for _row, vector in compared]) @ wanted
    near = [(float(score), row) for score, (row, _vector) in zip(scores, compared, strict=True) if score >= CLOSE]
    return [
        FoundRow(row=row, score=round(score, 4), by="meaning")
        for score, row in sorted(near, key=lambda each: (-each[0], -each[1].pk))
    ]


def _with_vectors(rows: Sequence[Any]) -> list[tuple[Any, bytes]]:
    """Return the rows whose embeddings are known, or computed now: a note keeps its own, a title's is in memory."""
    texts = {row.pk: text_of(row) for row in rows}
    with _keeping:
        known = {text: _vectors[text] for text in texts.values() if text in _vectors}
    stored = {texts[row.pk]: bytes(row.embedding) for row in rows if getattr(row, "embedding", None)}
    missing = list(dict.fromkeys(text for text in texts.values() if text not in known and text not in stored))
    new = dict(zip(missing[:EMBEDDED_AT_ONCE], embed_texts(missing[:EMBEDDED_AT_ONCE]), strict=True))
    with _keeping:
        _vectors.update(new)
        while len(_vectors) > KEPT_VECTORS:
            _vectors.popitem(last=False)
    vectors = known | stored | new
    return [(row, vectors[texts[row.pk]]) for row in rows if texts[row.pk] in vectors]


def embed_texts(texts: Iterable[str]) -> list[bytes]:
    """Return the texts' embeddings as float32 values. Raises EmbeddingModelMissing, and InferenceNeeded in a transaction."""
    listed = list(texts)
    return [each.tobytes() for each in embeddings.embed(listed)] if listed else []
