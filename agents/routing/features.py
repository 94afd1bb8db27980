"""Parts of the classifier: examples, text features, fitted weights, probabilities."""

import hashlib
import re
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import BadZipFile

import yaml

from agents.local_models import embeddings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    type Matrix = NDArray[np.floating]


type Examples = Mapping[str, Sequence[str]]
"""Label → texts."""
type Preparation = Callable[[str], str]
OUT_OF_SCOPE = "none"
"""The label of out-of-scope texts."""
# Meaning counts more than words, but words alone tell "quiz me" from "quit": chosen by hand with the first routing
# examples, no sweep on record. It is part of `weights_key`: a change refits every stored classifier.
EMBEDDING_SHARE = 0.7
"""Share of the embeddings in a comparison; word n-grams make up the rest."""
# Centered embeddings of unrelated texts have cosines similarity 0; the exponential favors similarity examples. Chosen by hand.
SHARPNESS = 2.0
"""Slope of the kernel exp(SHARPNESS · (cosine − 1))."""
# A compromise between collisions and size: with the 43 labels of misconceptions 0.7 MB. Not tuned.
PIECE_COLUMNS = 4096
"""Columns that word n-grams are hashed to."""
# Chosen by hand with the first routing examples; larger values pull rare labels towards the prior.
RIDGE_WITH_MODEL = 0.05
# Bump it if the calibration or the features change: stored weights of another version are fitted again.
VERSION = 2
# Words with an apostrophe stay whole ("don't"), and marks count: "again?" is another piece than "again".
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?|\d+|[^\w\s]")


class ExamplesUnreadable(ValueError):
    """A file of examples is not a mapping from labels to lists of texts."""


def read_examples(path: Path, prepared: Preparation | None = None) -> Examples:
    """Return the examples of a YAML file, normalized by `prepared`. Raises ExamplesUnreadable for another shape."""
    found = yaml.safe_load(path.read_text(encoding="utf-8"))
    if not isinstance(found, dict) or not all(_are_texts(texts) for texts in found.values()):
        raise ExamplesUnreadable(f"{path}: expected a mapping from labels to lists of texts")
    return {str(label): tuple(map(prepared or str, texts)) for label, texts in found.items()}


def load_weights(path: Path, prepared: Preparation | None) -> "ClassifierWeights | None":
    """Return the weights stored next to a file of examples; None if they were fitted on another version of it."""
    import numpy as np

    try:
        with np.load(path.with_suffix(".npz"), allow_pickle=False) as rows:
            if str(rows["key"]) != weights_key(path, prepared):
                return None
            arrays = {name: rows[name].astype(np.float32) for name in ARRAYS}
            return ClassifierWeights(labels=tuple(map(str, rows["labels"])), **arrays)
    except (OSError, KeyError, ValueError, BadZipFile):
        return None


def weights_key(path: Path, prepared: Preparation | None) -> str:
    """Return a hash of everything the weights depend on."""
    settings = (embeddings.model_id, EMBEDDING_SHARE, SHARPNESS, PIECE_COLUMNS, RIDGE_WITH_MODEL, VERSION)
    examples = path.read_bytes() if prepared is None else repr(read_examples(path, prepared)).encode()
    return hashlib.sha256(examples + repr(settings).encode()).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassifierWeights:
    """The fitted parameters of a classifier."""

    labels: tuple[str, ...]
    rarity: "Matrix"
    """[PIECES]: inverse document frequency of each hashed n-gram."""
    centre: "Matrix"
    """[384]: the mean embedding, subtracted from each."""
    meanings: "Matrix"
    """[n, 384]: the examples' embeddings, of length 1; [0, 384] without the sentence model."""
    prior: "Matrix"
    """[labels]: their shares among the examples."""
    weights: "Matrix"
    """[n, labels]: dual weights of the embedding kernel."""
    by_piece: "Matrix"
    """[PIECES, labels]: weights of the n-grams."""
    calibration: "Matrix"
    """[labels + 1, labels]: from scores to logits."""
    nowhere_from: "Matrix"
    """A single number: the out-of-scope threshold; 0.5 if no label is `none`."""


ARRAYS = ("rarity", "centre", "meanings", "prior", "weights", "by_piece", "calibration", "nowhere_from")


def probabilities(scores: "Matrix", weights: "Matrix") -> "Matrix":
    """Return the probabilities of each row of scores under a calibration; each row sums to 1."""
    import numpy as np

    # Not `@`, as in classifier.py.
    logits = np.einsum("ij,jk->ik", scores, weights[:-1]) + weights[-1]
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))


def similarity(cosines: "Matrix") -> "Matrix":
    """Return the kernel (0–1) of embeddings with these cosines."""
    import numpy as np

    likeness: Matrix = np.exp(np.float32(SHARPNESS) * (cosines - 1))
    return likeness


def normalize_rows(rows: "Matrix") -> "Matrix":
    """Return the rows scaled to length 1; a row of zeros stays."""
    import numpy as np

    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    scaled: Matrix = rows / np.where(lengths > 0, lengths, 1)
    return scaled


def count_pieces(text: str) -> "Matrix":
    """Return log(1 + count) of each hashed n-gram of a text: [PIECES]."""
    import numpy as np

    columns = [zlib.crc32(piece.encode(errors="replace")) % PIECE_COLUMNS for piece in _pieces(text.lower())]
    damped: Matrix = np.log1p(np.bincount(columns, minlength=PIECE_COLUMNS).astype(np.float32))
    return damped


def _pieces(text: str) -> Iterator[str]:
    """Yield runs of 3 to 5 characters, words, and pairs of words that are adjacent or have one word in between."""
    spaced = f" {' '.join(text.split())} "
    # Character n-grams survive typing errors ("qestion"); 3 to 5 as usual in text classification, not tuned.
    for length in (3, 4, 5):
        yield from (spaced[start : start + length] for start in range(len(spaced) - length + 1))
    words = ["^", *_WORD.findall(text), "$"]
    yield from words
    yield from (f"{first}_{second}" for first, second in pairwise(words))
    yield from (f"{first}_*_{third}" for first, third in zip(words, words[2:], strict=False))


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(text, str) for text in value)
