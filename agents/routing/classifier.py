"""A small classifier of short texts, fitted on labelled examples.

Texts are compared with the examples: by the sentence model's embeddings and by shared pieces of words, or by these alone
where the model is missing. A ridge regression over the comparisons scores every label; its calibration turns scores into
probabilities. `agents.routing.fitting` fits both.

To fit takes seconds where there are thousands of examples: `python -m agents.routing.classifier EXAMPLES.yaml` keeps the outcome
beside them, for as long as they stay as they are.
"""

import hashlib
import re
import sys
import threading
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import BadZipFile

import yaml

from agents import embeddings
from agents.inference import inference

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    type Matrix = NDArray[np.floating]

type Examples = Mapping[str, Sequence[str]]
"""Label → texts."""
type Preparation = Callable[[str], str]

OUT_OF_SCOPE = "none"
"""The label of texts that belong nowhere."""
EMBEDDING_SHARE = 0.7
"""Of a comparison, what the meaning counts; the words count the rest."""
SHARPNESS = 2.0
"""How fast two meanings stop being alike."""
PIECES = 4096
"""Columns that the pieces of words are hashed to."""
RIDGE_WITH_MODEL = 0.05
VERSION = 2
"""Of how the scores are calibrated: what was kept by another is fitted anew."""
REMEMBERED = 256
"""Questions whose scores are kept, the latest ones of all classifiers."""

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?|\d+|[^\w\s]")
_fitting = threading.Lock()


@dataclass(frozen=True, slots=True, kw_only=True)
class Guess:
    label: str | None
    """None: out of scope."""
    confidence: float
    """How likely the label is right, 0–1."""


class ExamplesUnreadable(ValueError):
    """A file of examples is no mapping from labels to lists of texts."""


def read_examples(path: Path, prepared: Preparation | None = None) -> Examples:
    """Return the examples of a YAML file, each as it is prepared. Raise ExamplesUnreadable for any other shape."""
    found = yaml.safe_load(path.read_text(encoding="utf-8"))
    if not isinstance(found, dict) or not all(_are_texts(texts) for texts in found.values()):
        raise ExamplesUnreadable(f"{path}: a mapping from labels to lists of texts is needed")
    return {str(label): tuple(map(prepared or str, texts)) for label, texts in found.items()}


def classifier_of(path: Path, *, with_model: bool = True, prepared: Preparation | None = None) -> "Classifier":
    """Return the classifier of a file of examples: as it was kept, else fitted now, once in a process.

    `prepared` is what is done to each example first; who asks the classifier does it to the texts too.
    """
    with _fitting:
        return _ready(path, with_model, prepared)


@inference(remembered=None)
def _ready(path: Path, with_model: bool, prepared: Preparation | None) -> "Classifier":
    uses_model = with_model and embeddings.is_available()
    found = kept(path, prepared) if uses_model else None
    return Classifier(found or fit(read_examples(path, prepared), with_model=uses_model))


def kept(path: Path, prepared: Preparation | None) -> "Fitted | None":
    """Return what is kept beside a file of examples; None unless it was fitted on them as they are."""
    import numpy as np

    try:
        with np.load(path.with_suffix(".npz"), allow_pickle=False) as rows:
            if str(rows["key"]) != key_of(path, prepared):
                return None
            arrays = {name: rows[name].astype(np.float32) for name in ARRAYS}
            return Fitted(labels=tuple(map(str, rows["labels"])), **arrays)
    except (OSError, KeyError, ValueError, BadZipFile):
        return None


def key_of(path: Path, prepared: Preparation | None) -> str:
    """Return what the outcome depends on, digested."""
    settings = (embeddings.model_id, EMBEDDING_SHARE, SHARPNESS, PIECES, RIDGE_WITH_MODEL, VERSION)
    examples = path.read_bytes() if prepared is None else repr(read_examples(path, prepared)).encode()
    return hashlib.sha256(examples + repr(settings).encode()).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """What a classifier knows."""

    labels: tuple[str, ...]
    rarity: "Matrix"
    """[PIECES]: how much a piece of a word counts."""
    centre: "Matrix"
    """[384]: what all meanings share."""
    meanings: "Matrix"
    """[n, 384]: the examples' rows, of length 1; [0, 384] without the sentence model."""
    prior: "Matrix"
    """[labels]: their shares among the examples."""
    weights: "Matrix"
    """[n, labels]: of being near an example's meaning."""
    by_piece: "Matrix"
    """[PIECES, labels]: of a piece of a word."""
    calibration: "Matrix"
    """[labels + 1, labels]: from scores to logits."""
    nowhere_from: "Matrix"
    """A single number: from which probability of `none` a text belongs nowhere; 0.5 where no label is that."""


