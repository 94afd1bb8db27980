"""Texts as vectors: the meaning, by the sentence model, beside hashed pieces of the words."""

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

PIECES: Final = 1024
"""Columns that the pieces of words are hashed to."""
PIECES_SHARE: Final = 0.6
"""The length of the vector of pieces, where that of the meaning is 1."""
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?|\d+|[^\w\s]")


def meaning_vector(text: str) -> "Vector":
    """Return the sentence model's vector [384] of length 1; zeros for an empty text. Raises EmbeddingsMissing.

    Marks at the end that say nothing are left out, so that a message and its only sentence are read once.
    """
    import numpy as np

    read = text.strip(" \n.,;!")
    return embeddings.embed([read])[0] if read else np.zeros(embeddings.DIMENSIONS, dtype=np.float32)


def piece_vector(text: str) -> "Vector":
    """Return the text's pieces of words [PIECES], of length PIECES_SHARE: runs of 3 to 5 characters, words and pairs."""
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
    """Return a short text's words and its runs of letters, hashed apart [2 * PIECES], each half of length 1.

    Words, pairs, and pairs with one between in the first half; runs of 3 to 5 characters in the second.
    """
    import numpy as np

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
