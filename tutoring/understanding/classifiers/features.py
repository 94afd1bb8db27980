"""Feature vectors of texts: sentence embeddings, and hashed words and character n-grams."""

import re
import zlib
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from agents.local_models import embeddings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    type Vector = NDArray[np.float32]

# A quarter of the router's columns, since every head stores its own weights: 29 intents × 2,048 half floats are 0.1 MB.
PIECES: Final = 1024
"""Columns that words and n-grams are hashed to."""
# Meaning leads, words correct it ("half" and "quarter" have similar embeddings). Chosen by hand before the first heads
# (2026-11-23), no sweep on record; a change needs `fit_understanding`.
PIECES_SHARE: Final = 0.6
"""Length of the n-gram vector, where the embedding has length 1."""
# Apostrophes stay inside words, and each mark is a token of its own: "why?" is not "why".
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?|\d+|[^\w\s]")


def meaning_vector(text: str) -> "Vector":
    """Return the sentence embedding [384] of length 1; zeros for an empty text. Raises EmbeddingModelMissing.

    Punctuation at both ends is stripped, so that a message and its only sentence share one cached embedding.
    """
    import numpy as np

    read = text.strip(" \n.,;!")
    return embeddings.embed([read])[0] if read else np.zeros(embeddings.DIMENSIONS, dtype=np.float32)


def piece_vector(text: str) -> "Vector":
    """Return the hashed 3- to 5-grams, words and word pairs of a text [PIECES], scaled to length PIECES_SHARE."""
    import numpy as np

    columns = [zlib.crc32(piece.encode(errors="replace")) % PIECES for piece in _pieces(text.lower())]
    counts = np.log1p(np.bincount(columns, minlength=PIECES).astype(np.float32))
    length = float(np.linalg.norm(counts))
    vector: Vector = counts * np.float32(PIECES_SHARE / length) if length else counts
    return vector


def _pieces(text: str) -> Iterator[str]:
    spaced = f" {' '.join(text.split())} "
    for length in (3, 4, 5):
        yield from (spaced[start : start + length] for start in range(len(spaced) - length + 1))
    words = ["^", *_WORD.findall(text), "$"]
    yield from words
    yield from (f"{first}_{second}" for first, second in pairwise(words))


def word_letter_vector(text: str) -> "Vector":
    """Return a short text's words and character n-grams [2 * PIECES], each half hashed separately, of length 1.

    The first half has words, pairs, and pairs with one word between; the second has 3- to 5-grams.
    """
    import numpy as np

    # Numbers become "#": which number it is says nothing about the intent, and rare ones would be learned by heart.
    words = ["^", *("#" if word.isdigit() else word for word in _WORD.findall(text)), "$"]
    said = [*words, *map("_".join, pairwise(words)), *map("_*_".join, zip(words, words[2:], strict=False))]
    spaced = f" {text} "
    runs = [spaced[start : start + length] for length in (3, 4, 5) for start in range(len(spaced) - length + 1)]
    return np.concatenate([_hashed(said), _hashed(runs)])


def _hashed(pieces: Iterable[str]) -> "Vector":
    import numpy as np

    columns = [zlib.crc32(piece.encode(errors="replace")) % PIECES for piece in pieces]
    counts = np.log1p(np.bincount(columns, minlength=PIECES).astype(np.float32))
    vector: Vector = (counts / max(float(np.linalg.norm(counts)), 1e-6)).astype(np.float32)
    return vector