ARRAYS = ("rarity", "centre", "meanings", "prior", "weights", "by_piece", "calibration", "nowhere_from")


def fit(examples: Examples, *, with_model: bool = True) -> Fitted:
    """Fit on examples; without the sentence model, or `with_model` false, on the pieces of words alone."""
    from agents.routing import fitting

    return fitting.fit(examples, with_model=with_model)


class Classifier:
    """Classifies in about 5 ms, from any thread."""

    def __init__(self, fitted: Fitted) -> None:
        self._fitted = fitted

    @property
    def uses_model(self) -> bool:
        """Whether the sentence model takes part."""
        return len(self._fitted.meanings) > 0

    def classify(self, text: str) -> Guess:
        """Return the likeliest label of a text, None if it belongs nowhere, with its probability."""
        likely = self.probabilities(text)
        nowhere = likely.pop(OUT_OF_SCOPE, 0.0)
        if not likely or nowhere >= self._fitted.nowhere_from:
            return Guess(label=None, confidence=nowhere)
        label = max(likely, key=likely.__getitem__)
        return Guess(label=label, confidence=likely[label])

    def probabilities(self, text: str) -> dict[str, float]:
        """Return how likely each label is; they add up to 1."""
        shares = probabilities(self._scores(text)[None], self._fitted.calibration)[0]
        return dict(zip(self._fitted.labels, shares.tolist(), strict=True))

    def scores(self, text: str) -> dict[str, float]:
        """Return how much speaks for each label, from about 0, nothing, to about 1; no probabilities."""
        return dict(zip(self._fitted.labels, self._scores(text).tolist(), strict=True))

    @inference(remembered=REMEMBERED)
    def _scores(self, text: str) -> "Matrix":
        """Return a score for each label: [labels]."""
        import numpy as np

        # Not by `@`: its threads wait for each other on a busy machine.
        known = self._fitted
        words = unit((counts(text) * known.rarity)[None])[0]
        scores: Matrix = known.prior + np.einsum("i,ij->j", words, known.by_piece)
        if self.uses_model:
            meaning = unit(embeddings.embed([text]) - known.centre)[0]
            scores = scores + np.einsum("i,ij->j", near(np.einsum("ij,j->i", known.meanings, meaning)), known.weights)
        return scores


def probabilities(scores: "Matrix", weights: "Matrix") -> "Matrix":
    """Return the probabilities of each row of scores by a calibration's weights; a row adds up to 1."""
    import numpy as np

    # Not by `@`, as above.
    logits = np.einsum("ij,jk->ik", scores, weights[:-1]) + weights[-1]
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))


def near(cosines: "Matrix") -> "Matrix":
    """Return how near meanings are, 0–1, by their cosines."""
    import numpy as np

    likeness: Matrix = np.exp(np.float32(SHARPNESS) * (cosines - 1))
    return likeness


def unit(rows: "Matrix") -> "Matrix":
    """Return the rows made of length 1; a row of zeros stays."""
    import numpy as np

    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    scaled: Matrix = rows / np.where(lengths > 0, lengths, 1)
    return scaled


def counts(text: str) -> "Matrix":
    """Return how often each hashed piece occurs in a text, damped: [PIECES]."""
    import numpy as np

    columns = [zlib.crc32(piece.encode(errors="replace")) % PIECES for piece in _pieces(text.lower())]
    damped: Matrix = np.log1p(np.bincount(columns, minlength=PIECES).astype(np.float32))
    return damped


def _pieces(text: str) -> Iterator[str]:
    """Yield runs of 3 to 5 characters, words, and pairs of words side by side or with one between."""
    spaced = f" {' '.join(text.split())} "
    for length in (3, 4, 5):
        yield from (spaced[start : start + length] for start in range(len(spaced) - length + 1))
    words = ["^", *_WORD.findall(text), "$"]
    yield from words
    yield from (f"{first}_{second}" for first, second in pairwise(words))
    yield from (f"{first}_*_{third}" for first, third in zip(words, words[2:], strict=False))


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(text, str) for text in value)


if __name__ == "__main__":
    from agents.routing.fitting import keep

    for name in sys.argv[1:]:
        keep(Path(name))
