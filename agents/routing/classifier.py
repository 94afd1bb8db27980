"""Classifier of short texts, fitted on labeled examples.

A text is compared with each example by sentence embeddings and by shared character n-grams and words (by these alone if
the model is missing). A kernel ridge regression scores every label, and a calibration turns scores into probabilities.
`agents.routing.training` fits both.

Fitting takes seconds with thousands of examples: `python -m agents.routing.training EXAMPLES.yaml` stores the weights
next to the file, and they are used until the file changes.
"""

import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from agents.local_models import embeddings
from agents.local_models.inference import cached_inference
from agents.routing.features import (
    OUT_OF_SCOPE,
    ClassifierWeights,
    Examples,
    Preparation,
    count_pieces,
    load_weights,
    normalize_rows,
    probabilities,
    read_examples,
    similarity,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    type Matrix = NDArray[np.floating]


# A turn asks several classifiers about the same text, and a resumed turn asks again. The size is a guess.
CACHE_SIZE = 256
"""Texts whose scores are cached, over all classifiers."""

# Threads that need the same classifier at once would each fit one, which takes seconds.
_fitting = threading.Lock()


@dataclass(frozen=True, slots=True, kw_only=True)
class Classification:
    label: str | None
    """None: out of scope."""
    confidence: float
    """Probability that the label is right, 0–1."""


def load_classifier(path: Path, *, with_model: bool = True, prepared: Preparation | None = None) -> "Classifier":
    """Return the classifier of a file of examples: from stored weights, else fitted now, once per process.

    `prepared` normalizes each example first; callers must normalize the texts they classify in the same way.
    """
    with _fitting:
        return _make_classifier(path, with_model, prepared)


@cached_inference(remembered=None)
def _make_classifier(path: Path, with_model: bool, prepared: Preparation | None) -> "Classifier":
    uses_model = with_model and embeddings.is_available()
    found = load_weights(path, prepared) if uses_model else None
    return Classifier(found or fit_weights(read_examples(path, prepared), with_model=uses_model))


def fit_weights(examples: Examples, *, with_model: bool = True) -> ClassifierWeights:
    """Return weights fitted on examples; without the sentence model, or with `with_model` false, on n-grams alone."""
    from agents.routing import training

    return training.fit_weights(examples, with_model=with_model)


class Classifier:
    """A fitted classifier: about 5 ms a text, from any thread."""

    def __init__(self, fitted: ClassifierWeights) -> None:
        self._fitted = fitted

    @property
    def uses_model(self) -> bool:
        """Whether the sentence embeddings are used."""
        return len(self._fitted.meanings) > 0

    def classify(self, text: str) -> Classification:
        """Return the likeliest label of a text with its probability; None as the label if it is out of scope."""
        likely = self.probabilities(text)
        nowhere = likely.pop(OUT_OF_SCOPE, 0.0)
        if not likely or nowhere >= self._fitted.nowhere_from:
            return Classification(label=None, confidence=nowhere)
        label = max(likely, key=likely.__getitem__)
        return Classification(label=label, confidence=likely[label])

    def probabilities(self, text: str) -> dict[str, float]:
        """Return the probability of each label; they sum to 1."""
        shares = probabilities(self._scores(text)[None], self._fitted.calibration)[0]
        return dict(zip(self._fitted.labels, shares.tolist(), strict=True))

    def scores(self, text: str) -> dict[str, float]:
        """Return the raw score of each label, from about 0 to about 1; not probabilities."""
        return dict(zip(self._fitted.labels, self._scores(text).tolist(), strict=True))

    @cached_inference(remembered=CACHE_SIZE)
    def _scores(self, text: str) -> "Matrix":
        """Return the scores as an array [labels]."""
        import numpy as np

        # Not `@`: BLAS threads wait for each other on a busy machine, and the products are small.
        known = self._fitted
        words = normalize_rows((count_pieces(text) * known.rarity)[None])[0]
        scores: Matrix = known.prior + np.einsum("i,ij->j", words, known.by_piece)
        if self.uses_model:
            meaning = normalize_rows(embeddings.embed([text]) - known.centre)[0]
            scores = scores + np.einsum(
                "i,ij->j", similarity(np.einsum("ij,j->i", known.meanings, meaning)), known.weights
            )
        return scores
